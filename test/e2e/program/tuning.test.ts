import assert from "node:assert/strict";
import { type Entry, useStack } from "./stack.ts";
import { touchedBy } from "./touched.ts";
import { apply, deploy, livingPods, until } from "./workloads.ts";

const kai: Entry = { member: "kai", type: "user" };
const quota = { step: "update kubernetes:core/v1:ResourceQuota kai/quota", object: "ResourceQuota kai/quota" };
const limits = { step: "update kubernetes:core/v1:LimitRange kai/limits", object: "LimitRange kai/default-limits" };

describe("tuning a member's limits", function () {
  this.timeout(180_000);
  const stack = useStack("tune");
  let tuned = kai;
  const inQuota = (level: string) =>
    stack.kubectl("get", "resourcequota", "quota", "-n", "kai", "-o", `jsonpath={.${level}.limits\\.cpu}`);

  before(async () => {
    await stack.configure([kai]);
    await stack.upFine();
  });

  for (const [change, objects] of [
    [{ maxCPUm: 1500 }, [quota]],
    [{ maxMemoryMiB: 1024 }, [quota]],
    [{ numOfPVCs: 4 }, [quota]],
    [{ defaultCPUm: 50 }, [limits]],
    [{ defaultMemoryMiB: 64 }, [limits]],
    // The cap of one claim is in the LimitRange, and times their number it is the quota's sum.
    [{ maxPVCSizeMiB: 500 }, [limits, quota]],
  ] as const) {
    const [key = ""] = Object.keys(change);
    it(`by ${key} touches ${objects.map(({ object }) => object).join(" and ")}, and nothing else`, async () => {
      tuned = { ...tuned, ...change };
      await stack.configure([tuned]);
      const touched = await touchedBy(stack, async () => {
        const { steps, output } = await stack.upFine();
        assert.deepEqual(
          [...steps].sort(),
          objects.map(({ step }) => step),
        );
        assert.doesNotMatch(output, /below what is used/);
      });
      assert.deepEqual(
        touched,
        objects.map(({ object }) => object),
      );
    });
  }

  it("below what is used warns with both numbers, in the preview and the up, and ends nothing", async () => {
    await deploy(stack, "kai", 2, { cpu: "200m", memory: "150Mi" });
    const claim = (name: string) => ({
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name, namespace: "kai" },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "100Mi" } } },
    });
    await apply(stack, claim("one"), claim("two"));
    await until(async () => (await inQuota("status.used")) === "400m");
    const running = await livingPods(stack, "kai");

    await stack.configure([{ ...kai, maxCPUm: 300, numOfPVCs: 1 }]);
    for (const run of [await stack.preview(), await stack.upFine()]) {
      const diagnostics = run.output.slice(run.output.indexOf("Diagnostics:"));
      assert.deepEqual(diagnostics.match(/\S.*below what is used.*/g), [
        "warning: kai: limits.cpu 300m is below what is used now, 400m; " +
          "what runs goes on, new pods are refused until it fits",
        "kai: persistentvolumeclaims 1 is below what is used now, 2; " +
          "what runs goes on, new PersistentVolumeClaims are refused until it fits",
      ]);
    }
    assert.equal(await inQuota("spec.hard"), "300m");
    assert.deepEqual(await livingPods(stack, "kai"), running);
  });

  it("warns until it fits", async () => {
    await stack.configure([{ ...kai, maxCPUm: 300 }]);
    await stack.upFine();
    assert.match((await stack.preview()).output, /kai: limits\.cpu 300m is below what is used now, 400m/);
    await stack.kubectl("scale", "deployment/web", "--replicas=1", "-n", "kai");
    await until(async () => (await inQuota("status.used")) === "200m");
    assert.doesNotMatch((await stack.preview()).output, /below what is used/);
  });
});
