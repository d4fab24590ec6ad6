import { clearScreenDown, moveCursor } from "node:readline";
import type { WriteStream } from "node:tty";
import type { Progress } from "../../runs/progress.ts";
import { table } from "../table.ts";

/** How far a stack is. */
export interface Line {
  readonly stack: string;
  stage: "waits" | "looks" | "runs" | "ended";
  /** Such as `only ana`, or how it ended. */
  text: string;
  /** When it began, in milliseconds. */
  since: number;
  readonly progress: Progress;
}

/** Shows what stacks are doing, until it is closed. */
export interface Display {
  /** Something about a stack has changed. */
  changed(line: Line): void;
  /** Says something beside the table. */
  tell(text: string): void;
  close(): void;
}

/** For a log: a line for each stack as it begins to run and as it ends, and what there is to be told. */
export function plainDisplay(write: (line: string) => void): Display {
  return {
    changed: ({ stack, stage, text }) => {
      if (stage === "runs" || stage === "ended") {
        write(`${stack}: ${text}`);
      }
    },
    tell: write,
    close: () => undefined,
  };
}

/** How often the table is drawn anew, in milliseconds. */
const interval = 200;

/** For a terminal: a table of all stacks that is drawn in its own place. */
export function liveDisplay(lines: readonly Line[], out: WriteStream, now: () => number): Display {
  let height = 0;
  const clear = () => {
    moveCursor(out, 0, -height);
    clearScreenDown(out);
    height = 0;
  };
  const draw = () => {
    clear();
    // One that is longer than the terminal would scroll away, and could not be drawn over: what is ended makes room.
    const room = Math.max((out.rows ?? 24) - 2, 1);
    const text = linesText(lines, room, out.columns, now());
    out.write(`${text}\n`);
    height = text.split("\n").length;
  };
  const timer = setInterval(draw, interval);
  draw();
  return {
    changed: draw,
    tell: (text) => {
      clear();
      out.write(`${text}\n`);
      draw();
    },
    close: () => {
      clearInterval(timer);
      clear();
    },
  };
}

const stages: Readonly<Record<Line["stage"], string>> = {
  waits: "",
  looks: "looking",
  runs: "running",
  ended: "ended",
};
const order: readonly Line["stage"][] = ["runs", "looks", "waits", "ended"];

/**
 * The table of stacks, those that run first.
 * @param room how many lines there are for it, headings aside
 */
export function linesText(lines: readonly Line[], room: number, width: number, now: number): string {
  const sorted = lines.toSorted((a, b) => order.indexOf(a.stage) - order.indexOf(b.stage));
  const shown = lines.length > room ? sorted.slice(0, room) : lines;
  const rows = shown.map(({ stack, stage, text, since, progress }) => {
    const seconds = stage === "looks" || stage === "runs" ? `${Math.round((now - since) / 1000)} s` : "";
    const last = progress.changes.at(-1)?.name ?? "";
    const changed = stage === "runs" ? String(progress.changes.length) : "";
    return [stack, stages[stage], seconds, changed, stage === "runs" && last !== "" ? last : text];
  });
  return table([["STACK", "STAGE", "TIME", "CHANGED", ""], ...rows], { width, cut: [0, 4] });
}
