import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { execa } from "execa";
import { describe, it } from "mocha";
import { Family } from "../../../../scaffold/bench/measure/family.ts";

/** Has memory that it uses, and a child that has more, until its input ends. */
const parent = `
  globalThis.held = Buffer.alloc(64 * 2 ** 20, 1);
  const child = require("node:child_process").spawn(process.execPath, [
    "-e",
    "globalThis.held = Buffer.alloc(256 * 2 ** 20, 1); console.log('ready'); process.stdin.resume()",
    "pulumi-resource-kubernetes",
  ], { stdio: ["pipe", "inherit", "inherit"] });
  process.stdin.on("end", () => child.stdin.end()).resume();
`;

describe("a run's processes", () => {
  it("are told apart, each with what it has cost, also after they have ended", async () => {
    const run = execa(process.execPath, ["-e", parent]);
    const family = new Family(run.pid ?? -1);
    for await (const line of run.iterable()) {
      assert.equal(line, "ready");
      family.look();
      run.stdin.end();
    }
    await run;
    family.look();
    const { other, plugin, ...none } = family.costs();
    assert.deepEqual(none, {});
    assert.ok(other && plugin, "both were seen");
    assert.ok(other.peakMiB > 64 && other.peakMiB < 256, `${other.peakMiB}`);
    assert.ok(plugin.peakMiB > 256, `${plugin.peakMiB}`);
    assert.ok(plugin.cpuSeconds > 0, `${plugin.cpuSeconds}`);
  });

  it("keep what they have cost when they have ended and nobody has collected them", async () => {
    const held =
      "globalThis.held = Buffer.alloc(64 * 2 ** 20, 1); console.log(process.pid); setInterval(() => {}, 1e6)";
    // After exec, the process knows of no child.
    const script = '"$0" -e "$1" pulumi-resource-kubernetes & exec cat';
    const run = execa("sh", ["-c", script, process.execPath, held]);
    const [said] = (await once(run.stdout, "data")) as [Buffer];
    const child = Number(said);
    const family = new Family(run.pid ?? -1);
    family.look();
    process.kill(child, "SIGKILL");
    while (!/^State:\s+Z/m.test(readFileSync(`/proc/${child}/status`, "utf8"))) {
      await setTimeout(20);
    }
    family.look();
    const { plugin } = family.costs();
    assert.ok((plugin?.peakMiB ?? 0) > 64 && (plugin?.cpuSeconds ?? 0) > 0, JSON.stringify(plugin));
    run.stdin.end();
    await run;
  });

  it("are no others that run meanwhile", async () => {
    const idle = ["-e", "console.log('ready'); process.stdin.resume()"];
    const run = execa(process.execPath, idle);
    const neighbour = execa(process.execPath, [...idle, "pulumi-resource-kubernetes"]);
    const family = new Family(run.pid ?? -1);
    await Promise.all([run, neighbour].map((each) => once(each.stdout, "data")));
    family.look();
    assert.deepEqual(Object.keys(family.costs()), ["other"]);
    for (const each of [run, neighbour]) {
      each.stdin.end();
      await each;
    }
  });
});
