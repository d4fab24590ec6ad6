import type { LeavingBucket } from "../../buckets/bucket/leaving.ts";
import { keyOf } from "../../cluster/kinds/objectName.ts";
import { doorKinds, keyKinds } from "../../cluster/kinds/stackKinds.ts";
import { urlsOf } from "../../cluster/read/hostPaths.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import { type Target, targetAll } from "../decisions/target.ts";
import { endingReason } from "../live/ending.ts";
import { routeStands } from "../live/openRoutes.ts";
import { onTheirWay, type RemovedMember } from "../live/removedMembers.ts";
import { isUnread } from "../live/unread.ts";
import type { Plan } from "../members/plan.ts";
import type { Finding } from "../words/finding.ts";
import type { HomeContents } from "../words/offboarding.ts";

/** Removed members of whom only a namespace is left that is being deleted: no run has anything more to do for them. */
export const notGone = ({
  snapshot,
  removedMembers,
}: Pick<Plan, "snapshot" | "removedMembers">): Finding<"notGone">[] =>
  removedMembers
    .filter(onTheirWay)
    .map((member) => ({ code: "notGone", member: member.name, facts: { reason: endingReason(member, snapshot) } }));

/** What remains in the next run is a killed one's, and would give access for ever unless somebody learns of it. */
export function leavingMembers(
  { list, snapshot, removedMembers }: Pick<Plan, "list" | "snapshot" | "removedMembers">,
  target: Pick<Target, "isWhole" | "removedMembers"> = targetAll(list),
): Finding<"leaving">[] {
  const leaving = removedMembers.filter(
    (removed) => !onTheirWay(removed) && (target.isWhole || target.removedMembers.includes(removed.name)),
  );
  const othersJoin = list.some(({ name }) => !snapshot.namespaces.has(name));
  return leaving.map((leaver) => ({
    code: "leaving",
    member: leaver.name,
    facts: { ...possessions(leaver, snapshot), othersJoin },
  }));
}

function possessions(leaver: RemovedMember, snapshot: ClusterSnapshot) {
  const isGone = leaver.namespace === "gone";
  const atHome = isGone ? [] : keyKinds.flatMap((kind) => within(leaver.name, snapshot.managedObjects, `${kind} `));
  const outside = leaver.outside.filter(({ kind }) => keyKinds.includes(kind));
  const bindings = outside.length + atHome.length;
  const uncounted = keyKinds.some((kind) => isUnread(kind, snapshot));
  return {
    home: isGone ? undefined : home(leaver, snapshot),
    ...routes(leaver, snapshot),
    bindings: uncounted ? undefined : bindings,
  };
}

/** Numbers are undefined if nobody could read the kind: there may be any number. */
function home({ name, namespace }: RemovedMember, snapshot: ClusterSnapshot): HomeContents {
  const { pods, claims } = snapshot.namespaceContents.get(name) ?? { pods: 0, claims: [] };
  return {
    isTerminating: namespace === "terminating",
    pods: isUnread("Pod", snapshot) ? undefined : pods,
    claims: isUnread("PersistentVolumeClaim", snapshot) ? undefined : claims,
    services: isUnread("Service", snapshot) ? undefined : within(name, snapshot.services),
  };
}

/** Routes are known by the door's addresses; a Service without a route remains beside a former ingress controller. */
function routes({ name, outside }: RemovedMember, { managedObjects, unread }: ClusterSnapshot) {
  const own = new Set(outside.map(keyOf));
  const isTheirs = (key: string) => own.has(key) || doorKinds.some((kind) => key.startsWith(`${kind} ${name}/`));
  const urls = [...managedObjects].flatMap(([key, managedObject]) => (isTheirs(key) ? urlsOf(managedObject) : []));
  const isUnseen = doorKinds.some((kind) => isUnread(kind, { unread }));
  return {
    routes: [...new Set(urls)],
    services: outside.filter(({ kind }) => kind === "Service").map(keyOf),
    isRouteUnseen: isUnseen && routeStands({ name }, { unread }),
  };
}

/** Names of a namespace's objects, from keys `namespace/name` after the prefix. */
function within(namespace: string, objects: ReadonlyMap<string, unknown>, prefix = ""): string[] {
  const start = `${prefix}${namespace}/`;
  return [...objects.keys()].filter((key) => key.startsWith(start)).map((key) => key.slice(start.length));
}

export interface BucketsRun {
  readonly plan: Pick<Plan, "list" | "members" | "removedMembers" | "settings">;
  readonly target: Target;
}

/** Undeclared buckets that this run covers: all shards of a family tag their buckets with the same stack. */
export function letGoOf(leaving: readonly LeavingBucket[], { plan, target }: BucketsRun) {
  const { settings } = plan;
  const listed = new Set(plan.list.map(({ name }) => name));
  const ours = new Set(plan.members.map(({ member }) => member.name));
  const gone = new Set(plan.removedMembers.map(({ name }) => name));
  const targeted = new Set([...target.members.map(({ name }) => name), ...target.removedMembers]);
  const isOurs = (name: string) =>
    listed.has(name) ? ours.has(name) : settings.shards === undefined || gone.has(name);
  return leaving.filter(({ member }) => (target.isWhole ? isOurs(member) : targeted.has(member)));
}

export function leavingFindings(leaving: readonly LeavingBucket[]): Finding<"buckets">[] {
  return leaving
    .toSorted((a, b) => (a.bucketName < b.bucketName ? -1 : 1))
    .map(({ member, bucketName, deletes }) => ({ code: "buckets", member, facts: { bucket: bucketName, deletes } }));
}
