import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { repository } from "../../../sandbox/paths.ts";
import type { TestStack } from "../program/stack.ts";
import { until } from "../program/workloads.ts";

/** A line of the log. */
interface Line {
  readonly level: string;
  readonly action: string;
  readonly [key: string]: unknown;
}

/** The real `kubecamp watch` of a stack whose folder is a project, as people run it. */
export class RunningWatch {
  readonly #process: ChildProcess;
  #output = "";
  #errors = "";

  private constructor(process: ChildProcess) {
    this.#process = process;
    process.stdout?.on("data", (chunk: Buffer) => {
      this.#output += chunk;
    });
    process.stderr?.on("data", (chunk: Buffer) => {
      this.#errors += chunk;
    });
  }

  /**
   * Starts it, and waits until it tells where it can be asked.
   * @param program folder of kubecamp. Default: the repository
   * @param first what it logs first
   */
  static async start(
    stack: TestStack,
    env: Record<string, string> = {},
    flags: readonly string[] = [],
    program: string = repository,
    first = "started",
  ): Promise<RunningWatch> {
    const command = [`${program}/bin/kubecamp.mjs`, "watch", "--stack", stack.name, "--folder", stack.folder];
    const options = { cwd: program, env: { ...process.env, ...stack.sandbox.env, ...env } };
    const watch = new RunningWatch(spawn(process.execPath, [...command, ...flags, "--port", "0"], options));
    await watch.reported(first);
    return watch;
  }

  /** All that it has printed. */
  get output(): string {
    return this.#output + this.#errors;
  }

  /** The log; whatever else is on stdout makes it fail. */
  get lines(): Line[] {
    const lines = this.#output.split("\n").slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Line);
  }

  of(action: string): Line[] {
    return this.lines.filter((line) => line.action === action);
  }

  /**
   * Waits for a line about an action.
   * @param what other things that it says
   * @param after so many lines
   */
  async reported(action: string, what: Readonly<Record<string, unknown>> = {}, after = 0): Promise<Line> {
    let found: Line | undefined;
    await this.#until(async () => {
      found = this.lines
        .slice(after)
        .find((line) => line.action === action && Object.entries(what).every(([key, value]) => line[key] === value));
      return found !== undefined;
    });
    assert.ok(found);
    return found;
  }

  /** Waits until no up is under way: what one changes can be seen before it has ended. */
  async idle(): Promise<void> {
    const count = (...actions: readonly string[]) => this.lines.filter(({ action }) => actions.includes(action)).length;
    await this.#until(async () => count("up started") === count("up ended", "locked"));
  }

  async ready(status = 200): Promise<void> {
    await this.#until(async () => (await this.ask("/readyz")).status === status);
  }

  async #until(condition: () => Promise<boolean>): Promise<void> {
    await until(async () => {
      assert.ok(this.isAlive, `the watch has ended:\n${this.output}`);
      return await condition();
    });
  }

  async ask(path: string): Promise<{ readonly status: number; readonly text: string }> {
    // A connection each: an idle one may be closed by the watch in the moment that a slow test uses it again.
    const response = await fetch(`${this.lines.find(({ url }) => url)?.url}${path}`, {
      headers: { connection: "close" },
    });
    return { status: response.status, text: await response.text() };
  }

  /** The board at a path, as the controller asks for it on behalf of a visitor. */
  async board(path: string, headers: Readonly<Record<string, string>>): Promise<{ status: number; text: string }> {
    const { url } = await this.reported("board served");
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(`${url}${path}`, { headers, agent: false }, resolve).on("error", reject).end();
    });
    return { status: response.statusCode ?? 0, text: await text(response) };
  }

  /** The value of a metric, such as `kubecamp_ups_total{kind="targeted",result="succeeded"}`. */
  async metric(name: string): Promise<number> {
    const metrics = (await this.ask("/metrics")).text;
    const line = metrics.split("\n").find((each) => each.startsWith(`${name} `));
    assert.ok(line, `${name} is not there:\n${metrics}`);
    return Number(line.slice(name.length));
  }

  get isAlive(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  /** Sends a signal, and waits for the end. @returns the exit code; null if the signal has ended it */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.isAlive) {
      const exit = once(this.#process, "exit");
      this.signal(signal);
      await exit;
    }
    return this.#process.exitCode;
  }
}
