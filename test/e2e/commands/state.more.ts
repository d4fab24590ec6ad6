import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { repository } from "../../../scaffold/sandbox/paths.ts";
import { ca } from "../../unit/certificates.ts";
import { refusedInProcess } from "../program/inProcess.ts";
import { inventory } from "../program/inventory.ts";
import { type Entry, useStack } from "../program/stack.ts";
import { touchedBy } from "../program/touched.ts";
import { until } from "../program/workloads.ts";
import { kubecamp } from "./kubecamp.ts";

const managed = { route: { readiness: { mode: "managed" } } };
const ada: Entry = { member: "ada", type: "admin", protect: true };
const bob: Entry = { member: "bob", type: "user", expires: "2099-12-31", ...managed };
const cyd: Entry = { member: "cyd", type: "guest-user" };
const dan: Entry = { member: "dan", type: "user", suspended: true };
/** These leave, and are more than `maxRemovals`. */
const eve: Entry = { member: "eve", type: "user" };
const fay: Entry = { member: "fay", type: "guest-user", ...managed };
const gus: Entry = { member: "gus", type: "user", suspended: true };
const hal: Entry = { member: "hal", type: "user", protect: true };
const stay = [ada, bob, cyd, dan];
const settings = { route: { host: "camp.test", backendProtocol: "HTTPS", backendTls: { ca } } };

