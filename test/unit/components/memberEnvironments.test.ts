import assert from "node:assert/strict";
import { ClusterAccess } from "../../../components/clusterAccess.ts";
import { memberEnvironments } from "../../../components/memberEnvironments.ts";
import { clusterProvider } from "../../../components/provider/provider.ts";
import { Drift } from "../../../plan/compare/drift.ts";
import { memberObjects } from "../../../plan/manifest/manifest.ts";
import { cluster } from "../cluster/leaving.ts";
import { planOf } from "../plan/planned.ts";
import { configuration } from "../samples.ts";
import { registeredBy } from "./recorded.ts";

describe("the environments of many", () => {
  it("are of the objects that the plan has, which are listed once", async () => {
    const list = [
      { member: "bob", type: "user" },
      { member: "lee", type: "user", starter: "kept" },
    ];
    const { settings, members } = configuration({ members: list });
    const plan = planOf(members, settings, cluster({ now: "2026-06-15T12:00:00.000Z" }));
    const registered = await registeredBy(async () => {
      const provider = clusterProvider(settings);
      const access = new ClusterAccess("access", { settings, drift: Drift.none }, { provider });
      await memberEnvironments(plan, { access, drift: Drift.none }, { provider });
    });
    for (const { facts, base, route, objects } of plan.members) {
      // Had the environment listed others, these would be listed once more.
      assert.equal(memberObjects(facts).base, base);
      assert.equal(memberObjects(facts).route, route);
      assert.notEqual(memberObjects({ ...facts, starterImage: "other" }).base, base);
      const names = registered.flatMap(({ type, name }) =>
        type.startsWith("kubernetes:") && name.startsWith(`${facts.member.name}/`)
          ? [name.split("/").slice(1).join("/")]
          : [],
      );
      assert.deepEqual(names.sort(), objects.map(({ part }) => part).sort());
    }
  });

  it("are registered some at a time, in the order of the list, and every one of them", async () => {
    const names = Array.from({ length: 70 }, (_, index) => `m${index}`);
    const { settings, members } = configuration({ members: names.map((member) => ({ member, type: "user" })) });
    const registered = await registeredBy(async () => {
      const provider = clusterProvider(settings);
      const drift = Drift.none;
      const access = new ClusterAccess("access", { settings, drift }, { provider });
      await memberEnvironments(planOf(members, settings, cluster()), { access, drift }, { provider });
    });
    const of = registered.map(({ name }) => name.split("/")[0] ?? "").filter((name) => names.includes(name));
    const resources = Map.groupBy(of, (name) => name);
    assert.deepEqual(new Set([...resources.values()].map(({ length }) => length)), new Set([9]));
    assert.deepEqual([...resources.keys()], names);
    const left = new Map([...resources].map(([name, all]) => [name, all.length]));
    const begun = new Set<string>();
    let most = 0;
    for (const name of of) {
      begun.add(name);
      left.set(name, (left.get(name) ?? 0) - 1);
      if (left.get(name) === 0) {
        begun.delete(name);
      }
      most = Math.max(most, begun.size);
    }
    assert.ok(most > 1 && most <= 64, `${most} at a time`);
  });
});
