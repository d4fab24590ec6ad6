import assert from "node:assert/strict";
import { copyFile, mkdtemp, readdir, rm } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { holderText, isLeft, type Lock, locksIn, soleProcesses } from "../../../runs/lock.ts";
import type { PulumiUpResult } from "../../../runs/pulumiUp.ts";
import { pastLeftLock } from "../../../runs/staleLock.ts";
import { textOf } from "../plan/planned.ts";

/** As Pulumi 3.259 words it. */
const met = `code: -2
 stdout:
 stderr: Command failed with exit code 255: pulumi up --yes --skip-preview --stack prod --non-interactive
error: the stack is currently locked by 2 lock(s). Either wait for the other process(es) to end or delete the lock file with \`pulumi cancel\`.
  file:///state/.pulumi/locks/organization/kubecamp/prod/4d2f.json: created by ada@laptop (pid 4711) at 2026-11-21T15:33:52+01:00
  s3://state/.pulumi/locks/organization/kubecamp/prod/77aa.json?region=x: created by CORP\\a b@c@kubecamp-0 (pid 12) at 2026-11-21T14:33:52Z
 err?: Error: Command failed with exit code 255`;

const since = Date.parse("2026-11-21T14:33:52Z");
const lockOf = (pid: number, host = "here"): Lock => ({ user: "ada", host, pid, since });
/** The watch that holds the Lease, whose process 1 has ended. */
const watch = { host: "here", isRunning: (pid: number) => pid > 1 };
const up: PulumiUpResult = { outcome: "succeeded", changes: [] };

/** Runs an up that meets these locks until they are freed. */
async function runPast(locks: readonly Lock[], processes: typeof watch | undefined) {
  let freed = 0;
  const notes: string[] = [];
  const stack = { name: "left", cancel: async () => void freed++ };
  const once = async (): Promise<PulumiUpResult> => (freed > 0 ? up : { outcome: "locked", by: "", locks });
  const { outcome } = await pastLeftLock(stack, once, (note) => notes.push(textOf([note]) ?? ""), processes);
  return { outcome, freed, notes };
}

describe("a lock on a stack", () => {
  it("reads a lock on a stack from Pulumi's error, once each, and none from another error", () => {
    const [first, second] = locksIn(met + met);
    assert.deepEqual(first, { user: "ada", host: "laptop", pid: 4711, since });
    assert.deepEqual(second, { user: "CORP\\a b@c", host: "kubecamp-0", pid: 12, since });
    assert.equal(locksIn(met + met).length, 2);
    assert.deepEqual(locksIn("[409] Conflict: Another update is currently in progress."), []);
    assert.equal(holderText(lockOf(12)), "ada@here (pid 12) since 2026-11-21T14:33:52.000Z");
  });

  it("frees a lock that the Lease-holding watch has left, and runs the up again", async () => {
    const { outcome, freed, notes } = await runPast([lockOf(1)], watch);
    assert.deepEqual([outcome, freed], ["succeeded", 1]);
    assert.match(notes.join(), /^freed the lock on stack 'left' that was left by ada@here \(pid 1\)/);
  });

  for (const [what, locks, processes] of [
    ["nobody holds a Lease", [lockOf(1)], undefined],
    ["another machine has taken the lock", [lockOf(1, "there")], watch],
    ["the lock's process lives", [lockOf(2)], watch],
    ["a living process has another lock", [lockOf(1), lockOf(2)], watch],
    ["the backend names no holder", [], watch],
  ] as const) {
    it(`leaves a lock on a stack alone where ${what}`, async () => {
      assert.deepEqual(await runPast(locks, processes), { outcome: "locked", freed: 0, notes: [] });
    });
  }

  it("takes a lock for held by a pulumi that lives, and by nothing else of its number", async () => {
    const folder = await mkdtemp(join(tmpdir(), "kubecamp-unit-"));
    const program = join(folder, "pulumi");
    await copyFile("/bin/cat", program);
    const child = execa(program);
    const lock = { host: hostname(), pid: child.pid ?? 0 };
    const isHeld = !isLeft(lock, soleProcesses);
    child.kill();
    await child.catch(() => undefined);
    await rm(folder, { recursive: true });
    assert.equal(isHeld, true);
    assert.equal(isLeft(lock, soleProcesses), true);
    const threads = await readdir("/proc/self/task");
    for (const pid of threads) {
      assert.equal(isLeft({ ...lock, pid: Number(pid) }, soleProcesses), true, pid);
    }
  });
});
