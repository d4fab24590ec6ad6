import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import { Progress } from "../../../runs/progress.ts";
import { errorText, inWords } from "../../../runs/pulumiWords.ts";

describe("Pulumi's words about a configuration that is too long to be handed over", () => {
  /** As the official language host has them. */
  const words =
    "Problem executing program (could not run language executor): fork/exec /usr/bin/node: argument list too long";
  const reported = `${words}
The configuration is longer than the 128 KiB of the environment variable in which Pulumi hands it to the program.
Move the list of members to a file of its own, of any length, and set kubecamp:membersFile to that (docs/run/scale.md).`;

  it("are told with the way out, once", () => {
    assert.equal(errorText(`error: ${words}`), reported);
    assert.equal(errorText(`error: ${reported}`), reported);
  });

  it("also where the engine tells them", () => {
    const progress = new Progress();
    progress.take({ diagnosticEvent: { severity: "error", message: words, color: "never" } } as unknown as EngineEvent);
    assert.equal(progress.errors, reported);
  });
});

describe("a quota's words about a kind that it does not count yet", () => {
  const words =
    'widgets.example.org "lab" is forbidden: status unknown for quota: quota, resources: count/widgets.example.org';

  it("are told with the way out", () => {
    const progress = new Progress();
    const urn = "urn:pulumi:dev::kubecamp::kubernetes:example.org/v1:Widget::bob/object/widget.example.org:lab";
    const diagnosticEvent = { severity: "error", message: words, color: "never", urn };
    progress.take({ diagnosticEvent } as unknown as EngineEvent);
    assert.equal(
      progress.errors,
      `bob/object/widget.example.org:lab: ${words}
Kubernetes does not count these objects yet, as it takes some minutes for a kind that is new on the cluster.
Run this again in five minutes (docs/run/objects.md#custom-kinds).`,
    );
  });
});

describe("what Node says of a state that is longer than a text can be", () => {
  it("is told with the way out", async () => {
    const print = promisify(execFile)(process.execPath, ["-e", "console.log('x'.repeat(99))"], { maxBuffer: 9 });
    await assert.rejects(print, ({ message }: Error) => /split the list into shards/.test(errorText(message)));
  });
});

describe("Pulumi's words about an empty file of attributes beside a state", () => {
  it("are told with the way out, once", () => {
    const words = "failed to load checkpoint: EOF";
    const reported = `${words}
A run was killed while it wrote the file of attributes beside the state, which nothing needs; the state is whole.
Delete it: find FOLDER/.pulumi/stacks -name '*.attrs' -size 0 -delete
With ?metadata=skip at the end of PULUMI_BACKEND_URL no such files are written.`;
    assert.equal(errorText(`error: ${words}`), reported);
    assert.equal(errorText(`error: ${reported}`), reported);
  });
});

describe("a failed command of Pulumi's", () => {
  it("is told with what was tried, and the way out where there is one", async () => {
    const what = "Stack 'prod' can't be opened";
    const failed = (words: string) => inWords(what, () => Promise.reject(new Error(words)));
    await assert.rejects(failed("error: no such stack"), { message: `${what}: no such stack` });
    await assert.rejects(failed("error: failed to load checkpoint: EOF"), ({ message }: Error) =>
      message.startsWith(`${what}: failed to load checkpoint: EOF\nA run was killed`),
    );
  });
});
