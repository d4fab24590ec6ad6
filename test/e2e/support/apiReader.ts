import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { Agent, type RequestOptions, request } from "node:https";
import { text } from "node:stream/consumers";
import { KubeConfig } from "@kubernetes/client-node";

/**
 * Gets a path from an API server, such as `/api/v1/pods`, expects success, and gives the body as it came.
 * @param accept another form than JSON's usual one
 */
export type ApiReader = (path: string, accept?: string) => Promise<string>;

/** Does what `kubectl get --raw` does, without a process for each question: tests ask hundreds. */
export function apiReader(kubeconfig: string): ApiReader {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  // Idle connections end before the API server would end them, perhaps just as they are used again.
  const agent = new Agent({ keepAlive: true, maxSockets: 8, timeout: 5000 });
  return async (path, accept = "application/json") => {
    const options: RequestOptions = { headers: { accept } };
    await config.applyToHTTPSOptions(options);
    const sent = request(`${config.getCurrentCluster()?.server}${path}`, { ...options, agent }).end();
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    const body = await text(answer);
    assert.equal(answer.statusCode, 200, `${path}: ${body}`);
    return body;
  };
}
