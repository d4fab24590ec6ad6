import { isDeepStrictEqual } from "node:util";
import type { V1PolicyRule, V1Role, V1RoleBinding, V1ServiceAccount } from "@kubernetes/client-node";
import { hasAccess, hasQuota, type Member, mayRun } from "../../../../config/member/member.ts";
import {
  admissionPolicyName,
  ciAccountName,
  ciBindingName,
  ciTokenRoleName,
  clusterRoleName,
  namespaceName,
  policyNamesOf,
  roleName,
  serviceAccountName,
  staffBindingName,
  staffRoleName,
} from "../../../../config/names/names.ts";
import { customResources } from "../../../../config/objects/objectKinds.ts";
import type { Settings } from "../../../../config/settings.ts";
import { staffRoles } from "../../../../config/staff.ts";
import { isDoor } from "../../../../objects/route/drivers/drivers.ts";
import { type Check, find, type Judged, unless } from "./judged.ts";

const looking: readonly string[] = ["get", "list", "watch"];

/** Resources that members may write or run commands in, by API group. */
const writable: Readonly<Record<string, readonly string[]>> = {
  "": [
    ...["configmaps", "persistentvolumeclaims", "secrets", "services"],
    ...["pods", "pods/attach", "pods/ephemeralcontainers", "pods/eviction", "pods/exec", "pods/portforward"],
    "pods/resize",
  ],
  apps: [
    ...["daemonsets", "deployments", "replicasets", "statefulsets"],
    ...["deployments/scale", "replicasets/scale", "statefulsets/scale"],
  ],
  autoscaling: ["horizontalpodautoscalers"],
  batch: ["cronjobs", "jobs"],
  "resource.k8s.io": ["resourceclaims", "resourceclaimtemplates"],
};

const rulesOf = ({ kind, args }: Judged): V1PolicyRule[] =>
  kind === "Role" || kind === "ClusterRole" ? ((args as V1Role).rules ?? []) : [];

/** @see https://kubernetes.io/docs/concepts/security/rbac-good-practices/#least-privilege */
export const noWildcards: Check = (object) => [
  ...unless(!("aggregationRule" in object.args), "aggregationRule"),
  ...rulesOf(object).flatMap((rule) => unless(!JSON.stringify(rule).includes("*"), "rules", rule)),
];

/** @see https://kubernetes.io/docs/concepts/security/rbac-good-practices/#privilege-escalation-risks */
export const noPowers: Check = (object, { settings }) => {
  const editable = customResources(settings, "editable");
  const mayWrite = (group: string, resource: string) =>
    writable[group]?.includes(resource) ||
    editable.some(({ apiGroups, resources }) => apiGroups.includes(group) && resources.includes(resource));
  return rulesOf(object).flatMap((rule) => {
    const { apiGroups = [], resources = [], verbs } = rule;
    const isHarmless =
      verbs.every((verb) => looking.includes(verb)) ||
      isOfToken(object, rule) ||
      (verbs.every((verb) => !["escalate", "bind", "impersonate"].includes(verb)) &&
        apiGroups.every((group) => resources.every((resource) => mayWrite(group, resource))));
    return unless(isHarmless, "rules", rule);
  });
};

/** Whether it is the right of a member with `token` to request tokens of the one ServiceAccount for CI jobs. */
const isOfToken = ({ name, member }: Judged, rule: V1PolicyRule) =>
  name === ciTokenRoleName &&
  member?.ci?.token === true &&
  isDeepStrictEqual(rule, {
    apiGroups: [""],
    resources: ["serviceaccounts/token"],
    resourceNames: [ciAccountName],
    verbs: ["create"],
  });

export const othersUnread: Check = (object) => {
  const { kind, name } = object;
  const isOfLookers = staffRoles.some((role) => role !== "edit" && staffRoleName(role) === name);
  return rulesOf(object).flatMap((rule) => {
    const { verbs, resources = [], nonResourceURLs } = rule;
    const isPublic = (resource: string) =>
      !["configmaps", "secrets", "serviceaccounts"].includes(resource) && !resource.includes("/");
    const isUnread =
      kind === "ClusterRole"
        ? verbs.every((verb) => looking.includes(verb)) && resources.every(isPublic) && nonResourceURLs === undefined
        : !isOfLookers || !resources.includes("secrets");
    return unless(isUnread, "rules", rule);
  });
};

/** @see https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account/#opt-out-of-api-credential-automounting */
export const noTokens: Check = ({ kind, name, member, args }) => {
  const names = member?.ci?.token === true ? [serviceAccountName, ciAccountName] : [serviceAccountName];
  return kind === "ServiceAccount"
    ? [
        ...unless((args as V1ServiceAccount).automountServiceAccountToken === false, "automountServiceAccountToken"),
        ...unless(names.includes(name), "metadata.name", name),
      ]
    : [];
};

