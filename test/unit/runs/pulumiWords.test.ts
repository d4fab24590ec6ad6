import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import { Progress } from "../../../runs/progress.ts";
import { errorText, inWords } from "../../../runs/pulumiWords.ts";

describe("Pulumi's words", () => {
  for (const [words, wayOut] of [
    [
      "passphrase must be set with PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE environment variables",
      /\nSet PULUMI_CONFIG_PASSPHRASE to the passphrase/,
    ],
    ["incorrect passphrase", /\nSet PULUMI_CONFIG_PASSPHRASE to the passphrase/],
    ["PULUMI_ACCESS_TOKEN must be set for login during non-interactive CLI sessions", /\nSign in where the state is/],
    ['widgets.example.org "lab" is forbidden: status unknown for quota: quota', /\n.*\nRun this again in five minutes/],
    [
      "failed to load checkpoint: EOF",
      /\n.*\nDelete it: find FOLDER\/\.pulumi\/stacks -name '\*\.attrs' -size 0 -delete\n/,
    ],
  ] as const) {
    it(`adds the way out to Pulumi's words, once: ${words.split(": ", 1)}`, () => {
      const text = errorText(`error: ${words}`);
      assert.ok(text.startsWith(words), text);
      assert.match(text, wayOut);
      assert.equal(errorText(`error: ${text}`), text);
      const progress = new Progress();
      progress.take({ diagnosticEvent: { severity: "error", message: words } } as unknown as EngineEvent);
      assert.equal(progress.errors, text);
    });
  }

  it("adds the way out to Pulumi's words about a state that is longer than a text can be", async () => {
    const print = promisify(execFile)(process.execPath, ["-e", "console.log('x'.repeat(99))"], { maxBuffer: 9 });
    await assert.rejects(print, ({ message }: Error) => /split the list into shards/.test(errorText(message)));
  });

  it("puts Pulumi's words after what was tried", async () => {
    const failed = inWords("Stack 'prod' can't be opened", () => Promise.reject(new Error("error: no such stack")));
    await assert.rejects(failed, ({ message }: Error) => message === "Stack 'prod' can't be opened: no such stack");
  });
});