describe("kubecamp state rebuild", () => {
  const stack = useStack("lost");
  let empty: string[];
  let was: Map<string, unknown>;

  const args = (...more: string[]) => ["state", "rebuild", "--stack", stack.name, "--folder", stack.folder, ...more];
  const rebuild = (...more: string[]) => kubecamp(args(...more), { env: stack.sandbox.env });
  const stateFile = () => join(stack.backend.stacks, `${stack.name}.json`);
  /** Resources of the state by URN, without values that differ between any two runs. */
  const known = async () =>
    new Map((await stack.resources()).map((resource) => [resource.urn, essence({ ...resource })]));
  before(async () => {
    await stack.makeProject();
    empty = await inventory(stack.sandbox);
    await stack.configure([...stay, eve, fay, gus, hal], settings);
    await stack.upFine();
    was = await known();
  });

  it("is refused where the state is not lost, and where there is none to fill, with the way out", async () => {
    const kept = await rebuild("--yes");
    assert.equal(kept.exitCode, 1);
    assert.match(
      kept.stderr,
      /The state of stack 'lost' is not lost\.\n.*It has \d+ resources.*\n.*pulumi refresh --stack lost/,
    );
    const absent = await kubecamp(["state", "rebuild", "--stack", "prd", "--folder", stack.folder], {
      env: stack.sandbox.env,
    });
    assert.equal(absent.exitCode, 1);
    assert.match(absent.stderr, /no stack named 'prd' found\n(.*\n)*.*pulumi stack init prd/);
    assert.deepEqual(await known(), was);
  });

  it("brings the state back, also after one that was killed, and leaves the cluster alone", async () => {
    await stack.loseState();
    await stack.configure(stay, { ...settings, cluster: { id: "00000000-0000-0000-0000-000000000000" } });
    const elsewhere = await rebuild("--yes");
    assert.equal(elsewhere.exitCode, 1);
    assert.match(elsewhere.stderr, /can't be rebuilt: this is another cluster: its id is/);
    await stack.configure(stay, settings);
    const unasked = await rebuild();
    assert.equal(unasked.exitCode, 1);
    assert.match(unasked.stdout, /4 members no longer in the list.*:\n {4}eve, fay, gus, hal \(protected\)\n/);
    assert.match(unasked.stderr, /there is no terminal to ask at/);
    assert.deepEqual(await stack.urns(), []);

    const touched = await touchedBy(stack, async () => {
      await killHalfway();
      const locked = await rebuild("--yes");
      assert.equal(locked.exitCode, 1);
      assert.match(locked.stderr, /somebody@.* has its lock; .* if it is gone, run: pulumi cancel --stack lost/);
      await stack.backend.unlock(stack.name);
      const { exitCode, stdout, stderr } = await rebuild("--yes");
      assert.equal(exitCode, 0, stderr);
      assert.match(stdout, /4 members of the list:\n {4}ada, bob, cyd, dan\n/);
      assert.match(stdout, /:\n {4}eve, fay, gus, hal \(protected\)\nA rebuild writes/);
    });
    assert.deepEqual(touched, []);
    assert.deepEqual(await known(), was);
    assert.ok(!(await readFile(stateFile(), "utf8")).includes(Buffer.from(ca).toString("base64")));
  });

  it("leaves the removals to the next run, which counts and refuses them as ever", async () => {
    await refusedInProcess(stack, [
      /a protected member is no longer in the list.*\n\s+hal/,
      "4 members are no longer in the list; a run may remove 3",
    ]);
  });

  it("has the next run delete what leavers have, keys first, and nothing of whoever stays", async () => {
    const theirs = [...was.keys()].filter((urn) => /::(fay|gus)(\/|$)/.test(urn)).map(nameIn);
    await stack.configure([...stay, eve, hal], settings);
    const { steps } = await stack.upFine();
    assert.deepEqual([...steps].sort(), theirs.map((name) => `delete ${name}`).sort());
    const at = (name: string) => steps.findIndex((step) => step.endsWith(` ${name}`));
    const order = ["fay/route/ingress", "fay/route/service", "fay/namespace"].map(at);
    assert.deepEqual(
      order,
      order.toSorted((a, b) => a - b),
    );
    assert.ok(at("fay/binding/edit") < at("fay/namespace") && at("fay/others/view-guest") < at("fay/namespace"));
    const left = (await inventory(stack.sandbox)).filter((name) => !empty.includes(name));
    assert.deepEqual(
      left.filter((name) => /\b(fay|gus)\b/.test(name)),
      [],
    );
  });

  /** Kills the command and its Pulumi as soon as the state has a resource. */
  async function killHalfway(): Promise<void> {
    const child = execa(process.execPath, [join(repository, "bin/kubecamp.mjs"), ...args("--yes")], {
      env: stack.sandbox.env,
      reject: false,
    });
    const { pid = 0 } = child;
    await until(async () => {
      assert.equal(child.nodeChildProcess.exitCode, null, "it was over before it could be killed");
      return (await readFile(stateFile(), "utf8")).includes("pulumi:providers:kubernetes");
    });
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
    process.kill(pid, "SIGKILL");
    for (const each of children.trim().split(" ").filter(Number)) {
      try {
        process.kill(Number(each), "SIGKILL");
      } catch (error) {
        // The process has ended by itself, and no other starts after it.
        assert.equal((error as NodeJS.ErrnoException).code, "ESRCH");
      }
    }
    await child;
    assert.ok((await stack.urns()).length <= 2);
    // A test can't tell whether Pulumi still held its lock, so it always leaves one.
    await stack.backend.lock(stack.name, pid);
  }
});

const nameIn = (urn: string) => {
  const [, , types = "", name = ""] = urn.split("::");
  return `${types.split("$").at(-1)} ${name}`;
};

/** Drops values that always differ: the provider's ID, newly encrypted secrets, and fields that controllers write. */
function essence({ created, modified, sourcePosition, stackTrace, ...resource }: Record<string, unknown>): unknown {
  if (resource.type === "pulumi:pulumi:Stack") {
    // The stack's outputs follow the current list.
    return resource.type;
  }
  const restless = ["status", "managedFields", "resourceVersion"];
  const text = JSON.stringify(resource, (key, value) => (restless.includes(key) ? undefined : value))
    .replaceAll(/"ciphertext":"[^"]*"/g, '"ciphertext":"…"')
    .replaceAll(/("provider":"[^"]*::)[^":]*"/g, '$1…"');
  const { id, ...others } = JSON.parse(text) as { id?: string; dependencies?: string[] };
  const isProvider = resource.type === "pulumi:providers:kubernetes";
  return { ...others, id: isProvider ? "…" : id, dependencies: others.dependencies?.sort() };
}
