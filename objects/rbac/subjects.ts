import type { Member } from "../../config/member/member.ts";
import { staffUntilAnnotation } from "../../config/names/labels.ts";
import { ciAccountName, namespaceName } from "../../config/names/names.ts";
import type { StaffRole } from "../../config/staff.ts";
import { defined, isMap } from "../../config/values/maps.ts";
import { annotation, type Fields, list, split } from "../field.ts";

export const rbac = "rbac.authorization.k8s.io";

/** Subjects of a member's bindings: the person, and the groups that share the environment. */
export function subjects(member: Member) {
  return [
    { kind: "User", name: member.username, apiGroup: rbac },
    ...member.groups.map((name) => ({ kind: "Group", name, apiGroup: rbac })),
  ];
}

/** Subjects of a member's CI jobs: the jobs of issuers, and the ServiceAccount for those without. */
export const ciSubjects = (member: Pick<Member, "name" | "ci">) => [
  ...(member.ci?.subjects ?? []).map((name) => ({ kind: "User", name, apiGroup: rbac })),
  ...(member.ci?.token === true
    ? [{ kind: "ServiceAccount", name: ciAccountName, namespace: namespaceName(member) }]
    : []),
];

export const staffSubjects = ({ staff = {} }: Pick<Member, "staff">, role: StaffRole) =>
  (staff[role] ?? []).map(({ kind, name }) => ({ kind, name, apiGroup: rbac }));

/** Of staff with a role: whose access ends, a line each; undefined if nobody's does. */
export function leasesText({ staff = {} }: Pick<Member, "staff">, role: StaffRole): string | undefined {
  const lines = (staff[role] ?? []).flatMap(({ until, reason, ...subject }) =>
    until === undefined ? [] : [`${subjectText(subject)} until ${until}${reason === undefined ? "" : `, ${reason}`}`],
  );
  return lines.length === 0 ? undefined : lines.join("\n");
}

/** The end and the reason of a subject's lease, by the text of a binding's leases. */
export function leaseIn(text: unknown, subject: unknown): { readonly until?: string; readonly reason?: string } {
  const start = `${subjectText(subject)} until `;
  const line = String(text ?? "")
    .split("\n")
    .find((each) => each.startsWith(start));
  const [, until, reason] = /^([-\dT:Z]+)(?:, (.*))?$/.exec(line?.slice(start.length) ?? "") ?? [];
  return defined({ until, reason });
}

/** The field of a binding's subjects in reports. */
export const userNames = "user names";

export const bindingFields: Fields = {
  subjects: list(userNames, subjectText),
  [annotation(staffUntilAnnotation)]: split("ends of access", "\n"),
};

/** Such as `oidc:bob`, or `group oidc:class-a`. */
export function subjectText(subject: unknown): string {
  const { kind, name } = isMap(subject) ? subject : {};
  if (typeof name !== "string") {
    return JSON.stringify(subject);
  }
  return kind === "User" ? name : `${String(kind).toLowerCase()} ${name}`;
}

export const subjectTexts = (all: unknown): string[] => (Array.isArray(all) ? all.map(subjectText) : []);
