import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { repository } from "../../../sandbox/paths.ts";
import type { TestStack } from "../program/stack.ts";
import { ApiProxy } from "../support/cluster/apiProxy.ts";
import { discover, pathOf } from "../support/cluster/discovery.ts";

interface Marked {
  readonly metadata: { readonly name: string };
}

/** The real `kubecamp verify` of a stack, in a process of its own. */
export class RunningVerify {
  readonly #process: ChildProcess;
  /** All that it has printed. */
  output = "";

  /** @param kubeconfig default: the sandbox's */
  constructor(stack: TestStack, flags: readonly string[] = [], kubeconfig = stack.sandbox.kubeconfig) {
    const command = [`${repository}/bin/kubecamp.mjs`, "verify", "--stack", stack.name, ...flags];
    const env = { ...process.env, ...stack.sandbox.env, KUBECONFIG: kubeconfig };
    this.#process = spawn(process.execPath, command, { cwd: stack.folder, env });
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      stream?.on("data", (chunk: Buffer) => {
        this.output += chunk;
      });
    }
  }

  get isAlive(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  /** @returns the exit code; null if a signal has ended it */
  async end(signal?: NodeJS.Signals): Promise<number | null> {
    if (this.isAlive) {
      const exit = once(this.#process, "close");
      if (signal !== undefined) {
        this.signal(signal);
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

interface Meeting {
  /** Before the request arrives at the API server, or once that has done it and nobody knows. Default: before. */
  readonly when?: "before" | "answered";
  readonly flags?: readonly string[];
}

/** Has something happen to a verification at one of its requests. */
export class MetVerify {
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
   * Runs a verification to its end.
   * @param act what happens while the first such request waits
   */
  async at(
    isMoment: (asked: Asked) => boolean,
    act: (verify: RunningVerify) => Promise<unknown>,
    { when = "before", flags = [] }: Meeting = {},
  ): Promise<RunningVerify> {
    let isMet = false;
    const meet = async (asked: Asked) => {
      if (isMet || !isMoment(asked)) {
        return undefined;
      }
      isMet = true;
      await act(verify);
      // The API server must not do what somebody asked who is dead by now.
      return verify.isAlive ? undefined : { status: 503, headers: {} };
    };
    this.#proxy.hooks = { [when]: meet };
    const verify = new RunningVerify(this.#stack, flags, this.#kubeconfig);
    await verify.end();
    assert.ok(isMet, verify.output);
    return verify;
  }

  /** Kills a verification. @returns what it leaves, as `madeBy` */
  async kill(isMoment: (asked: Asked) => boolean, meeting: Meeting = {}): Promise<readonly string[]> {
    await this.at(isMoment, (verify) => verify.end("SIGKILL"), meeting);
    return await madeBy(this.#stack);
  }

  /** How often a verification that runs to its end writes. */
  async writes(): Promise<number> {
    this.#proxy.release();
    this.#proxy.passed.length = 0;
    const verify = new RunningVerify(this.#stack, [], this.#kubeconfig);
    assert.equal(await verify.end(), 0, verify.output);
    return this.#proxy.passed.filter(isWrite).length;
  }
}

/** Not a question, nor a dry run. */
export const isWrite = ({ method, url }: Asked): boolean =>
  method !== "GET" && !url.searchParams.has("dryRun") && !url.pathname.startsWith("/apis/authorization.k8s.io/");

/** All that has the label of a stack's verifications, in alphabetical order, such as `namespaces/x`. */
export async function madeBy({ sandbox, name }: TestStack): Promise<readonly string[]> {
  const kinds = (await discover(sandbox.read)).filter(({ verbs }) => verbs.includes("list"));
  const all = await Promise.all(
    kinds.map(async (kind) => {
      const list = await sandbox.read(`${pathOf(kind)}?labelSelector=kubecamp.dev/verify=${name}`);
      const { items = [] } = JSON.parse(list) as { readonly items?: readonly Marked[] };
      return items.map(({ metadata }) => `${kind.resource}/${metadata.name}`);
    }),
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