const isKey = ({ kind }: Judged) => kind === "RoleBinding" || kind === "ClusterRoleBinding";
const staffRoleOf = ({ kind, name }: Judged) =>
  kind === "RoleBinding" ? staffRoles.find((role) => staffBindingName(role) === name) : undefined;

const apiGroup = "rbac.authorization.k8s.io";
const roleRef = (name: string) => ({ apiGroup, kind: "Role", name });
const user = (name: string) => ({ apiGroup, kind: "User", name });

interface Key {
  readonly roleRef: object;
  /** The most that it may have. */
  readonly subjects: readonly object[];
}

/** The role and the subjects of a member's binding, which its name tells. */
function keyOf(object: Judged, { name, type, username, groups, staff, ci }: Member, settings: Settings): Key {
  const own = [user(username), ...groups.map((group) => ({ apiGroup, kind: "Group", name: group }))];
  const role = staffRoleOf(object);
  if (role !== undefined) {
    const subjects = (staff?.[role] ?? []).map((subject) => ({ ...subject, apiGroup }));
    return { roleRef: roleRef(staffRoleName(role)), subjects };
  }
  if (object.kind === "ClusterRoleBinding") {
    const view = type.others === "none" ? "" : clusterRoleName(type.others, settings);
    return { roleRef: { apiGroup, kind: "ClusterRole", name: view }, subjects: own };
  }
  if (object.name === ciBindingName) {
    const account = { kind: "ServiceAccount", name: ciAccountName, namespace: namespaceName({ name }) };
    const subjects = [...(ci?.subjects ?? []).map(user), ...(ci?.token === true ? [account] : [])];
    return { roleRef: roleRef(roleName("edit")), subjects };
  }
  return { roleRef: roleRef(object.name === ciTokenRoleName ? ciTokenRoleName : roleName(type.home)), subjects: own };
}

export const ownRoles: Check = (object, { settings }) => {
  const { member, args } = object;
  return isKey(object)
    ? unless(
        member !== undefined &&
          isDeepStrictEqual((args as V1RoleBinding).roleRef, keyOf(object, member, settings).roleRef),
        "roleRef",
        Reflect.get(args, "roleRef"),
      )
    : [];
};

export const ownSubjects: Check = (object, { settings }) => {
  const { member, args } = object;
  const own = isKey(object) && member !== undefined ? keyOf(object, member, settings).subjects : [];
  const { subjects = [] } = isKey(object) ? (args as V1RoleBinding) : {};
  const isSpawner = (name: string) => staffRoleOf(object) === "spawn" && name.startsWith("system:serviceaccount:");
  return subjects.flatMap((subject) =>
    unless(
      own.some((each) => isDeepStrictEqual(each, subject)) &&
        (isSpawner(subject.name) || !subject.name.startsWith("system:")),
      "subjects",
      subject,
    ),
  );
};

const runsPods = ["CronJob", "DaemonSet", "Deployment", "StatefulSet"];

/** Everything in a namespace depends on that anyway. */
export const guardsFirst: Check = (object, stack) => {
  const { member, after, args } = object;
  if (member === undefined || !(isKey(object) || runsPods.includes(object.kind))) {
    return [];
  }
  const { kind, name } = isKey(object) ? (args as V1RoleBinding).roleRef : {};
  const guards = [
    ...["LimitRange", "NetworkPolicy", "ServiceAccount", ...(hasQuota(member) ? ["ResourceQuota"] : [])].map(
      (guard) => ({ kind: guard, name: undefined, member }),
    ),
    ...policyNamesOf(stack.settings).map((policy) => ({
      kind: "ValidatingAdmissionPolicyBinding",
      name: admissionPolicyName(policy, stack.settings),
      member: undefined,
    })),
    ...(kind === undefined ? [] : [{ kind, name, member: kind === "ClusterRole" ? undefined : member }]),
  ];
  const before = after();
  return guards.flatMap((guard) => {
    const found = find(stack, guard.kind, guard.member, guard.name);
    return unless(found !== undefined && before.has(found.part), `not after ${guard.kind} ${guard.name ?? ""}`);
  });
};

export const closedDoors: Check = (object) => {
  const { member, kind } = object;
  const isOpen =
    member === undefined || (isKey(object) ? staffRoleOf(object) !== undefined || hasAccess(member) : true);
  return [
    ...unless(isOpen, `a ${member?.standing} member has a ${kind}`),
    ...unless(
      !isDoor(object) || (member !== undefined && mayRun(member)),
      `a ${member?.standing} member has a ${kind}`,
    ),
  ];
};
