import { hasAccess, type Member } from "../../config/member/member.ts";
import { ciAccountName, ciBindingName, ciTokenRoleName, roleName } from "../../config/names/names.ts";
import { ciAccount, ciBinding, ciTokenBinding, ciTokenRole } from "../../objects/rbac/ci.ts";
import type { MemberFacts, Row } from "./row.ts";

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
