import { objectTitle } from "../../cluster/kinds/liveObject.ts";
import { counted, nameLines } from "../../cluster/kinds/nameList.ts";
import type { Plan } from "../../plan/plan.ts";
import type { OrphansOnServer } from "./orphansOnServer.ts";
import type { OwnObjects } from "./ownObjects.ts";

/** The stack's plan, with members of all shards in its list, none of whom leaves. */
type StackPlan = Pick<Plan, "list" | "members" | "removedMembers" | "settings">;

/**
 * Text of what a rebuild writes into the state.
 * @param server leftovers on the server of buckets
 * @param at address of the API server
 */
export function rebuildText(
  { named, leftOut }: OwnObjects,
  { list, members, removedMembers, settings }: StackPlan,
  server: OrphansOnServer,
  at: string,
): string {
  const owners = [...new Set(named.flatMap(({ member }) => member ?? []))].sort();
  const own = members.map(({ member }) => member);
  const listed = new Set(list.map(({ name }) => name));
  const isProtected = (name: string) => removedMembers.some((removed) => removed.name === name && removed.protect);
  const leaving = owners.filter((name) => !listed.has(name));
  const missing = own.flatMap(({ name }) => (owners.includes(name) ? [] : [name])).sort();
  // A driver's buckets are objects on the cluster, which the next run takes over.
  const buckets = settings.storage?.kind === "s3" ? own.flatMap((member) => member.buckets ?? []) : [];
  const leavingBuckets = server.buckets.map(({ bucketName }) => bucketName).sort();
  const leavingKeys = server.users.map(({ member }) => member).sort();
  const group = (title: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`  ${title}:`, nameLines(names, "    ")];
  const here = owners.filter((name) => listed.has(name));
  const shared = named.filter(({ member }) => member === undefined).length;
  const left = [...leftOut.map(({ live, why }) => ({ object: objectTitle(live), why })), ...server.leftOut];
  return [
    `The state of stack '${settings.stack}' is empty. On the cluster ${at} it has ${counted(named.length, "object")}, ${shared} of which all members share:`,
    ...group(`${counted(here.length, "member")} of the list`, here),
    ...group(
      `${counted(leaving.length, "member")} no longer in the list; the next 'pulumi up' removes them`,
      leaving.map((name) => (isProtected(name) ? `${name} (protected)` : name)),
    ),
    ...group(
      `${counted(missing.length, "member")} of the list who ${missing.length === 1 ? "is" : "are"} not there; the next 'pulumi up' creates them`,
      missing,
    ),
    ...group(
      `left out, and known to the next 'pulumi up' by their tags, with new keys in new Secrets: ${counted(buckets.length, "bucket")}`,
      buckets.map(({ bucketName }) => bucketName).sort(),
    ),
    ...group(
      `${counted(leavingBuckets.length, "bucket")} no longer in the list, which the next 'pulumi up' closes, and deletes where their tags say Delete`,
      leavingBuckets,
    ),
    ...group(
      `keys to buckets that the next 'pulumi up' ends, of ${counted(leavingKeys.length, "member")}`,
      leavingKeys,
    ),
    ...(left.length === 0 ? [] : ["  left out:"]),
    ...left.map(({ object, why }) => `    ${object} ${why}`),
    "A rebuild writes these objects into the state. It changes nothing on the cluster.",
  ].join("\n");
}
