import * as pulumi from "@pulumi/pulumi";
import { deletionPlan } from "./cluster/deletionPlan.ts";
import { Drift } from "./cluster/drift.ts";
import { inspectCluster } from "./cluster/inspect.ts";
import { readinessOf } from "./cluster/readiness.ts";
import { ClusterAccess } from "./components/clusterAccess.ts";
import { MemberEnvironment } from "./components/memberEnvironment.ts";
import { clusterProvider } from "./components/provider.ts";
import { pendingWarning, statusOf } from "./components/status.ts";
import { loadConfiguration } from "./config/load.ts";

const { settings, members: list } = loadConfiguration();
const snapshot = await inspectCluster(list, settings);

const provider = clusterProvider(settings);
const drift = new Drift(snapshot);
const access = new ClusterAccess("access", { settings, drift }, { provider });

const statuses = list.map((member) => {
  const readiness = readinessOf(member, snapshot);
  const routed = readiness.state === "ready";
  new MemberEnvironment(member.name, { member, settings, access, routed, drift }, { provider });
  return [member.name, statusOf(member, readiness)] as const;
});

/** Each member's namespace, state, and URL or reason. */
export const members = Object.fromEntries(statuses);
/** Members whose path is not open yet. */
export const pending = statuses.filter(([, { state }]) => state === "pending").map(([name]) => name);

for (const warning of [deletionPlan(list, settings, snapshot), drift.warning, pendingWarning(members)]) {
  if (warning !== undefined) {
    await pulumi.log.warn(warning);
  }
}
