import assert from "node:assert/strict";
import type { ClusterSnapshot } from "../../../../cluster/read/snapshot.ts";
import { ClusterAccess } from "../../../../components/clusterAccess.ts";
import { openWaited, timedOutMessage } from "../../../../components/hooks/waiting.ts";
import { memberEnvironments } from "../../../../components/memberEnvironments.ts";
import { clusterProvider } from "../../../../components/provider/provider.ts";
import { Drift } from "../../../../plan/live/drift.ts";
import { cluster, inhabitedBy } from "../../cluster/leaving.ts";
import { planOf } from "../../plan/planned.ts";
import { member, settings } from "../../samples.ts";
import { previewedBy } from "../recorded.ts";

const bob = member({ member: "bob", type: "user", route: { readiness: { mode: "wait" } } });
const reason = "no Service 'bob-svc' in namespace 'bob'";

describe("opening routes that are waited for", () => {
  const preview = async (snapshot: ClusterSnapshot, waits = true) => {
    let outcome: ReadonlyMap<string, unknown> = new Map();
    const registered = await previewedBy(async () => {
      const provider = clusterProvider(settings);
      const plan = planOf([bob], settings, snapshot);
      const drift = new Drift({ managedObjects: new Map() });
      const access = new ClusterAccess("access", { plan, drift }, { provider });
      const environments = await memberEnvironments(plan, { access, drift }, { provider });
      const target = { members: [bob], isWhole: true, removedMembers: [], waits };
      const { outcomes, late } = await openWaited(plan, target, environments);
      assert.deepEqual(late, new Set());
      outcome = outcomes;
    });
    const routes = registered.map(({ name }) => name).filter((name) => name.startsWith("bob/route/"));
    return { routes, outcome: Object.fromEntries(outcome) };
  };

  it("shows awaited routes in a preview as to be made, and how long the up will wait", async () => {
    assert.deepEqual(await preview(cluster()), {
      routes: ["bob/route/service", "bob/route/ingress"],
      outcome: { bob: { state: "pending", reason: `${reason} ('pulumi up' waits up to 300 s for it)` } },
    });
  });

  it("leaves awaited routes to the next run where this run takes something away", async () => {
    assert.deepEqual(await preview(inhabitedBy("bob", "zoe")), {
      routes: [],
      outcome: {
        bob: {
          state: "pending",
          reason: `${reason} (not waited for, since this run takes something away; the next one waits)`,
        },
      },
    });
  });

  it("awaits no route in a run of the watch, which sees a Service that comes later", async () => {
    assert.deepEqual(await preview(cluster(), false), { routes: [], outcome: {} });
  });

  it("says whose awaited Service did not come in time, by which settings, why, and what to do", () => {
    assert.equal(
      timedOutMessage({ member: bob, timeoutSeconds: 300, reason }, settings),
      "member 'bob': no Service 'bob-svc' in namespace 'bob', after 300 s (route.readiness.timeoutSeconds, mode: wait); " +
        "have them make it ('kubectl create service clusterip bob-svc --tcp=80:8080 -n bob') or correct it, then run again; " +
        "or set mode: gate, which waits for nobody",
    );
  });
});
