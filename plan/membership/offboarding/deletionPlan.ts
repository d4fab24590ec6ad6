import { counted, firstOf } from "../../../cluster/kinds/nameList.ts";
import { doorKinds, keyKinds } from "../../../cluster/kinds/stackKinds.ts";
import { urlsOf } from "../../../cluster/read/hostPaths.ts";
import { type ClusterSnapshot, keyOf, type NamespaceContents } from "../../../cluster/read/snapshot.ts";
import { type Target, targetAll } from "../../../config/model/target.ts";
import { isUnread } from "../../decisions/unread/unread.ts";
import type { Finding } from "../../messages/catalogue.ts";
import type { Plan } from "../../plan.ts";
import { routeStands } from "../../routes/openRoutes.ts";
import type { RemovedMember } from "./removedMembers.ts";

/** Leavers who are told of one by one, and names within a line: a comment on a pull request holds so many. */
const most = { removedMembers: 20, objects: 5 };

const code = "leaving" as const;

/**
 * Says of all who leave what `pulumi up` deletes. Pulumi deletes what its state knows; who is still
 * there in the next run was made by a run that was killed before its state knew, and would keep their access for ever
 * if nobody were told.
 */
export function leavingMembers(
  { list, snapshot, removedMembers }: Plan,
  target: Pick<Target, "isWhole" | "removedMembers"> = targetAll(list),
): Finding[] {
  const leaving = removedMembers.filter(({ name }) => target.isWhole || target.removedMembers.includes(name));
  if (leaving.length === 0) {
    return [];
  }
  const further = leaving.slice(most.removedMembers);
  const joins = list.some(({ name }) => !snapshot.namespaces.has(name));
  const each = leaving.slice(0, most.removedMembers);
  return [
    ...each.map((leaver) => ({ code, member: leaver.name, text: possessions(leaver, snapshot) })),
    ...(further.length > 0 ? [sum(further, snapshot)] : []),
    ...(joins ? [{ code, text: "Nothing moves over to a new name: who was renamed loses it as well." }] : []),
  ];
}

/** The namespace with what is lost in it, the route, the access; what there is of them. */
function possessions(leaver: RemovedMember, snapshot: ClusterSnapshot): string {
  const isGone = leaver.namespace === "gone";
  const atHome = isGone ? [] : keyKinds.flatMap((kind) => within(leaver.name, snapshot.managedObjects, `${kind} `));
  const outside = leaver.outside.filter(({ kind }) => keyKinds.includes(kind));
  const bindings = outside.length + atHome.length;
  const uncounted = keyKinds.some((kind) => isUnread(kind, snapshot));
  const access = uncounted ? ["access (bindings not counted)"] : [`access (${counted(bindings, "binding")})`];
  return [
    ...(isGone ? [] : [home(leaver, snapshot)]),
    ...routes(leaver, snapshot),
    ...(bindings === 0 && !uncounted ? [] : access),
  ].join("; ");
}

function home({ name, namespace }: RemovedMember, snapshot: ClusterSnapshot): string {
  const { pods, claims } = namespaceContentsOf(name, snapshot);
  const services = within(name, snapshot.services);
  const contents = [
    countedPods(pods, snapshot),
    countedClaims(claims.length, snapshot) + listed(claims.map(({ name, storage }) => `${name} ${storage}`)),
    ...(isUnread("Service", snapshot) ? ["an unknown number of Services"] : []),
    ...(services.length === 0 ? [] : [counted(services.length, "Service") + listed(services)]),
  ];
  return `namespace${namespace === "terminating" ? ", which is being deleted already," : ""} with ${contents.join(", ")}`;
}

/** By the address, which the door has; a Service without one is left where the ingress controller was before. */
function routes({ name, outside }: RemovedMember, { managedObjects, unread }: ClusterSnapshot): string[] {
  const own = new Set(outside.map(keyOf));
  const isTheirs = (key: string) => own.has(key) || doorKinds.some((kind) => key.startsWith(`${kind} ${name}/`));
  const urls = [...managedObjects].flatMap(([key, managedObject]) => (isTheirs(key) ? urlsOf(managedObject) : []));
  const services = outside.filter(({ kind }) => kind === "Service");
  const what = [...new Set(urls)].join(", ") || services.map(keyOf).join(", ");
  const isUnseen = doorKinds.some((kind) => isUnread(kind, { unread }));
  const other = isUnseen && routeStands({ name }, { unread }) ? ["route (not looked at)"] : [];
  return what === "" ? other : [`route ${what}`];
}

/** Names of the objects in a namespace, of those that are keyed by `namespace/name` after the prefix. */
function within(namespace: string, objects: ReadonlyMap<string, unknown>, prefix = ""): string[] {
  const start = `${prefix}${namespace}/`;
  return [...objects.keys()].filter((key) => key.startsWith(start)).map((key) => key.slice(start.length));
}

function namespaceContentsOf(name: string, { namespaceContents }: ClusterSnapshot): NamespaceContents {
  return namespaceContents.get(name) ?? { pods: 0, claims: [] };
}

/** Of what nobody could look at there may be any number, and not none. */
const countedPods = (count: number, snapshot: ClusterSnapshot) =>
  isUnread("Pod", snapshot) ? "an unknown number of unfinished pods" : counted(count, "unfinished pod");
const countedClaims = (count: number, snapshot: ClusterSnapshot) =>
  isUnread("PersistentVolumeClaim", snapshot)
    ? "an unknown number of PersistentVolumeClaims"
    : counted(count, "PersistentVolumeClaim");

function listed(texts: readonly string[]): string {
  return texts.length === 0 ? "" : ` (${firstOf(texts, most.objects)})`;
}

function sum(leaving: readonly RemovedMember[], snapshot: ClusterSnapshot): Finding {
  const all = leaving.map(({ name }) => namespaceContentsOf(name, snapshot));
  const pods = all.reduce((total, { pods }) => total + pods, 0);
  const claims = all.reduce((total, { claims }) => total + claims.length, 0);
  const text = `with ${countedPods(pods, snapshot)} and ${countedClaims(claims, snapshot)}`;
  return { code, members: leaving.map(({ name }) => name), text };
}

/** Also where the ingress controller was before: a Service there would be named for ever. */
