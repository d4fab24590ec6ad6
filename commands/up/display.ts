import { clearLine, cursorTo } from "node:readline";
import type { WriteStream } from "node:tty";
import { counted } from "../../config/values/sentences.ts";
import { Progress } from "../../runs/progress.ts";

type Stage = "waits" | "looks" | "runs" | "ended";

export class Line {
  readonly stack: string;
  readonly progress = new Progress();
  stage: Stage = "waits";
  /** Milliseconds: start after the wait for a turn. */
  #since = 0;
  readonly #say: (text: string) => void;

  constructor(stack: string, say: (text: string) => void) {
    this.stack = stack;
    this.#say = say;
  }

  /** @param text such as `only ana`, or the result */
  enter(stage: Stage, text = ""): void {
    if (this.stage === "waits") {
      this.#since = performance.now();
    }
    this.stage = stage;
    if (stage === "runs" || stage === "ended") {
      this.#say(`${this.stack}: ${text}${stage === "ended" ? ` (${this.#seconds} s)` : ""}`);
    }
  }

  /** Such as `prod-0: 12 changes in 5 s, deleting bob/namespace`. */
  get status(): string {
    if (this.stage === "looks") {
      return `${this.stack}: looking at the cluster`;
    }
    const { changes, current } = this.progress;
    const now = current === undefined ? "" : `, ${current}`;
    const done = changes.length === 0 ? "nothing changed yet after" : `${counted(changes.length, "change")} in`;
    return `${this.stack}: ${done} ${this.#seconds} s${now}`;
  }

  get #seconds(): number {
    return Math.round((performance.now() - this.#since) / 1000);
  }
}

/** Milliseconds between two lines about a stack that runs: a log without any for half an hour looks dead. */
const betweenLines = 60_000;
/** Milliseconds between two states of a terminal's last line. */
const betweenDraws = 200;

/** Shows the progress of stacks until it is closed: a log gets a line a minute for each, a terminal a last line. */
export class Display {
  readonly #write: (line: string) => void;
  readonly #terminal: WriteStream | undefined;
  readonly #lines: Line[] = [];
  readonly #timer: NodeJS.Timeout;
  #isDrawn = false;

  /** @param terminal undefined for a log */
  constructor(write: (line: string) => void, terminal?: WriteStream) {
    this.#write = write;
    this.#terminal = terminal;
    this.#timer = setInterval(() => this.#tell(), terminal === undefined ? betweenLines : betweenDraws);
  }

  /** Starts a stack's line, or starts it anew. */
  line(stack: string): Line {
    const line = new Line(stack, (text) => this.notify(text));
    this.#lines.push(line);
    return line;
  }

  notify(text: string): void {
    this.#clear();
    this.#write(text);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#clear();
  }

  #tell(): void {
    const isShown = ({ stage }: Line) => stage === "runs" || (stage === "looks" && this.#terminal !== undefined);
    const all = this.#lines.filter(isShown).map(({ status }) => status);
    if (this.#terminal === undefined) {
      all.forEach(this.#write);
    } else if (all.length > 0) {
      this.#clear();
      this.#terminal.write(all.join("; ").slice(0, this.#terminal.columns - 1));
      this.#isDrawn = true;
    }
  }

  /** Where nothing is drawn, a question may be being answered. */
  #clear(): void {
    if (this.#terminal !== undefined && this.#isDrawn) {
      clearLine(this.#terminal, 0);
      cursorTo(this.#terminal, 0);
      this.#isDrawn = false;
    }
  }
}

export const displayOn = (out: WriteStream): Display =>
  new Display((line) => void out.write(`${line}\n`), out.isTTY ? out : undefined);
