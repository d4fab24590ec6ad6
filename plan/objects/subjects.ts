import type { Member } from "../../config/model/member.ts";
import type { StaffRole } from "../../config/model/staff.ts";

const apiGroup = "rbac.authorization.k8s.io";

/** Subjects of a member's bindings: the person, and the groups that share the environment. */
export function subjects(member: Member) {
  return [
    { kind: "User", name: member.username, apiGroup },
    ...member.groups.map((name) => ({ kind: "Group", name, apiGroup })),
  ];
}

/** Subjects who look after a member in a role. */
export const staffSubjects = ({ staff = {} }: Pick<Member, "staff">, role: StaffRole) =>
  (staff[role] ?? []).map(({ kind, name }) => ({ kind, name, apiGroup }));
