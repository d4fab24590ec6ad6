import { RunError, runtime } from "@pulumi/pulumi";
import { foundDomain } from "../cluster/read/clusterDomain.ts";
import { nothingRead } from "../cluster/read/nothingRead.ts";
import { reportProgress } from "../cluster/read/progress.ts";
import { readCluster } from "../cluster/read/read.ts";
import type { ClusterSnapshot } from "../cluster/read/snapshot.ts";
import type { Member, Settings } from "../config/model/settings.ts";
import { removes, type Target } from "../config/model/target.ts";
import { isOffline } from "../config/sources/offline.ts";
import { stackLabel } from "../naming/labels.ts";
import { unguarded } from "./compare/unguarded.ts";
import { LastState } from "./decisions/unread/lastState.ts";
import { endingOf, halfForgotten, isOursEnding, mayHaveBeen } from "./membership/ending.ts";
import {
  othersNamespaces,
  removalConflicts,
  unknownRemovedMembers,
} from "./membership/offboarding/removalConflicts.ts";
import { refusedRemovals } from "./membership/offboarding/removals.ts";
import { lostRoutes, obstacles, withoutRoute } from "./membership/ownership.ts";
import { knownElsewhere, mayBeKnownElsewhere, ownMembers, targetedElsewhere } from "./membership/shards.ts";
import { handedPaths } from "./routes/handedPaths.ts";

/** What a run goes by. */
export interface Inspected {
  /** Members of the list whom this stack has: all, unless the list is split over stacks. */
  readonly own: readonly Member[];
  /** Those of them whom the run is about. */
  readonly target: Target;
  readonly snapshot: ClusterSnapshot;
  readonly state: LastState;
  /** What of those whose namespace is being deleted is not there any more (`endingOf`). */
  readonly gone: ReadonlySet<string>;
}

/**
 * Reads the cluster and makes sure that the run may touch it. What stands in the way of somebody else than it is aimed at
 * doesn't stop it; how many leave is counted of all, whomever it removes. A preview goes on without what it can't look at, and
 * that is nothing at all where it is to do without a cluster.
 * @param list all members
 * @throws RunError naming everything that stands in the way, or why the cluster can't be read
 */
export async function inspectCluster(list: readonly Member[], target: Target, settings: Settings): Promise<Inspected> {
  const run = runtime.isDryRun() ? "preview" : "up";
  const isBlind = isOffline();
  const state = new LastState();
  const begin = (namespaces: ClusterSnapshot["namespaces"]) => {
    if (losable(list, target, settings, { namespaces }).length > 0) {
      state.begin();
    }
  };
  const [read, domain] = isBlind
    ? [nothingRead(), undefined]
    : await Promise.all([
        readCluster(list, settings, { notify: reportProgress }, run, begin),
        target.isWhole ? foundDomain(settings) : undefined,
      ]);
  const known = await asItStands({ ...read, domain }, state);
  const own = ownMembers(list, settings, known);
  const ours = new Set(own);
  const targeted = target.members.filter((member) => ours.has(member));
  const snapshot = { ...known, forgotten: await forgottenOf(targeted, settings, known, state) };
  const isAnyEnding =
    snapshot.forgotten.size > 0 || targeted.some((member) => isOursEnding(member, settings, snapshot));
  const ending = endingOf(targeted, settings, snapshot, isAnyEnding ? await state.names() : undefined);
  const members = targeted.filter((member) => !ending.leftOut.has(member));
  const inspected = { own, target: { ...target, members }, snapshot, state, gone: ending.gone };
  const found = isBlind
    ? []
    : [
        ...ending.refused,
        ...obstacles(inspected.target.members, settings, snapshot),
        ...(await routesLostToStrangers(inspected, settings)),
        ...handedPaths(list, inspected.target, settings, snapshot).obstacles,
        ...(removes(target) ? refusedRemovals(list, settings, snapshot) : []),
        ...(await lostToStrangers(list, inspected, settings)),
        ...(target.isWhole
          ? await lostToOthers(list, inspected, settings)
          : [
              ...targetedElsewhere(target.members, settings, snapshot),
              ...unguarded(inspected.target.members, settings, snapshot),
            ]),
      ];
  if (found.length > 0) {
    const lines = found.map((line) => `  ${line}`).join("\n");
    throw new RunError(
      `Stack '${settings.stack}' can't be brought up on this cluster; nothing has been touched.\n${lines}`,
    );
  }
  return inspected;
}

/**
 * Names of the namespaces that a run might delete, and that are not its stack's by now. Where there are any, Pulumi is asked for
 * what its state has, which takes a second of a big stack.
 */
const losable = (
  list: readonly Member[],
  target: Target,
  settings: Settings,
  snapshot: Pick<ClusterSnapshot, "namespaces">,
): string[] =>
  othersNamespaces(list, settings, snapshot).filter((name) => target.isWhole || target.removedMembers.includes(name));

/** Asks the state only where somebody may have lost their namespace: it takes a second of a big stack. */
async function forgottenOf(
  members: readonly Member[],
  settings: Settings,
  snapshot: ClusterSnapshot,
  state: LastState,
): Promise<ReadonlySet<string>> {
  const doubtful = mayHaveBeen(members, settings, snapshot);
  return doubtful.length === 0 ? new Set() : halfForgotten(doubtful, settings, snapshot, await state.names());
}

/** Pulumi would delete the namespaces that its state has, whose they ever are by now. */
async function lostToStrangers(
  list: readonly Member[],
  { target, snapshot, state }: Inspected,
  settings: Settings,
): Promise<string[]> {
  const others = losable(list, target, settings, snapshot);
  if (others.length === 0) {
    return [];
  }
  const known = await state.members();
  if (target.isWhole && known === undefined) {
    // A stranger's is there on every cluster, and hardly ever was a member's.
    const claimed = others.filter((name) => snapshot.namespaces.get(name)?.labels[stackLabel] !== undefined);
    return claimed.length === 0 ? [] : [unknownRemovedMembers(claimed, settings)];
  }
  // Who leaves in a run that is aimed at them, Pulumi does know.
  const leaving = others.filter((name) => !target.isWhole || known?.has(name));
  return removalConflicts(new Map(leaving.map((name) => [name, known?.get(name)])), list, settings, snapshot);
}

/** Pulumi would delete those whom another stack has by now, if this one's state has them still. */
async function lostToOthers(
  list: readonly Member[],
  { snapshot, state }: Inspected,
  settings: Settings,
): Promise<string[]> {
  const doubtful = mayBeKnownElsewhere(list, settings, snapshot);
  return doubtful.length === 0 ? [] : knownElsewhere(doubtful, settings, await state.names());
}

/** Likewise what stands where a route was that is to go. */
async function routesLostToStrangers({ target, snapshot, state }: Inspected, settings: Settings): Promise<string[]> {
  const doubtful = withoutRoute(target.members, settings, snapshot);
  return doubtful.length === 0 ? [] : lostRoutes(doubtful, settings, snapshot, await state.names());
}

/** With what Pulumi's state tells, if there is something that the cluster did not. */
async function asItStands({ unread, ...known }: ClusterSnapshot, state: LastState): Promise<ClusterSnapshot> {
  return unread === undefined ? known : { ...known, unread: { ...unread, last: await state.names() } };
}
