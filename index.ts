import * as pulumi from "@pulumi/pulumi";
import { adopt } from "./cluster/adopt.ts";
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
const adoption = await adopt(list, settings, snapshot);
const drift = new Drift(snapshot, adoption.takenOver);
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

const plan = deletionPlan(list, settings, snapshot);
for (const warning of [plan, ...adoption.warnings, drift.warning, pendingWarning(members)]) {
  if (warning !== undefined) {
    await pulumi.log.warn(warning);
  }
}
