import assert from "node:assert/strict";
import { kubecamp } from "../../commands/kubecamp.ts";
import { assertSays, refusedInProcess, warningsOf } from "../inProcess.ts";
import { everything, nameOf } from "../inventory.ts";
import { type TestStack, useStack } from "../stack.ts";

const ci = { audience: "https://k8s.example.org" };
const jobOf = (repository: string) => ({ issuer: "github", repository, ref: "refs/heads/main" });
const leas = jobOf("lea/site");
const mias = jobOf("mia/site");

describe("two stacks on one cluster", () => {
  const first = useStack("first");
  const second = useStack("second");
  const objectsOf = async (stack: TestStack) =>
    (await everything(stack.sandbox))
      .filter(({ metadata }) => metadata.labels?.["kubecamp.dev/stack"] === stack.name)
      .map((object) => `${nameOf(object)} ${object.metadata.resourceVersion}`)
      .sort();

  before(async () => {
    await first.makeProject();
    await first.configure([{ member: "lea", type: "user", ci: [leas] }], { ci });
    await second.configure([{ member: "mia", type: "user", ci: [mias] }], { ci });
    await first.upFine();
  });

  it("brings up a second stack without touching the first", async () => {
    const before = await objectsOf(first);
    assert.notEqual(before.length, 0);
    await second.upFine();
    assert.equal((await objectsOf(second)).length, before.length);
    assert.deepEqual(await objectsOf(first), before);
  });

  it("refuses a member who is in another stack, with adopt too", async () => {
    for (const adopt of [false, true]) {
      await second.configure(["mia", "lea"].map((member) => ({ member, type: "user", adopt })));
      await refusedInProcess(second, [
        /member 'lea': namespace 'lea' belongs to stack 'first'.*; a member can be in one stack only/,
      ]);
    }
  });

  it("refuses a CI job that another stack has let in, and warns of one in both", async () => {
    const shared = "github:repo:lea/site:ref:refs/heads/main";
    await second.configure([{ member: "mia", type: "user", ci: [mias, leas] }], { ci });
    await refusedInProcess(second, [
      `member 'mia': CI job '${shared}' deploys for member 'lea' of stack 'first' already, and a job has one namespace`,
      "bring up stack 'first' first",
    ]);
    // By hand, since a run lets it in for one of them alone.
    const subject = { apiGroup: "rbac.authorization.k8s.io", kind: "User", name: shared };
    const change = [{ op: "add", path: "/subjects/-", value: subject }];
    await second.sandbox.patch("rolebinding", "kubecamp:ci", "mia", change);
    assertSays(await warningsOf(second), [`  mia: ${shared}, also of 'lea' in stack 'first'`]);
  });

  it("deletes no namespace that is another stack's or a stranger's by now", async () => {
    await first.configure([], { offboarding: { maxRemovals: 1 } });
    await first.delete("namespace", "lea");
    await second.configure(["mia", "lea"].map((member) => ({ member, type: "user" })));
    await second.upFine();
    const ofSecond = /'lea' is no longer in the list, and a run would delete .* kubecamp.dev\/stack: second/;
    await refusedInProcess(first, [ofSecond, "pulumi state delete URN --stack first"]);
    const { sandbox, folder: cwd } = first;
    const preview = await kubecamp(["preview", "--stack", "first"], { cwd, env: sandbox.env });
    assert.equal(preview.exitCode, 1, preview.stdout);
    assert.match(preview.stdout + preview.stderr, ofSecond);

    // As if made by hand.
    const labels = { "kubecamp.dev/stack": null, "kubecamp.dev/member": null };
    await first.sandbox.patch("namespace", "lea", undefined, { metadata: { labels } });
    await refusedInProcess(first, [/'lea' is no longer in the list, .* has made it anew, without the label/]);
    // A refresh takes the stranger's namespace for the stack's own.
    const { exitCode, output } = await first.up("--refresh");
    assert.notEqual(exitCode, 0, output);
    assert.match(output, /'lea' is no longer in the list, .* (has made it anew|has lost the label)/);
  });

  it("destroys one stack without touching the other", async () => {
    const before = await objectsOf(first);
    const destroyed = await second.run(["destroy", "--yes", "--skip-preview"]);
    assert.equal(destroyed.exitCode, 0, destroyed.output);
    assert.deepEqual(await objectsOf(second), []);
    assert.deepEqual(await objectsOf(first), before);
  });
});
