import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { Agent, type RequestOptions, request } from "node:https";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { KubeConfig } from "@kubernetes/client-node";

/**
 * Gets a path from an API server, such as `/api/v1/pods`, expects success, and gives the body as it came.
 * @param accept another form than JSON's usual one
 */
export type ApiReader = (path: string, accept?: string) => Promise<string>;

/** An API server's answer, of any kind. */
export interface ApiAnswer {
  readonly code: number;
  readonly body: string;
  /** Its warnings, each as `Warning: "text"`. */
  readonly warnings: readonly string[];
}

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

type Ask = (method: string, path: string, sent?: Sent) => Promise<ApiAnswer>;

export interface ApiClient {
  readonly ask: Ask;
  /** Asks again for some seconds while the API server says that it can't answer yet. */
  readonly askPatiently: Ask;
  readonly read: ApiReader;
  /** Deletes what a path names, if it is there; what depends on it goes later. */
  readonly remove: (path: string) => Promise<void>;
}

/**
 * Does what `kubectl get --raw` and `kubectl delete --raw` do, without a process for each question: tests ask hundreds.
 * @param server another than the kubeconfig's, with the same certificate
 */
export function apiClient(kubeconfig: string, server?: string): ApiClient {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  // Idle connections end before the API server would end them, perhaps just as they are used again.
  const agent = new Agent({ keepAlive: true, maxSockets: 8, timeout: 5000 });
  const ask: Ask = async (method, path, { headers = {}, body = "" } = {}) => {
    const length = { "content-length": Buffer.byteLength(body) };
    const options: RequestOptions = { method, headers: { accept: "application/json", ...length, ...headers } };
    await config.applyToHTTPSOptions(options);
    const sent = request(`${server ?? config.getCurrentCluster()?.server}${path}`, { ...options, agent }).end(body);
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    const warnings = answer.headersDistinct.warning ?? [];
    return {
      code: answer.statusCode ?? 0,
      body: await text(answer),
      warnings: warnings.map((warning) => warning.replace(/^299 - /, "Warning: ")),
    };
  };
  const askPatiently: Ask = async (...question) => {
    const deadline = Date.now() + 10_000;
    for (;;) {
      const answer = await ask(...question);
      // As kubectl does: a kind is not served for a moment once its definition is changed.
      if (answer.code !== 429 || Date.now() >= deadline) {
        return answer;
      }
      await setTimeout(500);
    }
  };
  return {
    ask,
    askPatiently,
    read: async (path, accept = "application/json") => {
      const { code, body } = await askPatiently("GET", path, { headers: { accept } });
      assert.equal(code, 200, `${path}: ${body}`);
      return body;
    },
    remove: async (path) => {
      const { code, body } = await askPatiently("DELETE", `${path}?propagationPolicy=Background`);
      // A namespace that is going already is in conflict with going.
      const isGoing = code === 409 && path.startsWith("/api/v1/namespaces/");
      assert.ok(isGoing || [200, 202, 404].includes(code), `${path}: ${body}`);
    },
  };
}

/** Whether an API server that was started a moment ago serves by now. */
export const isReady = ({ ask }: Pick<ApiClient, "ask">): Promise<boolean> =>
  ask("GET", "/readyz").then(
    ({ code }) => code === 200,
    () => false,
  );
