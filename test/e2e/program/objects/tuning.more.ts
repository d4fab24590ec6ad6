import assert from "node:assert/strict";
import type { V1ResourceQuota } from "@kubernetes/client-node";
import { assertSays, warningsOf } from "../inProcess.ts";
import { type Entry, type Run, useStack } from "../stack.ts";
import { touchedBy } from "../touched.ts";
import { deploy, livingPods, scale, until } from "../workloads.ts";

const kai: Entry = { member: "kai", type: "user" };
/** A setting of each member, and the objects that enforce it. */
const changes = [
  { member: "cpu", change: { maxCPUm: 1500 }, objects: ["ResourceQuota"] },
  { member: "memory", change: { maxMemoryMiB: 1024 }, objects: ["ResourceQuota"] },
  { member: "claims", change: { numOfPVCs: 4 }, objects: ["ResourceQuota"] },
  { member: "container-cpu", change: { defaultCPUm: 50 }, objects: ["LimitRange"] },
  { member: "container-memory", change: { defaultMemoryMiB: 64 }, objects: ["LimitRange"] },
  // The LimitRange has the limit of one claim, and the quota has that times the number of claims.
  { member: "claim", change: { maxPVCSizeMiB: 500 }, objects: ["LimitRange", "ResourceQuota"] },
] as const;
const steps = { ResourceQuota: "quota", LimitRange: "limits" };
const names = { ResourceQuota: "quota", LimitRange: "default-limits" };

describe("tuning a member's limits", () => {
  const stack = useStack("tune");
  const entries = changes.map(({ member }): Entry => ({ member, type: "user" }));
  const tuned = changes.map(({ member, change }): Entry => ({ member, type: "user", ...change }));
  let preview: string;
  let up: Run;
  let touched: readonly string[];
  let running: readonly string[];
  const quota = () => stack.sandbox.get<V1ResourceQuota>("resourcequota", "quota", "kai");
  const usedCpu = async () => (await quota()).status?.used?.["limits.cpu"];

  before(async () => {
    await stack.configure([kai, ...entries]);
    await stack.upFine();
    await deploy(stack, "kai", 2, { cpu: "200m", memory: "150Mi" });
    const claim = (name: string) => ({
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name, namespace: "kai" },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "100Mi" } } },
    });
    await stack.sandbox.apply(claim("one"), claim("two"));
    await until(async () => (await usedCpu()) === "400m");
    running = await livingPods(stack, "kai");
    await stack.configure([{ ...kai, maxCPUm: 300, numOfPVCs: 1 }, ...tuned]);
    preview = await warningsOf(stack);
    touched = await touchedBy(stack, async () => {
      up = await stack.upFine();
    });
  });

  for (const { member, change, objects } of changes) {
    const [key = ""] = Object.keys(change);
    it(`by ${key} touches the ${objects.join(" and the ")} of theirs, and nothing else`, () => {
      assert.deepEqual(
        up.steps.filter((step) => step.includes(` ${member}/`)).sort(),
        objects.map((kind) => `update kubernetes:core/v1:${kind} ${member}/${steps[kind]}`),
      );
      assert.deepEqual(
        touched.filter((name) => name.includes(` ${member}/`)),
        objects.map((kind) => `${kind} ${member}/${names[kind]}`),
      );
    });
  }

  it("touches nobody else's, nor what all share", () => {
    const expected = changes.flatMap(({ objects }) => objects).length;
    const ofKai = [up.steps, touched].map((names) => names.filter((name) => name.includes(" kai/")));
    assert.deepEqual(ofKai, [["update kubernetes:core/v1:ResourceQuota kai/quota"], ["ResourceQuota kai/quota"]]);
    assert.deepEqual([up.steps.length, touched.length], [expected + 1, expected + 1], `${up.steps}\n${touched}`);
  });

  it("below what is used warns with both numbers, in the preview and the up, and ends nothing", async () => {
    for (const text of [preview, up.output.slice(up.output.indexOf("Diagnostics:"))]) {
      // Of all members: the others' limits are above what they use.
      assert.deepEqual(
        text.match(/\S.*below what is used.*/g)?.map((line) => line.replace(/^(warning: )?(\[\w+\] )?/, "")),
        [
          "kai: limits.cpu 300m is below what is used now, 400m; " +
            "what runs goes on, new pods are refused until it fits",
          "kai: persistentvolumeclaims 1 is below what is used now, 2; " +
            "what runs goes on, new PersistentVolumeClaims are refused until it fits",
        ],
      );
    }
    assert.equal((await quota()).spec?.hard?.["limits.cpu"], "300m");
    assert.deepEqual(await livingPods(stack, "kai"), running);
  });

  it("warns until it fits", async () => {
    await stack.configure([{ ...kai, maxCPUm: 300 }, ...tuned]);
    assertSays(await warningsOf(stack), ["kai: limits.cpu 300m is below what is used now, 400m"]);
    await scale(stack, "kai", 1);
    await until(async () => (await usedCpu()) === "200m");
    assert.doesNotMatch(await warningsOf(stack), /below what is used/);
  });
});
