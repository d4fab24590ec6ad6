import type { Member } from "../../config/member/member.ts";
import { ciAccountName, ciBindingName, ciTokenRoleName, roleName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { metadataOf } from "../metadata.ts";
import { ciSubjects, rbac, subjects } from "./subjects.ts";

/** The member's own Role at home for their CI jobs, and nothing elsewhere. A new subject changes it in place. */
export const ciBinding = (member: Member, settings: Settings) => ({
  metadata: metadataOf(ciBindingName, member, settings),
  roleRef: { apiGroup: rbac, kind: "Role", name: roleName("edit") },
  subjects: ciSubjects(member),
});

/** The ServiceAccount whose tokens the member requests for CI jobs; the admission policy `tokens` keeps pods from it. */
export const ciAccount = (member: Member, settings: Settings) => ({
  metadata: metadataOf(ciAccountName, member, settings),
  automountServiceAccountToken: false,
});

/** Apart from the ServiceAccount's own rights, so that a token can't be used to get the next one. */
export const ciTokenRole = (member: Member, settings: Settings) => ({
  metadata: metadataOf(ciTokenRoleName, member, settings),
  rules: [{ apiGroups: [""], resources: ["serviceaccounts/token"], resourceNames: [ciAccountName], verbs: ["create"] }],
});

/** Gives that right to the member, and to the groups that share the environment. */
export const ciTokenBinding = (member: Member, settings: Settings) => ({
  metadata: metadataOf(ciTokenRoleName, member, settings),
  roleRef: { apiGroup: rbac, kind: "Role", name: ciTokenRoleName },
  subjects: subjects(member),
});
