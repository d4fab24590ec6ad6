import { staffBindingName, staffRoleName } from "../../config/names/names.ts";
import { type MemberStaff, type StaffRole, staffRoles } from "../../config/staff.ts";
import { staffBinding, staffRole } from "../../objects/rbac/staff.ts";
import type { MemberFacts, Row } from "./row.ts";

export const staffRows: readonly Row<MemberFacts>[] = [
  {
    // Staff with `edit` have the member's own role.
    part: "staff-role/*",
    varies: ({ staff }) => rolesIn(staff).filter((role) => role !== "edit"),
    kind: "Role",
    name: (_, role) => staffRoleName(role as StaffRole),
    after: (there) => there("role/*"),
    made: ({ member, settings }) =>
      rolesIn(member.staff).flatMap((vary) =>
        vary === "edit" ? [] : [{ vary, build: () => staffRole(member, vary, settings) }],
      ),
  },
  {
    // Staff look above all where somebody is suspended.
    part: "staff/*",
    varies: ({ staff }) => rolesIn(staff),
    kind: "RoleBinding",
    name: (_, role) => staffBindingName(role as StaffRole),
    lifetime: "inNamespace",
    after: (there, role) => there(role === "edit" ? "role/edit" : `staff-role/${role}`),
    made: ({ member, settings }) =>
      rolesIn(member.staff).map((vary) => ({
        vary,
        role: { kind: "Role", name: staffRoleName(vary) },
        build: () => staffBinding(member, vary, settings),
      })),
  },
];

const rolesIn = (staff: MemberStaff = {}) => staffRoles.filter((role) => staff[role] !== undefined);
