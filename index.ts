import "./config/nodeSettings.ts";
import { endAccess } from "./components/accessEnded.ts";
import { clusterAccess } from "./components/clusterAccess.ts";
import { policyGate } from "./components/gate/gate.ts";
import { handPathsOver } from "./components/handedPaths.ts";
import { keepAsItStands } from "./components/keptAsItStands.ts";
import { memberEnvironments } from "./components/memberEnvironments.ts";
import { podsStopped } from "./components/podsStopped.ts";
import { clusterProvider } from "./components/provider.ts";
import { routeCheck } from "./components/routeCheck.ts";
import { stackStorage } from "./components/storage.ts";
import { openWaited } from "./components/waiting.ts";
import { readAim } from "./config/model/aim.ts";
import { loadConfiguration } from "./config/sources/load.ts";
import { Drift } from "./plan/compare/drift.ts";
import { leavingBucketsWarning } from "./plan/findings/leavingBuckets.ts";
import { pendingWarning, statusesOf } from "./plan/findings/status.ts";
import { runWarnings, warn } from "./plan/findings/warnings.ts";
import { inspectCluster } from "./plan/inspect.ts";
import { adopt, adopting } from "./plan/membership/adoption/adopt.ts";
import { endingMembers } from "./plan/membership/ending.ts";

const { settings, members: list } = loadConfiguration();
const { own, aim, snapshot, state, gone } = await inspectCluster(list, readAim(list, settings.stack), settings);

policyGate(own, settings, endingMembers(own, snapshot));
keepAsItStands(aim.members, snapshot);
const provider = clusterProvider(settings);
const storage = stackStorage(settings, snapshot);
const adoption = await adopt(aim.members, settings, snapshot, state);
const drift = new Drift(snapshot, adoption.takenOver, adopting(aim.members));
await warn(runWarnings(list, aim, { settings, snapshot, adoption }));

await endAccess(list, aim, settings, snapshot);
const handovers = handPathsOver(list, aim, settings, snapshot);
const access = await clusterAccess({ settings, drift: aim.isWhole ? drift : Drift.none }, { provider });
const environments = await memberEnvironments(
  aim.members,
  { settings, access, storage, check: routeCheck(aim.members, settings), handovers, drift, snapshot, gone },
  { provider },
);
await warn([await leavingBucketsWarning(storage, { list, own, aim, settings, snapshot })]);
const stopped = podsStopped(aim.members, environments, settings, snapshot);

const { outcomes, late } = await openWaited(list, aim, environments, settings, snapshot);
const statuses = statusesOf(own, aim, settings, snapshot, outcomes);

/** Each member's namespace, state, and URL or reason. */
export const members = stopped.apply(() => statuses);
/** Members whose path is not open yet. */
export const pending = Object.keys(statuses).filter((name) => statuses[name]?.state === "pending");

await warn([drift.warning, pendingWarning(aim.members, statuses, late)]);
