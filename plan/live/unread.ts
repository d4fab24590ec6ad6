import { type Kind, kindEntry } from "../../cluster/kinds/kinds.ts";
import type { ObjectName } from "../../cluster/kinds/objectName.ts";
import { type ClusterSnapshot, liveOf, type Unread } from "../../cluster/read/snapshot.ts";
import type { Member } from "../../config/member/member.ts";
import { logicalNames } from "../../config/names/logicalNames.ts";

type Live = { readonly unread?: Unread | undefined };

export const isUnread = (kind: Kind, { unread }: Live): boolean => unread?.kinds.has(kind) ?? false;

export const isAbsent = (
  object: ObjectName,
  snapshot: Pick<ClusterSnapshot, "managedObjects" | "unread"> & Partial<Pick<ClusterSnapshot, "services">>,
): boolean => liveOf(object, snapshot) === undefined && !isUnread(object.kind, snapshot);

export const uncheckedReason = ({ unread }: Live, kind: Kind): string =>
  unread?.offline ? "not checked: offline" : `not checked: this identity may not read ${kindEntry(kind).plural}`;

/** Whether Pulumi's state has a member's namespace: not for a new member. True if the state is unknown. */
export function namespaceStands(member: Pick<Member, "name">, { unread }: Live): boolean {
  return unread?.last?.has(logicalNames.namespace(member)) ?? true;
}

/** Whether Pulumi's state has the Service that kubecamp makes for a member, or will with a new member; true if unknown. */
export function serviceStands(member: Pick<Member, "name">, { unread }: Live): boolean {
  return (unread?.last?.has(logicalNames.service(member)) ?? true) || !namespaceStands(member, { unread });
}

const fillIn = "access/admission/mutating/fill-in";
const holding = ["pools", "runtimes", "users"].map((policy) => `access/admission/${policy}`);

/** If no cluster was asked, it can fill in what pods leave out unless the last run found that it can't. */
export function mutatesAsLast(
  { mutates }: Pick<ClusterSnapshot, "mutates">,
  unread: Unread | undefined,
): boolean | undefined {
  if (unread?.offline !== true) {
    return mutates;
  }
  const { last } = unread;
  return last === undefined || last.has(fillIn) || !holding.some((name) => last.has(name));
}
