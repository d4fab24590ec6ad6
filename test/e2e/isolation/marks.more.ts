import assert from "node:assert/strict";
import { signatureKey, unknown, unknowns } from "../../../config/names/pulumiMarks.ts";
import { kubecamp } from "../commands/kubecamp.ts";
import { type Entry, useStack } from "../program/stack.ts";
import { until } from "../program/workloads.ts";

const app: Entry = { member: "mallory", type: "user", starter: "once" };
const pages: Entry = { member: "max", type: "user", starter: "once" };
/** Each of them has another text in their Service. */
const services: readonly Entry[] = ["mel", "mia", "mog", "may"].map((member) => ({ member, type: "user" }));
const leaver: Entry = { member: "lea", type: "user" };
const settings = { images: ["*"], route: { host: "camp.test", readiness: { mode: "managed" } } };

/** A member may write any text into what is theirs, also those that Pulumi's protocol gives a meaning of their own. */
describe("texts that Pulumi takes for marks of its own", () => {
  const stack = useStack("marks");
  const up = (...args: string[]) =>
    kubecamp(["up", "--stack", stack.name, "--folder", stack.folder, ...args], { env: stack.sandbox.env });

  before(async () => {
    await stack.makeProject();
    await stack.configure([app, pages, ...services, leaver], settings);
    await stack.upFine();
  });

  it("lets a run remove a member without a refresh where another's app has a mark of Pulumi's", async () => {
    const container = { name: "starter", image: "mine", env: [{ name: "A", value: unknown }] };
    await stack.sandbox.patch("deployment", "starter", "mallory", {
      spec: { template: { spec: { containers: [container] } } },
    });
    const refreshed = await stack.up("--refresh");
    assert.notEqual(refreshed.exitCode, 0, "Pulumi reads it by now: this fallback is for nothing");
    await stack.configure([app, pages, ...services], settings);
    const { exitCode, stdout, stderr } = await up("--refresh", "--all");
    assert.equal(exitCode, 0, `${stdout}\n${stderr}`);
    assert.match(
      `${stdout}\n${stderr}`,
      /could not refresh.*\n +mallory\/starter\/deployment: unexpected unknown property/,
    );
    await until(async () => (await stack.sandbox.find("namespace", "lea")) === undefined);
  });

  it("forgets a starter app with a mark of Pulumi's, and leaves it in the cluster", async () => {
    assert.equal(
      (await stack.urns()).some((urn) => urn.endsWith("::mallory/starter/deployment")),
      false,
    );
    // The next test's runs refresh, and say that they do nothing about it.
    assert.notEqual(await stack.sandbox.find("deployment", "starter", "mallory"), undefined);
  });

  it("reads no file that a member names in a ConfigMap from before the policy", async () => {
    const data = { [signatureKey]: "c44067f5952c0a294b673a41bacd8c17", path: "/dev/zero" };
    const patch = ["--type=merge", "-p", JSON.stringify({ data })];
    await stack.beforePolicies("max", ["patch", "configmap", "starter-pages", "-n", "max", ...patch]);
    for (const [flags, steps] of [
      [["--refresh"], ["delete kubernetes:core/v1:ConfigMap max/starter/pages"]],
      [["--refresh"], []],
    ] as const) {
      assert.deepEqual((await stack.upFine(...flags)).steps, steps);
    }
    assert.notEqual(await stack.sandbox.find("deployment", "starter", "mallory"), undefined);
    const { [signatureKey]: left } = Object(await stack.sandbox.find("configmap", "starter-pages", "max")).data;
    assert.equal(left, data[signatureKey]);
  });

  it("leaves a Service with a mark of Pulumi's out of the run, and nothing else", async () => {
    const made = (value: string | null) => ({ metadata: { annotations: { "kubecamp.dev/made": value } } });
    const ports = [{ name: unknowns[2], port: 80, targetPort: 8080 }];
    const changes: readonly (readonly [change: object, manager?: string | undefined])[] = [
      [made(unknown)],
      [{ ...made(null), spec: { selector: { app: unknowns[1] } } }],
      [{ ...made(null), spec: { ports } }],
      [{ ...made(null), spec: { ports: [{ ...ports[0], name: "web" }] } }, unknowns[3]],
    ];
    const stepsOf = (operation: string) =>
      services
        .flatMap(({ member }) => [
          `${operation} kubernetes:core/v1:Service ${member}/service`,
          `${operation} kubernetes:core/v1:Service ${member}/route/service`,
          `${operation} kubernetes:networking.k8s.io/v1:Ingress ${member}/route/ingress`,
        ])
        .sort();
    for (const [at, { member }] of services.entries()) {
      await stack.sandbox.patch("service", `${member}-svc`, member, ...(changes[at] ?? assert.fail()));
    }
    const run = await stack.upFine();
    for (const { member } of services) {
      assert.match(run.output, new RegExp(`Service '${member}-svc' has a text that Pulumi takes for a mark`));
    }
    // Nothing of the file's either, after the refresh.
    assert.deepEqual(run.steps.toSorted(), stepsOf("delete"));
    for (const { member } of services) {
      await stack.delete("service", `${member}-svc`, member);
    }
    const next = await stack.upFine();
    assert.deepEqual(next.steps.toSorted(), stepsOf("create"));
    assert.doesNotMatch(next.output, /routes? (is|are) pending/);
  });
});
