import assert from "node:assert/strict";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { refusalOf } from "../inProcess.ts";
import { otherKubeconfig } from "../kubeconfigs.ts";
import { linesBelow } from "../linesBelow.ts";
import { type Entry, useStack } from "../stack.ts";
import { touchedBy } from "../touched.ts";
import { makeNamespace } from "../workloads.ts";

/** Was there before, with a Service: an up takes it over and opens the path, and leaves annotations of another form. */
const bob: Entry = { member: "bob", type: "user", adopt: true };
/** Has a Service that kubecamp makes. */
const mia: Entry = { member: "mia", type: "guest-user", route: { readiness: { mode: "managed" } } };
/** Has none, so that no path is open. */
const pia: Entry = { member: "pia", type: "guest-user" };

/** A port where nobody listens. */
const dead = "https://127.0.0.1:2";

describe("a preview without a cluster", () => {
  const stack = useStack("offline");
  let env: Record<string, string>;

  before(async () => {
    const home = await mkdtemp(join(stack.folder, "home-"));
    env = { KUBECAMP_OFFLINE: "1", KUBECONFIG: "", HOME: home };
  });

  const offline = (args: readonly string[] = ["preview"], more: Record<string, string> = {}) =>
    stack.run(args, { ...env, ...more });

  it("of a stack that is nowhere yet creates everything, and says what it could not look at", async () => {
    await stack.configure([bob, mia, pia]);
    const { exitCode, output, steps } = await offline();
    assert.equal(exitCode, 0, output);
    assert.deepEqual(
      steps.filter((step) => !step.startsWith("create ")),
      [],
    );
    for (const name of ["bob/namespace", "mia/quota", "mia/service", "pia/binding/edit"]) {
      assert.ok(
        steps.some((step) => step.endsWith(` ${name}`)),
        name,
      );
    }
    assert.ok(output.includes("[offline] "), output);
    assert.match(output, /^ +ownership: .*stops a run$/m);
    assert.match(output, /^ +removals: .*maxRemovals and protect could not be checked/m);
    assert.match(output, /^ +adopt: /m);
  });

  it("is all that can be had without one: an up is refused before anything is touched", async () => {
    const touched = await touchedBy(stack, async () => {
      const refusal = await refusalOf(stack, false, { env: { KUBECAMP_OFFLINE: "1" } });
      assert.match(refusal, /KUBECAMP_OFFLINE is set, and this is no preview: .*Nothing was changed\./);
    });
    assert.deepEqual(touched, []);
  });

  it("shows no change where nothing has, whatever the live objects made of the last up", async () => {
    await makeNamespace(stack, "bob");
    await stack.sandbox.apply({
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "bob-svc", namespace: "bob" },
      spec: { selector: { app: "web" }, ports: [{ port: 80 }] },
    });
    await stack.upFine();
    const states = JSON.stringify(await stack.outputs());
    assert.match(states, /bob.*"ready".*mia.*"ready".*pia.*"pending"/);

    const unchanged = await offline(["preview", "--diff"]);
    assert.equal(unchanged.exitCode, 0, unchanged.output);
    assert.deepEqual(unchanged.steps, []);
    assert.match(unchanged.output, /not checked: offline/);
  });

  it("shows what the configuration calls for with a dead API server too", async () => {
    const zoe: Entry = { member: "zoe", type: "user" };
    await stack.configure([{ ...bob, maxCPUm: 700 }, { ...mia, route: false }, zoe]);
    const KUBECONFIG = await otherKubeconfig(stack, { server: dead });
    const { exitCode, output, steps } = await offline(["preview"], { KUBECONFIG });
    assert.equal(exitCode, 0, output);
    assert.deepEqual(
      steps.filter((step) => !/ (mia|zoe|pia)(\/|$)/.test(step)),
      ["update kubernetes:core/v1:ResourceQuota bob/quota"],
    );
    assert.deepEqual(
      steps.filter((step) => step.includes("/route/")),
      [
        "delete kubernetes:networking.k8s.io/v1:Ingress mia/route/ingress",
        "delete kubernetes:core/v1:Service mia/route/service",
      ],
    );
    const operations = (name: string) =>
      new Set(steps.filter((step) => step.includes(` ${name}/`)).map((step) => step.split(" ")[0]));
    assert.deepEqual([...operations("zoe")], ["create"]);
    assert.deepEqual([...operations("pia")], ["delete"]);
    assert.deepEqual(linesBelow("[closing] ", output), ["mia: route: false"]);
    assert.ok(!output.includes("[leaving] "), output);
  });
});
