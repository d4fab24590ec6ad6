import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { mock } from "node:test";
import type { WriteStream } from "node:tty";
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import { Line, LiveDisplay, linesText, PlainDisplay } from "../../../../../commands/up/print/display.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: this is what a terminal is told by
const orders = /\u001b\[(\d+)A|\u001b\[(0?J)|([^\n\u001b]*)(\n|$)/g;

/** A terminal, as far as Node's readline moves about in it. */
class Terminal extends Writable {
  readonly columns = 80;
  readonly rows = 24;
  #lines: string[] = [];
  #row = 0;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    for (const [, up, clear, text = "", end] of chunk.toString().matchAll(orders)) {
      this.#row -= Number(up ?? 0);
      this.#lines = clear === undefined ? this.#lines : this.#lines.slice(0, this.#row);
      if (text !== "") {
        this.#lines[this.#row] = text;
      }
      this.#row += end === "\n" ? 1 : 0;
    }
    done();
  }

  get text(): string {
    return this.#lines.join("\n");
  }
}

const deletion = (event: "resourcePreEvent" | "resOutputsEvent") => {
  const urn = "urn:pulumi:prod::kubecamp::kubernetes:core/v1:Namespace::bob/namespace";
  return { [event]: { metadata: { op: "delete", urn } } } as unknown as EngineEvent;
};

describe("what is shown of stacks while they run", () => {
  const lineOf = (stack: string, ...[stage, text]: Parameters<Line["enter"]>) => {
    const line = new Line(
      stack,
      () => 1_000,
      () => undefined,
    );
    line.enter(stage, text);
    return line;
  };

  it("is a table of them, with the object that each waits for, or the last that has changed", () => {
    const runs = lineOf("prod-1", "runs", "only ana");
    const before = linesText([runs], 10, 80, 6_400);
    runs.progress.changes.push({ operation: "create", type: "kubernetes:core/v1:Namespace", name: "ana/namespace" });
    const lines = [lineOf("prod-0", "ended", "up"), runs, lineOf("prod-2", "looks"), lineOf("prod-3", "waits")];
    assert.equal(
      linesText(lines, 10, 80, 6_400),
      [
        "STACK   STAGE    TIME  CHANGES",
        "prod-0  ended          0        up",
        "prod-1  running  5 s   1        ana/namespace",
        "prod-2  looking  5 s",
        "prod-3",
      ].join("\n"),
    );
    assert.match(before, /^prod-1 +running +5 s +0 +only ana$/m);
    runs.progress.take(deletion("resourcePreEvent"));
    assert.match(linesText([runs], 10, 80, 6_400), /^prod-1 +running +5 s +1 +deleting bob\/namespace$/m);
    runs.progress.take(deletion("resOutputsEvent"));
    assert.match(linesText([runs], 10, 80, 6_400), /^prod-1 +running +5 s +2 +bob\/namespace$/m);
  });

  let display: LiveDisplay | undefined;
  afterEach(() => display?.close());

  it("is drawn in its own place, also when Ctrl-C has written there, and is gone at the end", () => {
    const terminal = new Terminal();
    const interrupt = new AbortController();
    display = new LiveDisplay(terminal as unknown as WriteStream, interrupt.signal);
    const line = display.line("prod-0");
    line.enter("runs", "only ana");
    assert.match(terminal.text, /^STACK.*\nprod-0 .*only ana$/);
    display.notify("the API server is busy");
    assert.match(terminal.text, /^the API server is busy\nSTACK.*\nprod-0 .*only ana$/);
    // As the terminal and the command do it.
    terminal.write("^C\nStopping…\n");
    interrupt.abort();
    assert.match(terminal.text, /^the API server is busy\nStopping…\nSTACK.*\nprod-0 .*only ana$/);
    display.close();
    assert.equal(terminal.text, "the API server is busy\nStopping…");
  });

  it("is a line at the start and the end of each where it is no terminal", () => {
    const written: string[] = [];
    const display = new PlainDisplay((line) => written.push(line));
    const line = display.line("prod-0");
    line.enter("looks");
    line.enter("runs", "only ana");
    line.enter("ended", "up");
    display.notify("the API server is busy");
    display.close();
    assert.deepEqual(written, ["prod-0: only ana", "prod-0: up (0 s)", "the API server is busy"]);
  });

  it("is a line a minute about what runs, so that a long up looks alive in a log", () => {
    mock.timers.enable({ apis: ["setInterval"] });
    try {
      const written: string[] = [];
      const display = new PlainDisplay((text) => written.push(text));
      const [runs, waits] = [display.line("prod-0"), display.line("prod-1")];
      runs.enter("runs", "all, since it has had no up yet");
      runs.progress.changes.push({ operation: "create", type: "kubernetes:core/v1:Namespace", name: "ana/namespace" });
      mock.timers.tick(60_000);
      runs.progress.take(deletion("resourcePreEvent"));
      mock.timers.tick(60_000);
      runs.enter("ended", "up");
      waits.enter("looks");
      mock.timers.tick(60_000);
      display.close();
      assert.deepEqual(written, [
        "prod-0: all, since it has had no up yet",
        "prod-0: 1 change so far",
        "prod-0: 1 change so far, deleting bob/namespace",
        "prod-0: up (0 s)",
      ]);
    } finally {
      mock.timers.reset();
    }
  });
});
