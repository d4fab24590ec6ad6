import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { mock } from "node:test";
import type { WriteStream } from "node:tty";
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import { Display, displayOn } from "../../../../commands/up/display.ts";

const deletion = (event: "resourcePreEvent" | "resOutputsEvent") => {
  const urn = "urn:pulumi:prod::kubecamp::kubernetes:core/v1:Namespace::bob/namespace";
  return { [event]: { metadata: { op: "delete", urn } } } as unknown as EngineEvent;
};

describe("what is shown of stacks while they run", () => {
  beforeEach(() => mock.timers.enable({ apis: ["setInterval"] }));
  afterEach(() => mock.timers.reset());

  it("shows a line at each stack's start and end, and one a minute in the log of a long up", () => {
    const written: string[] = [];
    const display = new Display((line) => written.push(line));
    const [runs, waits] = [display.line("prod-0"), display.line("prod-1")];
    runs.enter("looks");
    runs.enter("runs", "only ana");
    mock.timers.tick(60_000);
    runs.progress.changes.push({ operation: "create", type: "kubernetes:core/v1:Namespace", name: "ana/namespace" });
    mock.timers.tick(60_000);
    runs.progress.take(deletion("resourcePreEvent"));
    mock.timers.tick(60_000);
    runs.enter("ended", "up");
    waits.enter("looks");
    mock.timers.tick(60_000);
    display.notify("the API server is busy");
    display.close();
    assert.deepEqual(written, [
      "prod-0: only ana",
      "prod-0: nothing changed yet after 0 s",
      "prod-0: 1 change in 0 s",
      "prod-0: 1 change in 0 s, deleting bob/namespace",
      "prod-0: up (0 s)",
      "the API server is busy",
    ]);
  });

  it("shows progress in a terminal's last line, which messages and the end take away", () => {
    let written = "";
    const terminal = new Writable({
      write: (chunk, _encoding, done) => {
        written += chunk;
        done();
      },
    });
    const display = displayOn(Object.assign(terminal, { isTTY: true, columns: 20 }) as unknown as WriteStream);
    display.line("prod-0").enter("runs", "only ana");
    mock.timers.tick(200);
    display.notify("the API server is busy");
    mock.timers.tick(200);
    display.close();
    const cleared = "\u001b[2K\u001b[1G";
    const status = "prod-0: nothing cha";
    assert.equal(written, `prod-0: only ana\n${status}${cleared}the API server is busy\n${status}${cleared}`);
  });
});
