import { hasAccess, type Member } from "../../config/member/member.ts";
import {
  ciAccountName,
  ciBindingName,
  ciTokenRoleName,
  roleName,
  staffBindingName,
  staffRoleName,
} from "../../config/names/names.ts";
import { type MemberStaff, type StaffRole, staffRoles } from "../../config/staff.ts";
import { ciAccount, ciBinding, ciTokenBinding, ciTokenRole } from "../../objects/rbac/ci.ts";
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

const hasToken = ({ ci }: Pick<Member, "ci">) => ci?.token === true;

export const ciRows: readonly Row<MemberFacts>[] = [
  {
    part: "ci-account",
    varies: (member) => (hasToken(member) ? [""] : []),
    kind: "ServiceAccount",
    name: () => ciAccountName,
    after: (there) => there("role/*"),
    made: ({ member, settings }) => (hasToken(member) ? [{ build: () => ciAccount(member, settings) }] : []),
  },
  {
    part: "ci-token-role",
    varies: (member) => (hasToken(member) ? [""] : []),
    kind: "Role",
    name: () => ciTokenRoleName,
    after: (there) => there("ci-account"),
    made: ({ member, settings }) => (hasToken(member) ? [{ build: () => ciTokenRole(member, settings) }] : []),
  },
  {
    part: "ci-token",
    varies: (member) => (hasToken(member) ? [""] : []),
    kind: "RoleBinding",
    name: () => ciTokenRoleName,
    lifetime: "inNamespace",
    after: (there) => there("ci-token-role"),
    made: ({ member, settings }) =>
      hasToken(member) && hasAccess(member)
        ? [{ role: { kind: "Role", name: ciTokenRoleName }, build: () => ciTokenBinding(member, settings) }]
        : [],
  },
  {
    // As the member's own, it ends with a suspension.
    part: "ci",
    varies: ({ ci }) => (ci === undefined ? [] : [""]),
    kind: "RoleBinding",
    name: () => ciBindingName,
    lifetime: "inNamespace",
    after: (there) => there("role/edit", "ci-account"),
    made: ({ member, settings }) =>
      member.ci !== undefined && hasAccess(member)
        ? [{ role: { kind: "Role", name: roleName("edit") }, build: () => ciBinding(member, settings) }]
        : [],
  },
];
