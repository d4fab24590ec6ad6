import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import type { UpOptions } from "@pulumi/pulumi/automation/index.js";
import type { Run } from "../../../plan/decide/run.ts";
import { targetAll } from "../../../plan/decisions/target.ts";
import { makeRun } from "../../../runs/decidedRun.ts";
import { Progress } from "../../../runs/progress.ts";
import type { PulumiStack } from "../../../runs/pulumiStack.ts";
import { repository } from "../../../sandbox/paths.ts";
import { alice } from "../samples.ts";
import { project, useFolder } from "../testFolder.ts";

describe("a decided run", () => {
  const givenRun = JSON.stringify(`${repository}/components/givenRun.ts`);
  const main = `import { givenRun, registering } from ${givenRun};\nexport const inspected = await registering(async (run) => run);\nexport const run = givenRun();\n`;
  const folder = useFolder({ ...project, "index.mjs": main });
  const asked = { ...targetAll([alice]), isWhole: false };
  const inspected = { asked, target: { ...asked, members: [] } } as unknown as Run;

  it("has Pulumi run the project's program in this run, for all who were asked for, until it has ended", async () => {
    const progress = new Progress();
    let ran: unknown;
    let inProgram = AsyncLocalStorage.snapshot();
    let target: readonly string[] | undefined;
    const [usual, late] = ["uncaughtException", "unhandledRejection"].map((event) => process.rawListeners(event));
    const up = async (options: UpOptions) => {
      // As Pulumi's SDK does until the program has ended.
      process.on("uncaughtException", () => undefined);
      inProgram = AsyncLocalStorage.snapshot();
      ran = await options.program?.();
      target = options.target;
      assert.equal(Object(ran).run.ended.aborted, false);
    };
    const stack = { workspace: { workDir: folder.path }, open: async () => undefined, up } as unknown as PulumiStack;
    const decided = { kind: "up", refresh: false, inspected } as const;
    const result = await makeRun(stack, decided, new AbortController().signal, progress);
    assert.deepEqual([result.outcome, target?.length], ["succeeded", 2]);
    assert.deepEqual(process.rawListeners("uncaughtException"), usual);
    const [ofEnded = assert.fail(), ...more] = process
      .rawListeners("unhandledRejection")
      .filter((each) => !late?.includes(each));
    assert.deepEqual(more, []);
    const error = new Error("connection dropped");
    inProgram(() => ofEnded(error));
    assert.throws(() => ofEnded(error), error);
    const { run, inspected: given } = Object(ran);
    assert.deepEqual([given, run.told, run.ended.aborted], [inspected, progress.told, true]);
  });

  it("keeps errors of one program from another's beside it", async () => {
    const usual = process.rawListeners("unhandledRejection");
    const heard: string[] = [];
    const run = async (name: string, hears: boolean) => {
      const up = async ({ program }: UpOptions) => {
        process.on("unhandledRejection", () => heard.push(name));
        await program?.();
        const added = process.rawListeners("unhandledRejection").filter((each) => !usual.includes(each));
        for (const listener of hears ? added : []) {
          listener();
        }
      };
      const stack = { workspace: { workDir: folder.path }, open: async () => undefined, up } as unknown as PulumiStack;
      await makeRun(stack, { kind: "up", refresh: false, inspected }, new AbortController().signal, new Progress());
    };
    await Promise.all([run("ours", true), run("theirs", false)]);
    assert.deepEqual(heard, ["ours"]);
  });

  it("keeps what the program prints apart from what the command prints, however it does", async () => {
    const prints = ["log", "info", "debug", "table"].map((how) => `console.${how}("${how}");`);
    folder.write({ "index.mjs": `${main}${prints.join("\n")}\nprocess.stdout.write("written\\n");` });
    const { stdout, stderr } = process;
    const usual = [stdout.write, stderr.write] as const;
    const printed = { stdout: "", stderr: "" };
    const up = async ({ program }: UpOptions) => {
      await program?.();
      console.info("of the command");
    };
    const stack = { workspace: { workDir: folder.path }, open: async () => undefined, up } as unknown as PulumiStack;
    for (const name of ["stdout", "stderr"] as const) {
      process[name].write = (text) => {
        printed[name] += String(text);
        return true;
      };
    }
    try {
      const decided = { kind: "up", refresh: false, inspected } as const;
      await makeRun(stack, decided, new AbortController().signal, new Progress());
    } finally {
      [stdout.write, stderr.write] = usual;
    }
    assert.deepEqual(printed, { stdout: "of the command\n", stderr: "log\ninfo\ndebug\ntable\nwritten\n" });
  });
});
