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

export interface ApiClient {
  readonly read: ApiReader;
  /** Deletes what a path names, if it is there; what depends on it goes later. */
  readonly remove: (path: string) => Promise<void>;
}

/** Does what `kubectl get --raw` and `kubectl delete --raw` do, without a process for each question: tests ask hundreds. */
export function apiClient(kubeconfig: string): ApiClient {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  // Idle connections end before the API server would end them, perhaps just as they are used again.
  const agent = new Agent({ keepAlive: true, maxSockets: 8, timeout: 5000 });
  const ask = async (path: string, method: string, accept: string) => {
    const options: RequestOptions = { method, headers: { accept } };
    await config.applyToHTTPSOptions(options);
    const sent = request(`${config.getCurrentCluster()?.server}${path}`, { ...options, agent }).end();
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    return { code: answer.statusCode ?? 0, body: await text(answer) };
  };
  return {
    read: async (path, accept = "application/json") => {
      const { code, body } = await ask(path, "GET", accept);
      assert.equal(code, 200, `${path}: ${body}`);
      return body;
    },
    remove: async (path) => {
      const { code, body } = await ask(`${path}?propagationPolicy=Background`, "DELETE", "application/json");
      // A namespace that is going already is in conflict with going.
      const isGoing = code === 409 && path.startsWith("/api/v1/namespaces/");
      assert.ok(isGoing || [200, 202, 404].includes(code), `${path}: ${body}`);
    },
  };
}
