import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { KubeConfig } from "@kubernetes/client-node";
import type { CommandResult, TestSandbox } from "../sandbox.ts";
import type { TokenClaims, TokenOptions } from "./issuer.ts";

/** An API server's answer. */
export interface Answer {
  readonly status: number;
  /** The object, list or Status; a text if it is no JSON, as logs are. */
  readonly body: unknown;
}

/** An answer in words, for an assertion: `403 secrets is forbidden: …`. */
export const wordsOf = ({ status, body }: Answer) =>
  `${status} ${(body as { message?: string }).message ?? JSON.stringify(body)}`;

export const assertFine = (answer: Answer): void => assert.ok(answer.status < 300, wordsOf(answer));

export function assertRefused(answer: Answer, refusal: RegExp): void {
  assert.ok(answer.status >= 400, wordsOf(answer));
  assert.match(wordsOf(answer), refusal);
}

/** Somebody at the API server who has a token and nothing else. */
export interface Caller {
  /** Never throws on an answer, whatever it is. `contentType` is for a PATCH; the default suits everything else. */
  readonly ask: (method: string, path: string, body?: unknown, contentType?: string) => Promise<Answer>;
  /** Runs the real `kubectl`, with a kubeconfig that has the token. Never throws: look at the exit code. */
  readonly kubectl: (args: readonly string[], options?: { input?: string }) => Promise<CommandResult>;
}

/**
 * Signs somebody in at the tests' cluster with a real token of its issuer:
 *
 *     const bob = await signedIn(stack.sandbox, { sub: "bob", groups: ["class-a"] });
 *     const { status, body } = await bob.ask("GET", "/api/v1/namespaces/alice/secrets");
 *     const { exitCode, stderr } = await bob.kubectl(["get", "pods", "-n", "alice"]);
 *
 * The user is `oidc:bob`, which is whom a stack means by the member `bob` without further settings.
 */
export async function signedIn(sandbox: TestSandbox, claims: TokenClaims, options?: TokenOptions): Promise<Caller> {
  const caller = callerWith(sandbox, await sandbox.issuer.token(claims, options));
  const deadline = Date.now() + 60_000;
  // An API server that has just started asks the issuer in the background, and until then takes nobody's token.
  for (;;) {
    const { status, body } = await whoAmI(caller);
    if (status === 201) {
      return caller;
    }
    assert.ok(status === 401 && Date.now() < deadline, JSON.stringify(body));
    await sleep(200);
  }
}

/** Somebody with a token that the API server may well refuse. */
export function callerWith(sandbox: TestSandbox, token: string): Caller {
  const config = new KubeConfig();
  config.loadFromFile(sandbox.kubeconfig);
  const { server = "", caFile = "", name = "" } = config.getCurrentCluster() ?? {};
  // Idle connections end before the API server would end them, perhaps just as they are used again.
  const agent = new Agent({ ca: readFileSync(caFile), keepAlive: true, maxSockets: 8, timeout: 5000 });
  const file = join(sandbox.sandbox.folder, `caller-${++callers}.kubeconfig`);
  const kubeconfig = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": name,
    contexts: [{ name, context: { cluster: name, user: name } }],
    clusters: [{ name, cluster: { server, "certificate-authority": caFile } }],
    users: [{ name, user: { token } }],
  };
  return {
    ask: async (method, path, body, contentType = "application/json") => {
      const content = body === undefined ? "" : JSON.stringify(body);
      const headers = {
        authorization: `Bearer ${token}`,
        accept: "application/json",
        "content-type": contentType,
        // Node says it of most methods by itself, and not of DELETE.
        "content-length": Buffer.byteLength(content),
      };
      for (let tries = 1; ; tries++) {
        const sent = request(server + path, { method, headers, agent }).end(content);
        const [answer] = (await once(sent, "response")) as [IncomingMessage];
        const received = await text(answer);
        // Others' requests counted at the same time, and the API server gave up on its own count: nothing was made.
        if (answer.statusCode === 409 && received.includes("cannot be fulfilled on resourcequotas") && tries < 5) {
          continue;
        }
        const isJson = answer.headers["content-type"]?.startsWith("application/json") === true;
        return { status: answer.statusCode ?? 0, body: isJson ? JSON.parse(received) : received };
      }
    },
    kubectl: async (args, options) => {
      await writeFile(file, JSON.stringify(kubeconfig), { mode: 0o600 });
      return sandbox.kubectl(["--kubeconfig", file, ...args], options);
    },
  };
}

let callers = 0;

/** As whom the API server knows a caller: a SelfSubjectReview, or the Status of its refusal. */
export function whoAmI({ ask }: Caller): Promise<Answer> {
  const review = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };
  return ask("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", review);
}
