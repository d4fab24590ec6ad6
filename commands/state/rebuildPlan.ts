import { objectTitle } from "../../cluster/kinds/liveObject.ts";
import { counted, nameLines } from "../../cluster/kinds/nameList.ts";
import type { Configuration, Member } from "../../config/model/settings.ts";
import type { RemovedMember } from "../../plan/membership/offboarding/removedMembers.ts";
import type { LeftOnServer } from "./leftOnServer.ts";
import type { OwnObjects } from "./ownObjects.ts";

/** What a rebuild does, as it is printed with `-o json`. */
export interface RebuildPlan {
  readonly stack: string;
  /** UID of its kube-system. */
  readonly cluster: string;
  /** How many objects get into the state, what members share included. */
  readonly objects: number;
  readonly shared: number;
  /** Who is in the list and on the cluster, by name. */
  readonly members: readonly string[];
  /** Who is on the cluster and not in the list any more. */
  readonly leaving: readonly { readonly name: string; readonly protect: boolean; readonly objects: number }[];
  /** Who is in the list, as far as it is this stack's, and not on the cluster. */
  readonly missing: readonly string[];
  /** Objects of the stack that don't get into the state. */
  readonly leftOut: readonly { readonly object: string; readonly why: string }[];
  /** Names of buckets of the list: none gets into the state, and the next run knows those that are there by their tags. */
  readonly buckets: readonly string[];
  /** What the list has no more on the server of buckets, and the state has: names of buckets, and whose the keys are. */
  readonly leavingBuckets: readonly string[];
  readonly leavingKeys: readonly string[];
}

/**
 * @param list everybody's, of all shards: nobody of these leaves
 * @param removedMembers those of the snapshot; some may have nothing left that is not being deleted
 * @param server what the list has no more on the server of buckets
 * @param own whom the stack's next run makes. Default: the whole list
 */
export function rebuildPlan(
  { named, leftOut }: OwnObjects,
  list: readonly Member[],
  removedMembers: readonly Pick<RemovedMember, "name" | "protect">[],
  of: Pick<RebuildPlan, "stack" | "cluster" | "buckets">,
  server: LeftOnServer,
  own: readonly Member[] = list,
): RebuildPlan {
  const objects = Map.groupBy(named, ({ member }) => member);
  const listed = new Set(list.map(({ name }) => name));
  const isProtected = (name: string) => removedMembers.some((removed) => removed.name === name && removed.protect);
  const owners = [...objects.keys()].filter((name) => name !== undefined).sort();
  return {
    ...of,
    objects: named.length,
    shared: objects.get(undefined)?.length ?? 0,
    members: owners.filter((name) => listed.has(name)),
    leaving: owners
      .filter((name) => !listed.has(name))
      .map((name) => ({ name, protect: isProtected(name), objects: objects.get(name)?.length ?? 0 })),
    missing: own.flatMap(({ name }) => (objects.has(name) ? [] : [name])).sort(),
    leftOut: [...leftOut.map(({ live, why }) => ({ object: objectTitle(live), why })), ...server.leftOut],
    leavingBuckets: server.buckets.map(({ bucketName }) => bucketName).sort(),
    leavingKeys: server.users.map(({ member }) => member).sort(),
  };
}

/** Names of the list's buckets on the stack's server; what asks a driver of the cluster's for others, the next run takes over. */
export const bucketNames = ({
  settings,
  members,
}: Pick<Configuration, "settings"> & { readonly members: readonly Member[] }): string[] =>
  settings.storage?.kind === "s3"
    ? members.flatMap(({ buckets = [] }) => buckets.map(({ bucketName }) => bucketName)).sort()
    : [];

/** Objects that are named one by one: a namespace that is being deleted has a dozen. */
const mostLeftOut = 30;

/** The same for people. */
export function rebuildPlanText(plan: RebuildPlan, server: string): string {
  const { stack, objects, shared, members, leaving, missing, leftOut, buckets, leavingBuckets, leavingKeys } = plan;
  const group = (title: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`  ${title}:`, nameLines(names, "    ")];
  const isMany = (count: number, one: string, more: string) => (count === 1 ? one : more);
  return [
    `The state of stack '${stack}' is empty. On the cluster ${server} it has ${counted(objects, "object")}, ${shared} of which all members share:`,
    ...group(`${counted(members.length, "member")} of the list`, members),
    ...group(
      `${counted(leaving.length, "member")} no longer in the list, whom the next 'pulumi up' is to remove`,
      leaving.map(({ name, protect }) => (protect ? `${name} (protected)` : name)),
    ),
    ...group(
      `${counted(missing.length, "member")} of the list who ${isMany(missing.length, "is", "are")} not there, and whom the next 'pulumi up' makes`,
      missing,
    ),
    ...group(
      `left out, and known to the next 'pulumi up' by their tags, with new keys in new Secrets: ${counted(buckets.length, "bucket")}`,
      buckets,
    ),
    ...group(
      `${counted(leavingBuckets.length, "bucket")} no longer in the list, which the next 'pulumi up' closes, and deletes where their tags say Delete`,
      leavingBuckets,
    ),
    ...group(
      `keys to buckets that the next 'pulumi up' ends, of ${counted(leavingKeys.length, "member")}`,
      leavingKeys,
    ),
    ...(leftOut.length === 0 ? [] : ["  left out:"]),
    ...leftOut.slice(0, mostLeftOut).map(({ object, why }) => `    ${object} ${why}`),
    ...(leftOut.length > mostLeftOut ? [`    and ${leftOut.length - mostLeftOut} more, which -o json names`] : []),
    "A rebuild writes these objects into the state, and nothing to the cluster.",
  ].join("\n");
}
