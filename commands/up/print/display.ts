import { clearScreenDown, moveCursor } from "node:readline";
import type { WriteStream } from "node:tty";
import { warningsOf } from "../../../plan/messages/catalogue.ts";
import type { Finding } from "../../../plan/messages/finding.ts";
import { Progress } from "../../../runs/progress.ts";
import { table } from "../../common/table.ts";

/** How far a stack is. */
export type Stage = "waits" | "looks" | "runs" | "ended";

/** Shows what stacks are doing, until it is closed. */
export interface Display {
  /** Begins with a stack, maybe anew. */
  line(stack: string): Line;
  /** Says something beside what it shows. */
  notify(text: string): void;
  close(): void;
}

/**
 * The one that suits where it is shown.
 * @param signal aborted on Ctrl-C
 */
export function displayOn(out: WriteStream, signal: AbortSignal): Display {
  return out.isTTY ? new LiveDisplay(out, signal) : new PlainDisplay((line) => void out.write(`${line}\n`));
}

const clock = () => performance.now();

/** What is shown of one stack. */
export class Line {
  readonly stack: string;
  readonly progress = new Progress();
  /** When it began, after having waited for its turn. */
  since: number;
  stage: Stage = "waits";
  /** Such as `only ana`, or how it ended. */
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

  /** Says beside what the program warns of what the command itself has found. */
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

/** For a log: a line for each stack as it begins to run and as it ends, and what there is to be told. */
export class PlainDisplay implements Display {
  readonly #write: (line: string) => void;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  line(stack: string): Line {
    let runs: string | undefined;
    return new Line(stack, clock, ({ stage, text, since }) => {
      const seconds = Math.round((performance.now() - since) / 1000);
      // Of a run that is tried again, as behind a lock that was left, the same is no news.
      const isNews = stage === "ended" || (stage === "runs" && text !== runs);
      runs = stage === "runs" ? text : runs;
      if (isNews) {
        this.#write(`${stack}: ${text}${stage === "ended" ? ` (${seconds} s)` : ""}`);
      }
    });
  }

  notify(text: string): void {
    this.#write(text);
  }

  close(): void {}
}

/** How often the table is drawn anew, in milliseconds. */
const interval = 200;

/** For a terminal: a table of all stacks that is drawn in its own place. */
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

  /** The terminal has shown `^C` in the table's place, and a line that says that it stops. */
  #moveDown(): void {
    if (this.#height > 0) {
      this.#height += 2;
      this.notify("Stopping…");
    }
  }

  #clear(): void {
    moveCursor(this.#out, 0, -this.#height);
    clearScreenDown(this.#out);
    this.#height = 0;
  }

  #draw(): void {
    this.#clear();
    if (this.#lines.size > 0) {
      // A table that is longer than the terminal would scroll away, and could not be drawn over.
      const room = Math.max((this.#out.rows ?? 24) - 3, 1);
      const text = linesText([...this.#lines.values()], room, this.#out.columns, performance.now());
      this.#out.write(`${text}\n`);
      this.#height = text.split("\n").length;
    }
  }
}

const stages: Readonly<Record<Stage, string>> = { waits: "", looks: "looking", runs: "running", ended: "ended" };
const order: readonly Stage[] = ["runs", "looks", "waits", "ended"];

/**
 * The table of stacks; where there is no room for all, those that run.
 * @param room how many stacks there is room for
 */
export function linesText(lines: readonly Line[], room: number, width: number, now: number): string {
  const busyFirst = lines.toSorted((a, b) => order.indexOf(a.stage) - order.indexOf(b.stage));
  const rows = (lines.length > room ? busyFirst.slice(0, room) : lines).map((line) => {
    const { stack, stage, text, since, progress } = line;
    const isBusy = stage === "looks" || stage === "runs";
    const last = stage === "runs" ? progress.changes.at(-1)?.name : undefined;
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
