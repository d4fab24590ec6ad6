import "./config/nodeSettings.ts";
import { clusterAccess } from "./components/clusterAccess.ts";
import { policyGate } from "./components/gate/gate.ts";
import { endAccess } from "./components/hooks/accessEnded.ts";
import { handPathsOver } from "./components/hooks/handedPaths.ts";
import { keepAsItStands } from "./components/hooks/ignoredChanges.ts";
import { podsStopped } from "./components/hooks/podsStopped.ts";
import { routeCheck } from "./components/hooks/routeCheck.ts";
import { openWaited } from "./components/hooks/waiting.ts";
import { memberEnvironments } from "./components/memberEnvironments.ts";
import { clusterProvider } from "./components/provider.ts";
import { stackStorage } from "./components/storage.ts";
import { readTarget } from "./config/model/target.ts";
import { loadConfiguration } from "./config/sources/load.ts";
import { Drift } from "./plan/compare/drift.ts";
import { leavingBucketsWarning } from "./plan/findings/leavingBuckets.ts";
import { pendingWarning, statusesOf } from "./plan/findings/status.ts";
import { runWarnings, warn } from "./plan/findings/warnings.ts";
import { inspectCluster } from "./plan/inspect.ts";
import { adopt, adopting } from "./plan/membership/adoption/adopt.ts";
import { endingMembers } from "./plan/membership/ending.ts";

const { settings, members: list } = loadConfiguration();
const { own, target, snapshot, state, gone } = await inspectCluster(list, readTarget(list, settings.stack), settings);

policyGate(own, settings, endingMembers(own, snapshot));
keepAsItStands(target.members, snapshot);
const provider = clusterProvider(settings);
const storage = stackStorage(settings, snapshot);
const adoption = await adopt(target.members, settings, snapshot, state);
const drift = new Drift(snapshot, adoption.takenOver, adopting(target.members));
await warn(runWarnings(list, target, { settings, snapshot, adoption }));

await endAccess(list, target, settings, snapshot);
const handovers = handPathsOver(list, target, settings, snapshot);
const access = await clusterAccess({ settings, drift: target.isWhole ? drift : Drift.none }, { provider });
const environments = await memberEnvironments(
  target.members,
  { settings, access, storage, check: routeCheck(target.members, settings), handovers, drift, snapshot, gone },
  { provider },
);
await warn([await leavingBucketsWarning(storage, { list, own, target, settings, snapshot })]);
const stopped = podsStopped(target.members, environments, settings, snapshot);

const { outcomes, late } = await openWaited(list, target, environments, settings, snapshot);
const statuses = statusesOf(own, target, settings, snapshot, outcomes);

/** Each member's namespace, state, and URL or reason. */
export const members = stopped.apply(() => statuses);
/** Members whose path is not open yet. */
export const pending = Object.keys(statuses).filter((name) => statuses[name]?.state === "pending");

await warn([drift.warning, pendingWarning(target.members, statuses, late)]);
