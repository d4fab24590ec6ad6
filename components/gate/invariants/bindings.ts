import { isDeepStrictEqual } from "node:util";
import type { Member } from "../../../config/model/members/member.ts";
import { homeRoles, othersViews } from "../../../config/model/members/memberTypes.ts";
import { staffRoles } from "../../../config/model/members/staff.ts";
import { hasAccess, hasQuota, mayRun } from "../../../config/model/members/standing.ts";
import type { Settings } from "../../../config/model/settings/settings.ts";
import {
  admissionPolicyName,
  ciAccountName,
  ciBindingName,
  ciTokenRoleName,
  clusterRoleName,
  namespaceName,
  policyNamesOf,
  roleName,
  staffBindingName,
  staffRoleName,
} from "../../../naming/names.ts";
import { isDoor } from "../../../plan/routes/drivers/drivers.ts";
import { broken } from "../invariants.ts";
import type { GateObject, Judge } from "../object.ts";
import { listOf, mapAt, shown } from "../values.ts";

const apiGroup = "rbac.authorization.k8s.io";
/** Kinds of a run's objects that make pods. */
const hasPods = ["CronJob", "DaemonSet", "Deployment", "StatefulSet"];

/** Role of staff that a binding gives, read from its name; undefined for a member's own binding. */
const staffRoleOf = ({ kind, name }: GateObject) =>
  kind === "RoleBinding" ? staffRoles.find((role) => staffBindingName(role) === name) : undefined;
/** Bindings of a member's CI jobs, with their roles. */
const ciRoles: Readonly<Record<string, string>> = {
  [ciBindingName]: roleName("edit"),
  [ciTokenRoleName]: ciTokenRoleName,
};
const ciRoleOf = ({ kind, name }: GateObject) => (kind === "RoleBinding" ? ciRoles[name] : undefined);
const isKey = ({ kind }: GateObject) => kind === "RoleBinding" || kind === "ClusterRoleBinding";

/** Compares names only: the rules of these roles are judged when they are registered. */
export const ownRoles: Judge = (object, { settings }) => {
  const { kind, args } = object;
  if (!isKey(object)) {
    return [];
  }
  const staff = staffRoleOf(object);
  const further = staff === undefined ? ciRoleOf(object) : staffRoleName(staff);
  const own =
    further !== undefined
      ? [{ apiGroup, kind: "Role", name: further }]
      : kind === "RoleBinding"
        ? homeRoles.map((home) => ({ apiGroup, kind: "Role", name: roleName(home) }))
        : othersViews.map((view) => ({ apiGroup, kind: "ClusterRole", name: clusterRoleName(view, settings) }));
  const { kind: of, name } = mapAt(args, "roleRef");
  const reported = typeof name === "string" ? `the ${of} '${name}'` : shown(args.roleRef);
  return own.some((role) => isDeepStrictEqual(role, args.roleRef))
    ? []
    : [broken("own-roles", "roleRef", `${reported} is none of ${own.map(({ name }) => name).join(", ")}`)];
};

export const ownSubjects: Judge = (object) => {
  const { member, args } = object;
  if (!isKey(object) || member === undefined) {
    return [];
  }
  const { own, whose } = subjectsFor(object, member);
  return listOf(args.subjects).flatMap((subject, index) => {
    const at = `subjects[${index}]`;
    if (String(mapAt(subject).name).startsWith("system:")) {
      return [broken("own-subjects", at, `${shown(subject)} is one of Kubernetes' own names`)];
    }
    return own.some((each) => isDeepStrictEqual(each, subject))
      ? []
      : [broken("own-subjects", at, `${shown(subject)} is ${whose}`)];
  });
};

/** Subjects that a member's binding may have, and words for others. */
function subjectsFor(object: GateObject, member: Member): { readonly own: readonly object[]; readonly whose: string } {
  const { name, staff: all = {}, ci, username, groups } = member;
  const staff = staffRoleOf(object);
  if (staff !== undefined) {
    const own = (all[staff] ?? []).map((subject) => ({ ...subject, apiGroup }));
    return { own, whose: `no staff with the role '${staff}'` };
  }
  if (object.kind === "RoleBinding" && object.name === ciBindingName) {
    const jobs = (ci?.subjects ?? []).map((subject) => ({ kind: "User", name: subject, apiGroup }));
    const account = { kind: "ServiceAccount", name: ciAccountName, namespace: namespaceName({ name }) };
    return { own: ci?.token === true ? [...jobs, account] : jobs, whose: "no CI job of the member's entry" };
  }
  const own = [
    { kind: "User", name: username, apiGroup },
    ...groups.map((group) => ({ kind: "Group", name: group, apiGroup })),
  ];
  return { own, whose: "neither the member nor a group of theirs" };
}

/** A guard must be registered before the key and be among its dependencies, or among theirs. */
export const guardsFirst: Judge = (object, { before, settings }) => {
  const { member, args, kind } = object;
  if (!isKey(object) && !hasPods.includes(kind)) {
    return [];
  }
  if (member === undefined) {
    return [broken("guards-first", "metadata", "gives access to nobody on the list of members")];
  }
  const role = mapAt(args, "roleRef");
  const roles = isKey(object) ? [{ kind: String(role.kind), name: String(role.name) }] : [];
  const earlier = before.earlierThan(object);
  const wanted = [...guardsOf(member, settings), ...roles];
  return wanted.flatMap(({ kind, name }) => {
    const isShared = ["ClusterRole", "ValidatingAdmissionPolicyBinding"].includes(kind);
    const guards = before
      .of(kind, isShared ? undefined : member)
      .filter((other) => name === undefined || other.name === name);
    const what = `${kind}${name === undefined ? "" : ` '${name}'`}`;
    if (guards.length === 0) {
      return [broken("guards-first", "dependsOn", `there is no ${what} before it`)];
    }
    // Objects in the namespace depend on it anyway.
    return kind === "Namespace" || guards.some(({ key }) => earlier.has(key))
      ? []
      : [broken("guards-first", "dependsOn", `does not depend on the ${what}`)];
  });
};

function guardsOf(member: Member, settings: Settings): { readonly kind: string; readonly name?: string }[] {
  const policies = policyNamesOf(settings).map((policy) => ({
    kind: "ValidatingAdmissionPolicyBinding",
    name: admissionPolicyName(policy, settings),
  }));
  const quota = hasQuota(member) ? [{ kind: "ResourceQuota" }] : [];
  return [{ kind: "Namespace" }, { kind: "LimitRange" }, { kind: "NetworkPolicy" }, ...quota, ...policies];
}

export const closedDoors: Judge = (object) => {
  const { member, kind } = object;
  if (member === undefined) {
    return [];
  }
  const isClosedKey = isKey(object) && staffRoleOf(object) === undefined && !hasAccess(member);
  return isClosedKey || (isDoor(object) && !mayRun(member))
    ? [broken("closed-doors", "metadata", `the member is ${member.standing}, and may have no ${kind}`)]
    : [];
};
