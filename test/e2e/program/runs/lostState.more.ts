import assert from "node:assert/strict";
import { kubecamp } from "../../commands/kubecamp.ts";
import { everything, inventory, nameOf } from "../inventory.ts";
import { type Entry, useStack } from "../stack.ts";
import { deploy, hasNamespace, livingPods, makeNamespace, until } from "../workloads.ts";

const managed = { route: { readiness: { mode: "managed" } } };
const ada: Entry = { member: "ada", type: "admin", protect: true };
const bob: Entry = { member: "bob", type: "user", expires: "2099-12-31", ...managed };
const cyd: Entry = { member: "cyd", type: "guest-user" };
const dan: Entry = { member: "dan", type: "user", suspended: true };
/** These leave. */
const eve: Entry = { member: "eve", type: "user" };
const fay: Entry = { member: "fay", type: "guest-user", ...managed };
const gus: Entry = { member: "gus", type: "user", suspended: true };
const hal: Entry = { member: "hal", type: "user", protect: true };
const stay = [ada, bob, cyd, dan];

describe("a stack whose state is lost", () => {
  const stack = useStack("lost");
  const stranger = { "kubecamp.dev/member": "zed", "kubecamp.dev/stack": "other" };
  let uids: Map<string, unknown>;
  let urns: string[];
  let pods: string[];

  const up = () => kubecamp(["up", "--stack", stack.name, "-o", "json"], { cwd: stack.folder, env: stack.sandbox.env });
  /** UIDs of all objects by name, without those of who leaves. */
  const kept = async () =>
    new Map(
      (await everything(stack.sandbox)).flatMap((object) =>
        /\b(eve|fay|gus|hal)\b/.test(nameOf(object)) ? [] : [[nameOf(object), object.metadata.uid] as const],
      ),
    );
  const traces = async (names: RegExp) => (await inventory(stack.sandbox)).filter((name) => names.test(name));

  before(async () => {
    await stack.makeProject();
    await stack.configure([...stay, eve, fay, gus, hal]);
    await makeNamespace(stack, "zed", stranger);
    await stack.upFine();
    await deploy(stack, "bob", 1);
    pods = await livingPods(stack, "bob");
    uids = await kept();
    urns = (await stack.urns()).sort();
  });

  it("refuses to remove the protected, or more members than maxRemovals, without a state too", async () => {
    await stack.loseState();
    await stack.configure(stay);
    const { exitCode, stdout } = await up();
    assert.equal(exitCode, 1);
    assert.match(stdout, /a protected member is no longer in the list.*hal/);
    assert.match(stdout, /4 members are no longer in the list; a run may remove 3/);
    for (const { member } of [eve, fay, gus, hal]) {
      assert.ok(await hasNamespace(stack, member), member);
    }
  });

  it("takes in listed members by a plain up, which names the others with the way out", async () => {
    await stack.configure([...stay, eve, hal]);
    const { output } = await stack.upFine();
    assert.match(output, /No longer in the list\.[\s\S]*fay: namespace[\s\S]*gus: namespace/);
    assert.match(output, /Pulumi alone leaves it; 'kubecamp up --stack lost' deletes it [\s\S]*\n +Namespace fay\n/);
    assert.ok((await hasNamespace(stack, "fay")) && (await hasNamespace(stack, "gus")));
  });

  it("is whole after `kubecamp up`: all is as it was, and only who left is gone", async () => {
    await stack.loseState();
    await stack.configure([...stay, eve, hal]);
    const { exitCode, stdout, stderr } = await up();
    assert.equal(exitCode, 0, stdout + stderr);
    assert.match(stdout, /Deleted, since neither the list nor Pulumi's state has it:/);
    await until(async () => (await traces(/\b(fay|gus)\b/)).length === 0);
    assert.deepEqual(await kept(), uids);
    assert.deepEqual(await livingPods(stack, "bob"), pods);
    const known = urns.filter((urn) => !/::(fay|gus)(\/|$)/.test(urn));
    assert.deepEqual((await stack.urns()).sort(), known);
    assert.ok((await traces(/\beve\b/)).length > 0);
    assert.ok(await hasNamespace(stack, "zed"));
  });

  it("finds no difference after that", async () => {
    const { exitCode, stdout } = await up();
    assert.equal(exitCode, 0, stdout);
    assert.match(stdout, /"result": "unchanged"/);
    const clean = await stack.preview("--refresh", "--expect-no-changes");
    assert.equal(clean.exitCode, 0, clean.output);
  });
});
