import assert from "node:assert/strict";
import { unknown } from "../../../naming/pulumiMarks.ts";
import { kubecamp } from "../commands/kubecamp.ts";
import { type Entry, useStack } from "../program/stack.ts";
import { until } from "../program/workloads.ts";

const app: Entry = { member: "mallory", type: "user", starter: "once" };
const service: Entry = { member: "mel", type: "user" };
const leaver: Entry = { member: "lea", type: "user" };
const settings = { images: ["*"], route: { host: "camp.test", readiness: { mode: "managed" } } };

/** A member may write any text into what is theirs, also those that Pulumi's protocol gives a meaning of their own. */
describe("texts that Pulumi takes for marks of its own", () => {
  const stack = useStack("marks");
  const up = (...args: string[]) =>
    kubecamp(["up", "--stack", stack.name, "--folder", stack.folder, ...args], { env: stack.sandbox.env });
  const patched = (kind: string, name: string, namespace: string, change: object) =>
    stack.sandbox.patch(kind, name, namespace, change);

  before(async () => {
    await stack.makeProject();
    await stack.configure([app, service, leaver], settings);
    await stack.upFine();
  });

  it("keep nobody in who has left, from a member's own app: the run goes on without a refresh, and says why", async () => {
    const container = { name: "starter", image: "mine", env: [{ name: "A", value: unknown }] };
    await patched("deployment", "starter", "mallory", { spec: { template: { spec: { containers: [container] } } } });
    const refreshed = await stack.up("--refresh");
    assert.notEqual(refreshed.exitCode, 0, "Pulumi reads it by now: this fallback is for nothing");
    await stack.configure([app, service], settings);
    const { exitCode, stdout, stderr } = await up("--refresh", "--all");
    assert.equal(exitCode, 0, `${stdout}\n${stderr}`);
    assert.match(
      `${stdout}\n${stderr}`,
      /could not refresh.*\n +mallory\/starter\/deployment: unexpected unknown property/,
    );
    await until(async () => (await stack.sandbox.find("namespace", "lea")) === undefined);
  });

  it("keep a Service out of the run, and nothing else", async () => {
    for (const change of [
      { metadata: { annotations: { "kubecamp.dev/made": unknown } } },
      { metadata: { annotations: { "kubecamp.dev/made": null } }, spec: { selector: { app: unknown } } },
    ]) {
      await patched("service", "mel-svc", "mel", change);
      const run = await stack.up();
      assert.equal(run.exitCode, 0, run.output);
      assert.match(
        run.output,
        /Service 'mel-svc' has a text in its (annotations|selector) that Pulumi takes for a mark/,
      );
    }
    await patched("service", "mel-svc", "mel", { spec: { selector: { app: "mel" } } });
    const run = await stack.up();
    assert.equal(run.exitCode, 0, run.output);
    assert.doesNotMatch(run.output, /\[pending\]/);
  });
});
