import { objectTitle } from "../../cluster/kinds/liveObject.ts";
import { counted, nameLines } from "../../cluster/kinds/nameList.ts";
import type { Member } from "../../config/model/members/member.ts";
import type { Configuration } from "../../config/model/settings/settings.ts";
import type { RemovedMember } from "../../plan/membership/offboarding/removedMembers.ts";
import type { OrphansOnServer } from "./orphansOnServer.ts";
import type { OwnObjects } from "./ownObjects.ts";

/** Effect of a rebuild; `-o json` prints it. */
interface RebuildPlan {
  readonly stack: string;
  /** UID of the namespace kube-system. */
  readonly cluster: string;
  /** Number of objects that get into the state, including shared ones. */
  readonly objects: number;
  readonly shared: number;
  /** Members on the list and on the cluster, by name. */
  readonly members: readonly string[];
  /** Members on the cluster who are no longer on the list. */
  readonly leaving: readonly { readonly name: string; readonly protect: boolean; readonly objects: number }[];
  /** Members of this stack's list who are not on the cluster. */
  readonly missing: readonly string[];
  /** Objects of the stack that are left out of the state. */
  readonly leftOut: readonly { readonly object: string; readonly why: string }[];
  /** Names of buckets on the list. None gets into the state; the next run recognizes existing ones by their tags. */
  readonly buckets: readonly string[];
  /** Names of buckets, and members with keys, that are no longer on the list and get into the state. */
  readonly leavingBuckets: readonly string[];
  readonly leavingKeys: readonly string[];
}

/**
 * @param list members of all shards; none of these leaves
 * @param removedMembers from the snapshot; some may only have objects that are being deleted
 * @param server leftovers on the server of buckets
 * @param own members of this stack's next run. Default: the whole list
 */
export function rebuildPlan(
  { named, leftOut }: OwnObjects,
  list: readonly Member[],
  removedMembers: readonly Pick<RemovedMember, "name" | "protect">[],
  of: Pick<RebuildPlan, "stack" | "cluster" | "buckets">,
  server: OrphansOnServer,
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

/**
 * Names of the list's buckets on the stack's server. A driver's are objects on the cluster, which the next run takes
 * over.
 */
export const bucketNames = ({
  settings,
  members,
}: Pick<Configuration, "settings"> & { readonly members: readonly Member[] }): string[] =>
  settings.storage?.kind === "s3"
    ? members.flatMap(({ buckets = [] }) => buckets.map(({ bucketName }) => bucketName)).sort()
    : [];

/** Objects that are named one by one: a namespace that is being deleted has a dozen. */
const mostLeftOut = 30;

/** Text of a rebuild's plan. */
export function rebuildPlanText(plan: RebuildPlan, server: string): string {
  const { stack, objects, shared, members, leaving, missing, leftOut, buckets, leavingBuckets, leavingKeys } = plan;
  const group = (title: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`  ${title}:`, nameLines(names, "    ")];
  const isMany = (count: number, one: string, more: string) => (count === 1 ? one : more);
  return [
    `The state of stack '${stack}' is empty. On the cluster ${server} it has ${counted(objects, "object")}, ${shared} of which all members share:`,
    ...group(`${counted(members.length, "member")} of the list`, members),
    ...group(
      `${counted(leaving.length, "member")} no longer in the list; the next 'pulumi up' removes them`,
      leaving.map(({ name, protect }) => (protect ? `${name} (protected)` : name)),
    ),
    ...group(
      `${counted(missing.length, "member")} of the list who ${isMany(missing.length, "is", "are")} not there; the next 'pulumi up' creates them`,
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
    "A rebuild writes these objects into the state. It changes nothing on the cluster.",
  ].join("\n");
}
