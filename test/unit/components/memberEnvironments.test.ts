import assert from "node:assert/strict";
import { ClusterAccess } from "../../../components/clusterAccess.ts";
import { memberEnvironments } from "../../../components/memberEnvironments.ts";
import { clusterProvider } from "../../../components/provider/provider.ts";
import { Drift } from "../../../plan/live/drift.ts";
import { cluster } from "../cluster/leaving.ts";
import { planOf } from "../plan/planned.ts";
import { configuration } from "../samples.ts";
import { registeredBy } from "./recorded.ts";

describe("the environments of many", () => {
  it("makes the environments of many from the plan's objects", async () => {
    const list = [
      { member: "bob", type: "user" },
      { member: "lee", type: "user", starter: "kept" },
    ];
    const { settings, members } = configuration({ members: list });
    const plan = planOf(members, settings, cluster({ now: "2026-06-15T12:00:00.000Z" }));
    const registered = await registeredBy(async () => {
      const provider = clusterProvider(settings);
      const access = new ClusterAccess("access", { plan, drift: Drift.none }, { provider });
      await memberEnvironments(plan, { access, drift: Drift.none }, { provider });
    });
    for (const { member, objects } of plan.members) {
      const names = registered.flatMap(({ type, name }) =>
        type.startsWith("kubernetes:") && name.startsWith(`${member.name}/`)
          ? [name.split("/").slice(1).join("/")]
          : [],
      );
      assert.deepEqual(names.sort(), objects.map(({ part }) => part).sort());
    }
  });
});
