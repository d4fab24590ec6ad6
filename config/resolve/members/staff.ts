import { present } from "../../model/maps.ts";
import {
  hasAccess,
  type Member,
  type MemberStaff,
  type Staff,
  type StaffRole,
  type StaffSubject,
  staffRoles,
} from "../../model/members/member.ts";
import type { Settings } from "../../model/settings/settings.ts";
import type { Valid } from "../../schema/issues.ts";
import type { StaffEntry } from "../../schema/members/staff.ts";
import { groupOf, usernameOf } from "./member.ts";
import { isSelected, selectorOf } from "./selector.ts";

/** Staff of valid entries. */
export const staffOf = (entries: Valid<readonly StaffEntry[]>, settings: Settings): Staff[] =>
  present(entries).flatMap(({ subject, group, role, over }): Staff[] => {
    const who = subjectOf(subject, group, settings);
    return who === undefined || role === undefined ? [] : [{ subject: who, role, over: selectorOf(over) }];
  });

function subjectOf(subject: string | undefined, group: string | undefined, settings: Settings) {
  if (subject !== undefined) {
    return { kind: "User", name: usernameOf(subject, settings) } as const;
  }
  return group === undefined ? undefined : ({ kind: "Group", name: groupOf(group, settings) } as const);
}

/** Adds to each member who looks after them. A suspended or expired member looks after nobody. */
export function withStaff(members: readonly Member[], { staff = [] }: Pick<Settings, "staff">): Member[] {
  const active = new Set(members.filter(hasAccess).map(({ username }) => username));
  // A member who left the list may be in it under another name.
  const closed = new Set(members.flatMap(({ username }) => (active.has(username) ? [] : [username])));
  const working = staff.filter(({ subject }) => subject.kind === "Group" || !closed.has(subject.name));
  return members.map((member) => {
    const over = memberStaff(member, working);
    return Object.keys(over).length === 0 ? member : { ...member, staff: over };
  });
}

const keyOf = ({ kind, name }: StaffSubject) => `${kind} ${name}`;

/** The environment's owner gets no further role in it. */
function memberStaff(member: Member, staff: readonly Staff[]): MemberStaff {
  const strongest = new Map<string, { readonly subject: StaffSubject; readonly role: StaffRole }>();
  for (const { subject, role, over } of staff) {
    const key = keyOf(subject);
    const held = roleOver(member, role);
    const other = strongest.get(key)?.role;
    const isStronger = other === undefined || staffRoles.indexOf(held) > staffRoles.indexOf(other);
    if (isStronger && isSelected(member, over) && !isOwn(member, subject)) {
      strongest.set(key, { subject, role: held });
    }
  }
  const all = [...strongest.values()];
  return Object.fromEntries(
    staffRoles.flatMap((role) => {
      const subjects = all.filter((each) => each.role === role).map(({ subject }) => subject);
      return subjects.length === 0 ? [] : [[role, subjects.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))]];
    }),
  );
}

/**
 * A member who may only look has no role to lend; `assist` has all that they may. Of somebody who has left, nothing changes
 * any more: their namespace is deleted as it was archived.
 */
function roleOver({ type, leaves }: Member, role: StaffRole): StaffRole {
  if (leaves !== undefined) {
    return "view";
  }
  return role === "edit" && type.home === "view" ? "assist" : role;
}

const isOwn = ({ username, groups }: Member, { kind, name }: StaffSubject) =>
  kind === "User" ? name === username : groups.includes(name);
