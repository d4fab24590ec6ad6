import { type Kind, kinds } from "../../../cluster/kinds/kinds.ts";
import type { Unread } from "../../../cluster/read/snapshot.ts";
import type { Member } from "../../../config/model/settings.ts";
import { logicalNames, routeParts } from "../../../naming/logicalNames.ts";

/** As a snapshot has it. */
type Live = { readonly unread?: Unread | undefined };

/** Whether nothing is known of a kind. */
export const isUnread = (kind: Kind, { unread }: Live): boolean => unread?.kinds.has(kind) ?? false;

/** Why it is not, for a member's status. */
export const uncheckedReason = ({ unread }: Live, kind: Kind): string =>
  unread?.offline ? "not checked: offline" : `not checked: this identity may not read ${kinds[kind].plural}`;

/**
 * Whether a member's route is open as far as Pulumi's state tells. Where it does not, it is: a preview would claim that
 * an open route is closed otherwise, and that is worse than to show one that opens later.
 */
export function routeStands(member: Pick<Member, "name">, { unread }: Live): boolean {
  const { last } = unread ?? {};
  return last === undefined || routeParts.some((part) => last.has(logicalNames.route(member, part)));
}

/** Whether Pulumi's state has a member's namespace; not that of one who is only to join. */
export function namespaceStands(member: Pick<Member, "name">, { unread }: Live): boolean {
  return unread?.last?.has(logicalNames.namespace(member)) ?? true;
}

/** Whether Pulumi's state has the Service that kubecamp makes for a member, or is to get it with the member. */
export function serviceStands(member: Pick<Member, "name">, { unread }: Live): boolean {
  return (unread?.last?.has(logicalNames.service(member)) ?? true) || !namespaceStands(member, { unread });
}
