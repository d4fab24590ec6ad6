import { clearScreenDown, moveCursor } from "node:readline";
import type { WriteStream } from "node:tty";
import { counted } from "../../../cluster/kinds/nameList.ts";
import { warningsOf } from "../../../plan/messages/catalogue.ts";
import type { Finding } from "../../../plan/messages/finding.ts";
import { Progress } from "../../../runs/progress.ts";
import { table } from "../../common/table.ts";

type Stage = "waits" | "looks" | "runs" | "ended";

/** Shows the progress of stacks until it is closed. */
export interface Display {
  /** Starts a stack's line, or starts it anew. */
  line(stack: string): Line;
  /** Prints a message outside the lines. */
  notify(text: string): void;
  close(): void;
}

/**
 * The display for a terminal or for a log.
 * @param signal aborted on Ctrl-C
 */
export function displayOn(out: WriteStream, signal: AbortSignal): Display {
  return out.isTTY ? new LiveDisplay(out, signal) : new PlainDisplay((line) => void out.write(`${line}\n`));
}

const clock = () => performance.now();

/** Progress of one stack. */
export class Line {
  readonly stack: string;
  readonly progress = new Progress();
  /** Milliseconds: start after the wait for a turn. */
  since: number;
  stage: Stage = "waits";
  /** Such as `only ana`, or the result. */
  text = "";
  readonly #clock: () => number;
  readonly #changed: (line: Line) => void;

  /** @param clock gives milliseconds, and only goes forward */
  constructor(stack: string, clock: () => number, changed: (line: Line) => void) {
    this.stack = stack;
    this.since = clock();
    this.#clock = clock;
    this.#changed = changed;
  }

  /** Adds the command's own findings to the program's warnings. */
  warn(findings: readonly Finding[]): void {
    this.progress.warnings.push(...warningsOf(findings));
  }

  enter(stage: Stage, text = ""): void {
    if (this.stage === "waits") {
      this.since = this.#clock();
    }
    this.stage = stage;
    this.text = text;
    this.#changed(this);
  }
}

/** Milliseconds between two lines about a stack that runs: a log without any for half an hour looks dead. */
const betweenLines = 60_000;

/** For a log: a line for each stack as it starts, each minute, and as it ends, and messages. */
export class PlainDisplay implements Display {
  readonly #write: (line: string) => void;
  readonly #lines: Line[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(write: (line: string) => void) {
    this.#write = write;
    this.#timer = setInterval(() => this.#tell(), betweenLines);
  }

  line(stack: string): Line {
    let runs: string | undefined;
    const line = new Line(stack, clock, ({ stage, text, since }) => {
      const seconds = Math.round((clock() - since) / 1000);
      // A second attempt, as after a stale lock, with the same text is no news.
      const isNews = stage === "ended" || (stage === "runs" && text !== runs);
      runs = stage === "runs" ? text : runs;
      if (isNews) {
        this.#write(`${stack}: ${text}${stage === "ended" ? ` (${seconds} s)` : ""}`);
      }
    });
    this.#lines.push(line);
    return line;
  }

  notify(text: string): void {
    this.#write(text);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #tell(): void {
    for (const { stack, stage, progress } of this.#lines) {
      if (stage === "runs") {
        const current = progress.current === undefined ? "" : `, ${progress.current}`;
        this.#write(`${stack}: ${counted(progress.changes.length, "change")} so far${current}`);
      }
    }
  }
}

/** Milliseconds between redraws of the table. */
const interval = 200;

/** For a terminal: a table of all stacks that is redrawn in place. */
export class LiveDisplay implements Display {
  readonly #out: WriteStream;
  readonly #lines = new Map<string, Line>();
  readonly #timer: NodeJS.Timeout;
  #height = 0;

  constructor(out: WriteStream, signal: AbortSignal) {
    this.#out = out;
    this.#timer = setInterval(() => this.#draw(), interval);
    signal.addEventListener("abort", () => this.#moveDown(), { once: true });
  }

  line(stack: string): Line {
    const line = new Line(stack, clock, () => this.#draw());
    this.#lines.set(stack, line);
    return line;
  }

  notify(text: string): void {
    this.#clear();
    this.#out.write(`${text}\n`);
    this.#draw();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#clear();
  }

  /** The terminal has printed `^C` in the table's place, and a line that says that it stops. */
  #moveDown(): void {
    if (this.#height > 0) {
      this.#height += 2;
      this.notify("Stopping…");
    }
  }

  #clear(): void {
    // Where nothing is drawn, a question may be being answered.
    if (this.#height === 0) {
      return;
    }
    moveCursor(this.#out, 0, -this.#height);
    clearScreenDown(this.#out);
    this.#height = 0;
  }

  #draw(): void {
    this.#clear();
    if (this.#lines.size > 0) {
      // A table longer than the terminal would scroll away, and could not be redrawn.
      const most = Math.max((this.#out.rows ?? 24) - 3, 1);
      const text = linesText([...this.#lines.values()], most, this.#out.columns, performance.now());
      this.#out.write(`${text}\n`);
      this.#height = text.split("\n").length;
    }
  }
}

const stages: Readonly<Record<Stage, string>> = { waits: "", looks: "looking", runs: "running", ended: "ended" };
const order: readonly Stage[] = ["runs", "looks", "waits", "ended"];

/**
 * The table of stacks; if there is no room for all, running ones come first.
 * @param most number of stacks that fit
 */
export function linesText(lines: readonly Line[], most: number, width: number, now: number): string {
  const busyFirst = lines.toSorted((a, b) => order.indexOf(a.stage) - order.indexOf(b.stage));
  const rows = (lines.length > most ? busyFirst.slice(0, most) : lines).map((line) => {
    const { stack, stage, text, since, progress } = line;
    const isBusy = stage === "looks" || stage === "runs";
    const last = stage === "runs" ? (progress.current ?? progress.changes.at(-1)?.name) : undefined;
    return [
      stack,
      stages[stage],
      isBusy ? `${Math.round((now - since) / 1000)} s` : "",
      stage === "waits" || stage === "looks" ? "" : String(progress.changes.length),
      last ?? text,
    ];
  });
  return table([["STACK", "STAGE", "TIME", "CHANGES", ""], ...rows], { width, cut: [0, 4] });
}
