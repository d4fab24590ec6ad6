import { firstOf } from "../../../cluster/kinds/nameList.ts";
import { keyOf } from "../../../cluster/read/snapshot/snapshot.ts";
import { providerArgs, providerVersion } from "../../../components/provider/providerArgs.ts";
import { logicalNameIn, memberOf } from "../../../naming/urns.ts";
import { type Classified, isRebound } from "../../../plan/compare/classify.ts";
import { isMissing } from "../../../plan/compare/missing.ts";
import { declaredResources } from "../../../plan/manifest/declaredResources.ts";
import type { ReadObject } from "../../../plan/manifest/row.ts";
import { ownedByOthers } from "../../../plan/membership/adoption/owners.ts";
import { endingMembers } from "../../../plan/membership/ending.ts";
import { onTheirWay } from "../../../plan/membership/offboarding/removedMembers.ts";
import { anotherCluster, obstacles } from "../../../plan/membership/ownership.ts";
import { unrecorded } from "../../../plan/membership/unrecorded.ts";
import type { Doing } from "../../../runs/checkpoints.ts";
import type { PendingOperation, StackRoot, StateResource } from "../../../runs/state/deployment.ts";
import { isSameAsText, isStorageSame } from "../storage.ts";
import { bucketResources } from "./bucketResources.ts";
import { type Changed, changesOf } from "./changes.ts";
import type { KnownState, Look } from "./knownState.ts";
import { resourcesOf } from "./resources.ts";
import { isReportedOtherwise, unsettled } from "./unsettled.ts";

/** Reason for a full run. */
interface Whole {
  readonly why: string;
  /** Whether the state is wrong about the cluster. */
  readonly refresh: boolean;
  /** Whether a targeted run would do other things for its members than a full one, until a full one has run. */
  readonly isBeforeAll: boolean;
}

/** Differences that a full run would correct. */
export interface Differences {
  /** Reasons for a full run, the most important first. */
  readonly wholes: readonly Whole[];
  /**
   * Names of members that a targeted run can correct, leaving ones included; true if that run has to refresh.
   */
  readonly members: ReadonlyMap<string, boolean>;
  /** Names of members with an update or deletion that was interrupted. */
  readonly interrupted: readonly string[];
}

/** Compares the declaration with the cluster and with the state. */
export function differencesOf(look: Look): Differences {
  const { snapshot, state } = look;
  if (state.root === undefined) {
    return { wholes: [before("it has had no up yet")], members: new Map(), interrupted: [] };
  }
  const { registered, ...registration } = registrationOf(look);
  const ending = endingMembers(membersOf(look), snapshot);
  const stays = ({ urn }: Changed) => ending.has(memberOf(urn) ?? "") && !urn.includes("/route/");
  const changes = registration.changes.filter((change) => !stays(change));
  const pending = pendingOf(state, new Set(registered.map(({ urn }) => urn)));
  const lost = registration.lost.filter((name = "") => !ending.has(name));
  const named: readonly (readonly [string | undefined, boolean])[] = [
    ...changes.map(({ urn }) => [memberOf(urn), false] as const),
    ...lost.map((name) => [name, true] as const),
    ...pending.map(({ resource }) => [memberOf(resource.urn), true] as const),
    ...unsettled(look).map((name) => [name, false] as const),
  ];
  const differing = new Map<string, boolean>();
  for (const [name, refresh] of named) {
    if (name !== undefined) {
      differing.set(name, refresh || differing.get(name) === true);
    }
  }
  const wholes = wholesOf(look, { changes, lost, pending }, differing);
  if (wholes.length + differing.size === 0 && isReportedOtherwise(look)) {
    wholes.push(after("the stack's outputs change"));
  }
  return { wholes, members: differing, interrupted: interruptedIn(pending) };
}

/**
 * A full run's work, as far as it matters if the run is killed.
 * @param names only these members' part; default: everybody's
 * @param refresh whether Pulumi looks first at what is there
 */
