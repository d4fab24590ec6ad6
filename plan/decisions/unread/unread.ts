import { type Kind, kinds } from "../../../cluster/kinds/kinds.ts";
import type { Member } from "../../../config/model/settings.ts";
import { logicalNames } from "../../../naming/logicalNames.ts";

/**
 * What a preview could not look at. Of that nothing may be said: neither that something is there, nor that it is absent,
 * so that whatever depends on it stays as it stands.
 */
export interface Unread {
  /** Whether the cluster was not asked at all (`KUBECAMP_OFFLINE`); else it refused to tell some of it. */
  readonly offline: boolean;
  /** Kinds of which nothing is known, each with the API server's words if it refused to tell. */
  readonly kinds: ReadonlyMap<Kind, string>;
  /** Logical names of what Pulumi's state has, by which things stand; undefined where it could not be told. */
  readonly last?: ReadonlySet<string> | undefined;
}

/** As a snapshot has it. */
type Live = { readonly unread?: Unread | undefined };

/** Whether nothing is known of a kind. */
export const isUnread = (kind: Kind, { unread }: Live): boolean => unread?.kinds.has(kind) ?? false;

/** Why it is not, for a member's status. */
export const uncheckedReason = ({ unread }: Live, kind: Kind): string =>
  unread?.offline ? "not checked: offline" : `not checked: this identity may not read ${kinds[kind].plural}`;

/** Whether Pulumi's state has a member's namespace; not that of one who is only to join. */
export function namespaceStands(member: Pick<Member, "name">, { unread }: Live): boolean {
  return unread?.last?.has(logicalNames.namespace(member)) ?? true;
}

/** Whether Pulumi's state has the Service that kubecamp makes for a member, or is to get it with the member. */
export function serviceStands(member: Pick<Member, "name">, { unread }: Live): boolean {
  return (unread?.last?.has(logicalNames.service(member)) ?? true) || !namespaceStands(member, { unread });
}
