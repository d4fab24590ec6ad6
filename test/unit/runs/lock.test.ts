import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { hostname } from "node:os";
import { holderText, isAbandoned, type Lock, locksIn, ownProcesses } from "../../../runs/lock.ts";

/** As Pulumi 3.259 words it. */
const met = `code: -2
 stdout:
 stderr: Command failed with exit code 255: pulumi up --yes --skip-preview --stack prod --non-interactive
error: the stack is currently locked by 2 lock(s). Either wait for the other process(es) to end or delete the lock file with \`pulumi cancel\`.
  file:///state/.pulumi/locks/organization/kubecamp/prod/4d2f.json: created by ada@laptop (pid 4711) at 2026-11-21T15:33:52+01:00
  s3://state/.pulumi/locks/organization/kubecamp/prod/77aa.json?region=x: created by CORP\\a b@c@kubecamp-0 (pid 12) at 2026-11-21T14:33:52Z
 err?: Error: Command failed with exit code 255`;

const since = Date.parse("2026-11-21T14:33:52Z");
const lock: Lock = { url: "file:///state/4d2f.json", user: "ada", host: "here", pid: 12, since };
/** A machine on which process 12 began then, if at all. */
const machine = (start: number | undefined) => ({
  host: "here",
  began: Number.NEGATIVE_INFINITY,
  startOf: () => start,
});

describe("a lock on a stack", () => {
  it("is read from what Pulumi says of it", () => {
    assert.deepEqual(locksIn(met), [
      {
        url: "file:///state/.pulumi/locks/organization/kubecamp/prod/4d2f.json",
        ...{ user: "ada", host: "laptop", pid: 4711, since },
      },
      {
        url: "s3://state/.pulumi/locks/organization/kubecamp/prod/77aa.json?region=x",
        ...{ user: "CORP\\a b@c", host: "kubecamp-0", pid: 12, since },
      },
    ]);
    assert.deepEqual(locksIn(met + met), locksIn(met));
    assert.equal(holderText(lock), "ada@here (pid 12) since 2026-11-21T14:33:52.000Z");
  });

  it("is none in other errors, nor in Pulumi Cloud's, which tells nobody's name", () => {
    assert.deepEqual(locksIn("[409] Conflict: Another update is currently in progress."), []);
  });

  it("is abandoned by a process of this machine that has ended, or whose number another one has got since", () => {
    assert.equal(isAbandoned(lock, machine(undefined)), true);
    assert.equal(isAbandoned(lock, machine(since + 60_000)), true);
  });

  it("is held while the process lives, though its clock is a second off, and where nothing tells when it began", () => {
    for (const start of [since - 60_000, since + 1000, Number.NEGATIVE_INFINITY]) {
      assert.equal(isAbandoned(lock, machine(start)), false);
    }
    assert.equal(isAbandoned({ ...lock, since: Number.NaN }, machine(since)), false);
  });

  it("that is older than a container of the same host name is held: another one may have taken it, and live", () => {
    const container = { ...machine(undefined), began: since + 1000 };
    assert.equal(isAbandoned(lock, container), false);
    assert.equal(isAbandoned({ ...lock, since: container.began }, container), true);
    assert.equal(isAbandoned(lock, { ...container, began: Number.NaN }), false);
    assert.equal(isAbandoned({ ...lock, since: Number.NaN }, container), false);
  });

  it("of another machine is held, whatever runs here", () => {
    assert.equal(isAbandoned({ ...lock, host: "there" }, machine(undefined)), false);
  });

  it("is judged by the processes that this machine really has", async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
    await once(child, "spawn");
    const own = { user: "ada", host: hostname(), since: Date.now() };
    const held = { ...own, pid: child.pid ?? 0 };
    assert.equal(isAbandoned(held, ownProcesses), false);
    assert.equal(isAbandoned({ ...own, pid: process.pid }, ownProcesses), false);
    if (process.platform === "linux") {
      assert.equal(isAbandoned({ ...held, since: Date.now() - 3_600_000 }, ownProcesses), true);
    }
    child.kill("SIGKILL");
    await once(child, "exit");
    assert.equal(isAbandoned(held, ownProcesses), true);
  });

  it("is abandoned by a process that has ended and was collected by nobody", async () => {
    if (process.platform !== "linux") {
      return;
    }
    // The shell becomes a program that collects no children, as a container's first process may be, before its child ends.
    const child = spawn("sh", ["-c", "read line <&3 & echo $!; exec cat"], { stdio: ["pipe", "pipe", "pipe", "pipe"] });
    const [output] = (await once(child.stdout, "data")) as [Buffer];
    const ended = { user: "ada", host: hostname(), pid: Number(output.toString()), since: Date.now() };
    child.stdin.write("once it is that program\n");
    await once(child.stdout, "data");
    assert.equal(isAbandoned(ended, ownProcesses), false);
    child.stdio[3]?.destroy();
    while (!isAbandoned(ended, ownProcesses)) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    process.kill(ended.pid, 0);
    child.kill();
  });
});