export function doingOf(look: Look, names?: readonly string[], refresh = false): Doing {
  const { state } = look;
  const { registered, lost, changes } = registrationOf(look);
  const now = new Set(registered.map(({ urn }) => urn));
  const isAbout = (urn: string) => names === undefined || names.includes(memberOf(urn) ?? "");
  const gone = state.resources.filter(
    ({ urn, delete: isPendingDeletion = false }) => isPendingDeletion || !now.has(urn),
  );
  const known = new Set(state.resources.map(({ urn }) => urn));
  const made = [...now].filter((urn) => !known.has(urn) && isAbout(urn));
  const changed = changes.flatMap(({ urn }) => (now.has(urn) && known.has(urn) && isAbout(urn) ? [urn] : []));
  return {
    makes: made.length,
    changes: changed.length,
    knows: known.size,
    needsCheckpoints:
      gone.some(({ urn }) => isAbout(urn)) ||
      [...made, ...changed].some((urn) => /kubecamp-buckets:|:objectstorage\.k8s\.io\/|:Secret::/.test(urn)) ||
      changed.some((urn) => /:core\/v1:(Service|ConfigMap)::/.test(urn)) ||
      // A refresh may find some gone, and have the run make them anew.
      (refresh && [...known].some((urn) => urn.includes("kubecamp-buckets:") && isAbout(urn))),
    isStale: pendingOf(state, now).length > 0 || lost.length > 0,
  };
}

/** What a killed run or a lost state has left on the stack's cluster, and nobody is to have. */
export const leftIn = (look: Look) =>
  anotherCluster(look.settings, look.snapshot) === undefined
    ? unrecorded(look, new Set(look.state.resources.map(({ urn }) => logicalNameIn(urn))))
    : [];

/** Resources of a full run, those of them that are lost, and differences from the state. */
interface Registration {
  readonly registered: readonly StateResource[];
  readonly changes: readonly Changed[];
  /** Names of members with a lost object; undefined for shared objects. */
  readonly lost: readonly (string | undefined)[];
}

/** Caches the answer for two callers: it takes half a second for a thousand members. */
const registrations = new WeakMap<Look, Registration>();

function registrationOf(look: Look): Registration {
  const found = registrations.get(look) ?? registrationIn(look);
  registrations.set(look, found);
  return found;
}

function registrationIn(look: Look): Registration {
  const { settings, snapshot, state } = look;
  const root = state.root ?? nowhere;
  const members = membersOf(look);
  const buckets = bucketResources(members, { settings, clusterId: snapshot.id }, root, state.resources);
  const registered = [...resourcesOf(declaredResources(look), root, buckets), ...buckets];
  return { registered, changes: changesOf(registered, state.resources), lost: lostOf(look) };
}

/** A state without a root has no other resources either. */
const nowhere: StackRoot = { stack: "", provider: { urn: "" } };

/**
 * Pending operations of a killed run that the next one can finish. Pulumi keeps pending creations for ever; if the
 * resource is no longer declared, such as a closed route, no run can finish it.
 */
function pendingOf({ pending, resources, root }: KnownState, declared: ReadonlySet<string>) {
  const known = new Set([...resources.map(({ urn }) => urn), root?.stack, root?.provider.urn]);
  return pending.filter(({ resource: { urn } }) => known.has(urn) || declared.has(urn));
}

/** Leaves out creations: Pulumi keeps those through any run, and other operations only until the next. */
function interruptedIn(pending: readonly PendingOperation[]): string[] {
  const others = pending.filter(({ type }) => type !== "creating");
  return [...new Set(others.flatMap(({ resource }) => memberOf(resource.urn) ?? []))].sort();
}

/**
 * Objects in the state that are gone from the cluster, or bound to another role there: only a refresh corrects the
 * state.
 */
