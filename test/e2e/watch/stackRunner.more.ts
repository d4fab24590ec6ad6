import assert from "node:assert/strict";
import { copyFile, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { soleProcesses } from "../../../runs/lock.ts";
import { openStack, type StackRunner, type UpScope } from "../../../watch/stackRunner.ts";
import { restore } from "../../unit/cluster/fakeApiServer.ts";
import { type Entry, useStack } from "../program/stack.ts";
import { touchedBy } from "../program/touched.ts";
import { makeService } from "../program/workloads.ts";

const list = (...names: string[]): Entry[] => names.map((member) => ({ member, type: "guest-user" }));
/** Nobody waits for this one's Service here: the whole suite would be over by then. */
const waiting: Entry = { member: "willow", type: "user", route: { readiness: { mode: "wait", timeoutSeconds: 3600 } } };
const all: UpScope = { target: undefined, refresh: false };
const never = new AbortController().signal;

describe("a stack that is brought up again and again", () => {
  const stack = useStack("again");
  const environment: NodeJS.ProcessEnv = { ...process.env };
  let runner: StackRunner;
  const locks = () => stack.backend.locks(stack.name);
  const held = () => readdir(locks()).catch(() => []);

  before(async () => {
    // Pulumi's API starts `pulumi` with the environment of its own process.
    Object.assign(process.env, stack.sandbox.env);
    await stack.makeProject();
    await stack.configure([...list("ada", "bea"), waiting]);
    runner = await openStack({ folder: stack.folder, stack: stack.name }, soleProcesses);
    const { outcome } = await runner.up(all, never);
    assert.equal(outcome, "succeeded");
  });
  afterEach(() => {
    Object.assign(process.env, stack.sandbox.env);
  });
  after(async () => {
    // Not all of it at once: whoever has a hold of the environment keeps the one that the process began with.
    for (const name of Object.keys(stack.sandbox.env)) {
      restore(name, environment[name]);
    }
  });

  it("opens one member's route and touches nothing else", async () => {
    await makeService(stack, "bea");
    const touched = await touchedBy(stack, async () => {
      assert.deepEqual(await runner.up({ target: ["bea"], refresh: false }, never), {
        outcome: "succeeded",
        changes: [
          { operation: "create", type: "kubernetes:core/v1:Service", name: "bea/route/service" },
          { operation: "create", type: "kubernetes:networking.k8s.io/v1:Ingress", name: "bea/route/ingress" },
        ],
      });
    });
    assert.deepEqual(touched, ["Ingress ingress-nginx/bea", "Service ingress-nginx/bea-svc"]);
  });

  it("waits for the lock of a process that lives, and frees its own of one that is gone", async () => {
    await stack.delete("networkpolicy", "isolation", "ada");
    const program = join(stack.folder, "pulumi");
    await copyFile("/bin/cat", program);
    const living = execa(program);
    const { pid = 0 } = living;
    await stack.backend.lock(stack.name, pid);
    const locked = await runner.up({ target: ["ada"], refresh: false }, never);
    living.kill();
    await living.catch(() => undefined);
    assert.equal(locked.outcome, "locked");
    assert.match(locked.by, new RegExp(`^somebody@${hostname()} \\(pid ${pid}\\) since 2`));
    assert.equal(locked.recovered, undefined);
    assert.deepEqual(await held(), ["left.json"]);

    const result = await runner.up({ target: ["ada"], refresh: false }, never);
    assert.equal(result.outcome, "succeeded");
    assert.match(result.recovered ?? "", new RegExp(`freed the lock .* left by somebody@.* \\(pid ${pid}\\)`));
    // A run that left its lock may have left more, so this up refreshes.
    assert.deepEqual(result.changes, [
      { operation: "create", type: "kubernetes:networking.k8s.io/v1:NetworkPolicy", name: "ada/isolation" },
    ]);
    assert.deepEqual(await held(), []);
  });

  it("says a configuration's mistakes and the files to mend, and goes on with the last one", async () => {
    await runner.sources.configuration();
    await stack.configure([{ member: "ada", type: "guest-user", maxCPUm: -1 }, ...list("bea")]);
    const mistake = /has a mistake; nothing was changed\.\n {2}\S+ members\[0\]\.maxCPUm: -1 must be at least 1/;
    await assert.rejects(runner.sources.configuration(), mistake);
    for (const target of [["bea"], undefined]) {
      assert.equal((await runner.up({ target, refresh: false }, never)).outcome, "succeeded");
    }

    const inFolder = (path: string) => join(stack.folder, path);
    await stack.configure(undefined, { membersFile: "absent.yaml" });
    await assert.rejects(runner.sources.configuration(), /membersFile: "absent\.yaml" does not exist/);
    assert.deepEqual(runner.sources.files(), ["Pulumi.yaml", `Pulumi.${stack.name}.yaml`, "absent.yaml"].map(inFolder));

    await mkdir(inFolder("pages"));
    await writeFile(inFolder("pages/starter.md"), "");
    await stack.configure([], { starter: { pagesFolder: "pages" } });
    await assert.rejects(runner.sources.configuration(), /starter\.pagesFolder: "pages" has no index\.md/);
    assert.deepEqual(runner.sources.files().slice(2), ["pages", "pages/starter.md"].map(inFolder));
  });

  it("says which file is empty after a run killed while it wrote the state, and what to do", async () => {
    await stack.configure(list("ada", "bea"));
    const { stacks } = stack.backend;
    // The sandbox's own state has no such files at all, or any test that kills Pulumi could leave one.
    assert.deepEqual(
      (await readdir(stacks)).filter((file) => file.endsWith(".attrs")),
      [],
    );
    const attributes = join(stacks, `${stack.name}.json.attrs`);
    await writeFile(attributes, "");
    const result = await runner.up(all, never);
    await rm(attributes);
    assert.equal((await runner.up(all, never)).outcome, "succeeded");
    assert.equal(result.outcome, "failed");
    assert.match(result.reason, /failed to load checkpoint: EOF\n/);
    assert.match(result.reason, /-name '\*\.attrs' -size 0 -delete/);
  });
});
