import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { repository } from "../../../sandbox/paths.ts";
import type { TestStack } from "../program/stack.ts";
import { until } from "../program/workloads.ts";
import { ApiProxy } from "../support/cluster/apiProxy.ts";

interface Marked {
  readonly metadata: { readonly name: string };
}

/** The real `kubecamp verify` of a stack, in a process of its own. */
export class RunningVerify {
  readonly #process: ChildProcess;
  /** All that it has printed. */
  output = "";

  /** @param kubeconfig default: the sandbox's */
  constructor(stack: TestStack, flags: readonly string[] = [], KUBECONFIG = stack.sandbox.kubeconfig) {
    const command = [`${repository}/bin/kubecamp.mjs`, "verify", "--stack", stack.name, ...flags];
    const env = { ...process.env, KUBECONFIG };
    this.#process = spawn(process.execPath, command, { cwd: stack.folder, env });
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      stream?.on("data", (chunk: Buffer) => {
        this.output += chunk;
      });
    }
  }

  /** Waits for a text, or the end. */
  async said(text: string): Promise<void> {
    await until(async () => this.output.includes(text) || !this.isAlive);
  }

  get isAlive(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** @returns the exit code; null if a signal has ended it */
  async end(signal?: NodeJS.Signals): Promise<number | null> {
    if (this.isAlive) {
      const exit = once(this.#process, "close");
      if (signal !== undefined) {
        this.#process.kill(signal);
      }
      await exit;
    }
    return this.#process.exitCode;
  }
}

interface Asked {
  readonly method: string;
  readonly url: URL;
}

/** The first request by which a verification removes what it has made: all of that is there. */
export const removes = ({ method, url }: Asked): boolean =>
  method === "DELETE" &&
  /^\/api\/v1\/namespaces\/[^/]+$|\/clusterrolebindings\/|^\/apis\/.*\/ingress-nginx\//.test(url.pathname);

/** Kills a verification with one of its requests. */
export class Killer {
  readonly #stack: TestStack;
  readonly #proxy = new ApiProxy();
  #kubeconfig = "";

  constructor(stack: TestStack) {
    this.#stack = stack;
  }

  async start(): Promise<void> {
    this.#kubeconfig = (await this.#stack.behind(this.#proxy)).KUBECONFIG;
  }

  async stop(): Promise<void> {
    await this.#proxy.stop();
  }

  /**
   * @param isMoment of which request
   * @param when before the request arrives at the API server, or once that has done it and nobody knows
   * @returns what is left, as `madeBy`
   */
  async kill(
    isMoment: (asked: Asked) => boolean,
    when: "before" | "answered" = "before",
    ...flags: readonly string[]
  ): Promise<readonly string[]> {
    const instead = { status: 503, headers: {} };
    const kill = async (asked: Asked) => {
      if (!isMoment(asked)) {
        return undefined;
      }
      await verify.end("SIGKILL");
      return instead;
    };
    this.#proxy.hooks =
      when === "before" ? { before: kill } : { answered: async (passed) => void (await kill(passed)) };
    const verify = new RunningVerify(this.#stack, flags, this.#kubeconfig);
    assert.equal(await verify.end(), null, verify.output);
    this.#proxy.release();
    return await madeBy(this.#stack);
  }

  /** The requests of a verification that runs to its end. */
  async requests(...flags: readonly string[]): Promise<readonly Asked[]> {
    this.#proxy.passed.length = 0;
    const verify = new RunningVerify(this.#stack, flags, this.#kubeconfig);
    assert.equal(await verify.end(), 0, verify.output);
    return [...this.#proxy.passed];
  }
}

/** What verifications of a stack have made and not removed, in alphabetical order, such as `namespace/x`. */
export async function madeBy({ sandbox, name }: TestStack): Promise<readonly string[]> {
  const kinds = ["namespace", "clusterrolebinding", "ingress", "service"] as const;
  const labelSelector = `kubecamp.dev/verify=${name}`;
  const all = await Promise.all(
    kinds.map(async (kind) => (await sandbox.names(kind, { labelSelector })).map((each) => `${kind}/${each}`)),
  );
  return all.flat().toSorted();
}

/** Says until when the namespaces of a verification that was killed are in use. */
export async function inUseUntil({ sandbox, name }: TestStack, time: Date): Promise<void> {
  const change = { metadata: { annotations: { "kubecamp.dev/verify-until": time.toISOString() } } };
  for (const { metadata } of await sandbox.list<Marked>("namespace", {
    labelSelector: `kubecamp.dev/verify=${name}`,
  })) {
    await sandbox.patch("namespace", metadata.name, undefined, change);
  }
}