function lostOf({ classified, members, state }: Look): Registration["lost"] {
  const isLost = (each: Classified<ReadObject>) =>
    isMissing(each, state.objects) || (isRebound(each) && state.objects.has(keyOf(each.object)));
  return [
    ...classified.filter(isLost).map(() => undefined),
    ...members.flatMap((plan) => plan.classified.filter(isLost).map(() => plan.member.name)),
  ];
}

const membersOf = ({ members }: Pick<Look, "members">) => members.map(({ member }) => member);

interface Found {
  readonly changes: readonly Changed[];
  readonly lost: Registration["lost"];
  readonly pending: readonly PendingOperation[];
}

function wholesOf(look: Look, { changes, lost, pending }: Found, members: ReadonlyMap<string, boolean>): Whole[] {
  const { list } = look;
  const shared = changes.filter(({ urn }) => memberOf(urn) === undefined);
  const sharedNames = firstOf(
    shared.map(({ urn }) => logicalNameIn(urn)),
    3,
  );
  const sharedLost = lost.includes(undefined);
  const isListed = new Set(list.map(({ name }) => name));
  const isOurs = new Set(look.members.map(({ member }) => member.name));
  const others = [...members.keys()].filter((name) => !isOurs.has(name)).sort();
  const moved = others.filter((name) => isListed.has(name));
  // A run can't target members that are not in the state; a full one reports them.
  const leaving = look.removedMembers
    .filter((removed) => !onTheirWay(removed) && !members.has(removed.name))
    .map(({ name }) => name);
  const left = leftIn(look).map(({ object }) => keyOf(object));
  const interrupted = pending.some(({ resource }) => memberOf(resource.urn) === undefined);
  return [
    ...when(!isProviderSame(look), before("the provider's settings differ")),
    ...storageWholes(look),
    ...when(interrupted, before("a run was interrupted in the shared objects", true)),
    ...when(
      shared.some(({ isDeclaredAnew }) => isDeclaredAnew),
      before(`shared objects differ (${sharedNames})`, sharedLost),
    ),
    ...when(
      leaving.length > 0,
      after(`${firstOf(leaving, 3)} ${leaving.length === 1 ? "leaves" : "leave"}, and Pulumi's state does not know it`),
    ),
    ...when(left.length > 0, after(`nobody is to have ${firstOf(left, 3)}, and Pulumi's state does not know it`)),
    ...when(moved.length > 0, after(`${firstOf(moved, 3)} ${moved.length === 1 ? "is" : "are"} in another stack now`)),
    // Without the policies that guard members, nobody gets access.
    ...when(sharedLost, before("shared objects were deleted by hand", true)),
    ...when(
      shared.some(({ urn }) => urn.includes("AdmissionPolicy")),
      before("the policies that guard members were changed by hand"),
    ),
    ...when(shared.length > 0, after("shared objects were changed by hand")),
    ...when(obstacles(look).length > 0, after("an object with the same name is in the way")),
    ...when(ownedByOthers({ ...look, members: [] }).length > 0, after("shared objects have another owner")),
  ];
}

const when = (is: boolean, whole: Whole): Whole[] => (is ? [whole] : []);
const before = (why: string, refresh = false): Whole => ({ why, refresh, isBeforeAll: true });
const after = (why: string): Whole => ({ why, refresh: false, isBeforeAll: false });

/**
 * A targeted run would keep using the old server too. If no server is set any more, buckets may still leave, so that
 * waits.
 */
function storageWholes(look: Look): Whole[] {
  if (isStorageSame(look)) {
    return [];
  }
  return look.settings.storage?.kind === "s3"
    ? [before("the settings of the server of buckets differ")]
    : [after("the server of buckets is not set any more")];
}

/** A targeted run keeps the state's provider, and could change another cluster than the settings name. */
function isProviderSame({ settings, state }: Look): boolean {
  const { __internal: _, version, ...known } = state.provider as Readonly<Record<string, unknown>>;
  return version === providerVersion && isSameAsText(known, providerArgs(settings));
}
