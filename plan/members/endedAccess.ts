import { isDeepStrictEqual } from "node:util";
import { type ObjectName, objectKey, objectNameOf } from "../../cluster/kinds/objectName.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import { hasAccess, type Member } from "../../config/member/member.ts";
import { type HomeRole, homeRoles, type OthersView, othersViews } from "../../config/member/types.ts";
import { memberLabel, stackLabel } from "../../config/names/labels.ts";
import {
  ciBindingName,
  ciTokenRoleName,
  clusterRoleBindingName,
  namespaceName,
  roleName,
  staffBindingName,
} from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { staffRoles } from "../../config/staff.ts";
import { ciSubjects, staffSubjects, subjects } from "../../objects/rbac/subjects.ts";
import { removes, type Target } from "../decisions/target.ts";
import type { Plan } from "./plan.ts";

interface EndedAccess extends ObjectName {
  readonly member: string;
  readonly kept: readonly unknown[];
}

/**
 * Bindings that give access against the list: to removed or suspended members, to a former `subject` or `groups`, to former
 * staff and CI jobs, and for a former type once the new type's bindings exist. Bindings that an admin has made are the admin's.
 */
export function endedAccess({ settings, snapshot, removedMembers }: Plan, target: Target): EndedAccess[] {
  const removed = removes(target) ? removedMembers.map(({ name }) => name) : [];
  const entitled = new Map<string, Member | undefined>([
    ...removed.flatMap((name) =>
      target.isWhole || target.removedMembers.includes(name) ? [[name, undefined] as const] : [],
    ),
    ...target.members.map((member) => [member.name, member] as const),
  ]);
  const succeeded = new Set(target.members.flatMap((member) => formerBindings(member, settings, snapshot)));
  return [...snapshot.managedObjects].flatMap(([key, { labels, content }]): EndedAccess[] => {
    const object = objectNameOf(key);
    const { [stackLabel]: stack, [memberLabel]: member = "" } = labels;
    if (stack !== settings.stack || !entitled.has(member)) {
      return [];
    }
    const further = furtherBindings(member).get(key);
    if (further === undefined && !bindingKeys(member, settings).includes(key)) {
      return [];
    }
    const owner = entitled.get(member);
    const allowed = owner === undefined || succeeded.has(key) ? [] : (further ?? ownSubjects)(owner);
    const live: readonly unknown[] = Array.isArray(content.subjects) ? content.subjects : [];
    const kept = live.filter((subject) => allowed.some((each) => isDeepStrictEqual(each, subject)));
    return kept.length === live.length ? [] : [{ ...object, member, kept }];
  });
}

type SubjectsOf = (member: Member) => readonly unknown[];

const whileOpen =
  (of: SubjectsOf): SubjectsOf =>
  (member) =>
    hasAccess(member) ? of(member) : [];

const ownSubjects = whileOpen(subjects);

/** Subjects of a member's further bindings at home, those of staff and of CI jobs, by the binding's key. */
const furtherBindings = (name: string): ReadonlyMap<string, SubjectsOf> =>
  new Map<string, SubjectsOf>([
    ...staffRoles.map((role): [string, SubjectsOf] => [
      keyAtHome(staffBindingName(role), { name }),
      (member) => staffSubjects(member, role),
    ]),
    [keyAtHome(ciBindingName, { name }), whileOpen(ciSubjects)],
    [keyAtHome(ciTokenRoleName, { name }), whileOpen((member) => (member.ci?.token === true ? subjects(member) : []))],
  ]);

const bindingKeys = (name: string, settings: Settings): string[] => [
  ...homeRoles.map((role) => homeKey(role, { name })),
  ...othersViews.map((view) => viewKey(view, { name }, settings)),
];

/** Keys of a member's bindings for former types; none until the present type's bindings exist. */
function formerBindings(member: Member, settings: Settings, { managedObjects }: ClusterSnapshot): string[] {
  const { home, others } = member.type;
  const own = [homeKey(home, member), ...(others === "none" ? [] : [viewKey(others, member, settings)])];
  return own.every((key) => managedObjects.has(key))
    ? bindingKeys(member.name, settings).filter((key) => !own.includes(key))
    : [];
}

const keyAtHome = (binding: string, member: Pick<Member, "name">) =>
  objectKey("RoleBinding", binding, namespaceName(member));
const homeKey = (role: HomeRole, member: Pick<Member, "name">) => keyAtHome(roleName(role), member);
const viewKey = (view: OthersView, member: Pick<Member, "name">, settings: Settings) =>
  objectKey("ClusterRoleBinding", clusterRoleBindingName(member, view, settings));
