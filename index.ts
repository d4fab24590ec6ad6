import { adopt } from "./cluster/adoption/adopt.ts";
import { Drift } from "./cluster/drift.ts";
import { inspectCluster } from "./cluster/inspect.ts";
import { deletionPlan } from "./cluster/offboarding/deletionPlan.ts";
import { readinessOf } from "./cluster/readiness.ts";
import { ClusterAccess } from "./components/clusterAccess.ts";
import { MemberEnvironment } from "./components/memberEnvironment.ts";
import { podsStopped } from "./components/podsStopped.ts";
import { clusterProvider } from "./components/provider.ts";
import { type MemberStatus, statusOf } from "./components/status.ts";
import { memberWarnings, warn } from "./components/warnings.ts";
import { loadConfiguration } from "./config/load.ts";

const { settings, members: list } = loadConfiguration();
const snapshot = await inspectCluster(list, settings);

const provider = clusterProvider(settings);
const adoption = await adopt(list, settings, snapshot);
const drift = new Drift(snapshot, adoption.takenOver);
const access = new ClusterAccess("access", { settings, drift }, { provider });

const environments = new Map<string, MemberEnvironment>();
const statuses: Record<string, MemberStatus> = {};
for (const member of list) {
  const readiness = readinessOf(member, settings, snapshot);
  const args = { member, settings, access, routed: readiness.state === "ready", drift };
  environments.set(member.name, new MemberEnvironment(member.name, args, { provider }));
  statuses[member.name] = statusOf(member, readiness);
}
const stopped = podsStopped(list, environments, settings, snapshot);

/** Each member's namespace, state, and URL or reason. */
export const members = stopped.apply(() => statuses);
/** Members whose path is not open yet. */
export const pending = Object.keys(statuses).filter((name) => statuses[name]?.state === "pending");

const matters = memberWarnings(list, statuses, settings, snapshot, adoption.takenOver);
await warn([deletionPlan(list, settings, snapshot), ...adoption.warnings, drift.warning, ...matters]);
