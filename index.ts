import { adopt } from "./cluster/adoption/adopt.ts";
import { Drift } from "./cluster/drift.ts";
import { inspectCluster } from "./cluster/inspect.ts";
import { deletionPlan } from "./cluster/offboarding/deletionPlan.ts";
import { readinessOf } from "./cluster/readiness.ts";
import { ClusterAccess } from "./components/clusterAccess.ts";
import { MemberEnvironment } from "./components/memberEnvironment.ts";
import { podsStopped } from "./components/podsStopped.ts";
import { clusterProvider } from "./components/provider.ts";
import { statusesOf } from "./components/status.ts";
import { memberWarnings, warn } from "./components/warnings.ts";
import { readAim } from "./config/aim.ts";
import { loadConfiguration } from "./config/load.ts";

const { settings, members: list } = loadConfiguration();
const aim = readAim(list, settings.stack);
const snapshot = await inspectCluster(list, aim, settings);

const provider = clusterProvider(settings);
const adoption = await adopt(aim.members, settings, snapshot);
const drift = new Drift(snapshot, adoption.takenOver);
const access = new ClusterAccess("access", { settings, drift }, { provider });

const environments = new Map<string, MemberEnvironment>();
for (const member of aim.members) {
  const routed = readinessOf(member, settings, snapshot).state === "ready";
  const args = { member, settings, access, routed, drift };
  environments.set(member.name, new MemberEnvironment(member.name, args, { provider }));
}
const stopped = podsStopped(aim.members, environments, settings, snapshot);
const statuses = statusesOf(list, aim, settings, snapshot);

/** Each member's namespace, state, and URL or reason. */
export const members = stopped.apply(() => statuses);
/** Members whose path is not open yet. */
export const pending = Object.keys(statuses).filter((name) => statuses[name]?.state === "pending");

const matters = memberWarnings(aim.members, statuses, settings, snapshot, adoption.takenOver);
const leaving = aim.isWhole ? deletionPlan(list, settings, snapshot) : undefined;
await warn([leaving, ...adoption.warnings, drift.warning, ...matters]);
