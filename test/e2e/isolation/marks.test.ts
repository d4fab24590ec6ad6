import assert from "node:assert/strict";
import { signatureKey, unknown, unknowns } from "../../../naming/pulumiMarks.ts";
import { kubecamp } from "../commands/kubecamp.ts";
import { type Entry, useStack } from "../program/stack.ts";
import { until } from "../program/workloads.ts";

const app: Entry = { member: "mallory", type: "user", starter: "once" };
const pages: Entry = { member: "max", type: "user", starter: "once" };
const service: Entry = { member: "mel", type: "user" };
const leaver: Entry = { member: "lea", type: "user" };
const settings = { images: ["*"], route: { host: "camp.test", readiness: { mode: "managed" } } };

/** A member may write any text into what is theirs, also those that Pulumi's protocol gives a meaning of their own. */
describe("texts that Pulumi takes for marks of its own", () => {
  const stack = useStack("marks");
  const up = (...args: string[]) =>
    kubecamp(["up", "--stack", stack.name, "--folder", stack.folder, ...args], { env: stack.sandbox.env });

  before(async () => {
    await stack.makeProject();
    await stack.configure([app, pages, service, leaver], settings);
    await stack.upFine();
  });

  it("keep nobody in who has left, from a member's own app: the run goes on without a refresh, and says why", async () => {
    const container = { name: "starter", image: "mine", env: [{ name: "A", value: unknown }] };
    await stack.sandbox.patch("deployment", "starter", "mallory", {
      spec: { template: { spec: { containers: [container] } } },
    });
    const refreshed = await stack.up("--refresh");
    assert.notEqual(refreshed.exitCode, 0, "Pulumi reads it by now: this fallback is for nothing");
    await stack.configure([app, pages, service], settings);
    const { exitCode, stdout, stderr } = await up("--refresh", "--all");
    assert.equal(exitCode, 0, `${stdout}\n${stderr}`);
    assert.match(
      `${stdout}\n${stderr}`,
      /could not refresh.*\n +mallory\/starter\/deployment: unexpected unknown property/,
    );
    await until(async () => (await stack.sandbox.find("namespace", "lea")) === undefined);
  });

  it("are in no refresh after that: Pulumi has forgotten the member's own, which stays", async () => {
    assert.equal(
      (await stack.urns()).some((urn) => urn.endsWith("::mallory/starter/deployment")),
      false,
    );
    const run = await stack.upFine("--refresh");
    assert.deepEqual(run.steps, []);
    assert.notEqual(await stack.sandbox.find("deployment", "starter", "mallory"), undefined);
  });

  it("have no file read that a member names, nor stop the runs after that, where they were there before the policy", async () => {
    const data = { [signatureKey]: "c44067f5952c0a294b673a41bacd8c17", path: "/dev/zero" };
    const patch = JSON.stringify({ data });
    await stack.beforePolicies("max", [
      "patch",
      "configmap",
      "starter-pages",
      "-n",
      "max",
      "--type=merge",
      "-p",
      patch,
    ]);
    for (const [flags, steps] of [
      [["--refresh"], ["delete kubernetes:core/v1:ConfigMap max/starter/pages"]],
      [["--refresh"], []],
      [[], []],
    ] as const) {
      assert.deepEqual((await stack.upFine(...flags)).steps, steps);
    }
    const { [signatureKey]: left } = Object(await stack.sandbox.find("configmap", "starter-pages", "max")).data;
    assert.equal(left, data[signatureKey]);
  });

  it("keep a Service out of the run, and nothing else", async () => {
    const made = (value: string | null) => ({ metadata: { annotations: { "kubecamp.dev/made": value } } });
    const ports = [{ name: unknowns[2], port: 80, targetPort: 8080 }];
    for (const [change, manager] of [
      [made(unknown)],
      [{ ...made(null), spec: { selector: { app: unknowns[1] } } }],
      [{ spec: { selector: { app: "mel" }, ports } }],
      [{ spec: { ports: [{ ...ports[0], name: "http" }] } }, unknowns[3]],
    ] as const) {
      await stack.sandbox.patch("service", "mel-svc", "mel", change, manager);
      const run = await stack.up();
      assert.equal(run.exitCode, 0, run.output);
      assert.match(run.output, /Service 'mel-svc' has a text that Pulumi takes for a mark/);
    }
    await stack.delete("service", "mel-svc", "mel");
    const run = await stack.up();
    assert.equal(run.exitCode, 0, run.output);
    assert.doesNotMatch(run.output, /\[pending\]/);
  });
});
