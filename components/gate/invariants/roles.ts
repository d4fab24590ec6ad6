import { isDeepStrictEqual } from "node:util";
import { isMap } from "../../../config/model/maps.ts";
import { customResources } from "../../../config/model/members/customKinds.ts";
import { staffRoles } from "../../../config/model/members/staff.ts";
import { ciAccountName, ciTokenRoleName, staffRoleName } from "../../../naming/names.ts";
import { broken, type Violation } from "../invariants.ts";
import type { GateObject, Judge } from "../object.ts";
import { listOf, mapAt, shown } from "../values.ts";

const roles = ["Role", "ClusterRole"];
const looking: readonly unknown[] = ["get", "list", "watch"];
const powers: readonly unknown[] = ["escalate", "bind", "impersonate"];

/** Resources that members may write or run commands in, by API group. Extend this list to allow more. */
const writable: Readonly<Record<string, readonly string[]>> = {
  "": [
    "configmaps",
    "persistentvolumeclaims",
    "pods",
    "pods/attach",
    "pods/ephemeralcontainers",
    "pods/eviction",
    "pods/exec",
    "pods/portforward",
    "secrets",
    "services",
  ],
  apps: [
    "daemonsets",
    "deployments",
    "deployments/scale",
    "replicasets",
    "replicasets/scale",
    "statefulsets",
    "statefulsets/scale",
  ],
  autoscaling: ["horizontalpodautoscalers"],
  batch: ["cronjobs", "jobs"],
  "resource.k8s.io": ["resourceclaims", "resourceclaimtemplates"],
};

/** Resources that other members must not see. All subresources are private too. */
const secret: readonly unknown[] = ["configmaps", "secrets", "serviceaccounts"];

type Rule = Readonly<Record<string, unknown>>;

/** Judges a role's rules one by one; `at` is such as `rules[0]`. */
function ofRules({ kind, args }: GateObject, judge: (rule: Rule, at: string) => Violation[]): Violation[] {
  return roles.includes(kind) ? listOf(args.rules).flatMap((rule, index) => judge(mapAt(rule), `rules[${index}]`)) : [];
}

/** @see https://kubernetes.io/docs/concepts/security/rbac-good-practices/#least-privilege */
export const noWildcards: Judge = (object) => [
  ...(roles.includes(object.kind) && object.args.aggregationRule !== undefined
    ? [broken("no-wildcards", "aggregationRule", "collects the rules of roles that anybody may make")]
    : []),
  ...ofRules(object, (rule, at) =>
    Object.entries(rule).flatMap(([field, values]) =>
      listOf(values)
        .filter((value) => typeof value === "string" && value.includes("*"))
        .map((value) => broken("no-wildcards", `${at}.${field}`, `${shown(value)} is a wildcard`)),
    ),
  ),
];

/** @see https://kubernetes.io/docs/concepts/security/rbac-good-practices/#privilege-escalation-risks */
export const noPowers: Judge = (object, { settings }) => {
  const editable = customResources(settings, "editable");
  return ofRules(object, (rule, at) => {
    if (isOfToken(object, rule)) {
      return [];
    }
    const verbs = listOf(rule.verbs);
    const writes = verbs.filter((verb) => !looking.includes(verb) && !powers.includes(verb));
    const targets = listOf(rule.apiGroups).flatMap((group) =>
      listOf(rule.resources).map((resource) => ({ group: String(group), resource: String(resource) })),
    );
    const refused = targets.filter(
      ({ group, resource }) =>
        !(Object.hasOwn(writable, group) && writable[group]?.includes(resource)) &&
        !editable.some(({ apiGroups, resources }) => apiGroups.includes(group) && resources.includes(resource)),
    );
    return [
      ...verbs
        .filter((verb) => powers.includes(verb))
        .map((verb) => broken("no-powers", `${at}.verbs`, `${shown(verb)} can give any right`)),
      ...(writes.length === 0
        ? []
        : refused.map(({ group, resource }) =>
            broken(
              "no-powers",
              `${at}.verbs`,
              `${shown(writes)} on '${groupPrefix(group)}${resource}', which only the platform may write`,
            ),
          )),
    ];
  });
};

/** Whether it is the right of a member with `token` to request tokens of the one ServiceAccount for CI jobs. */
const isOfToken = ({ kind, name, member }: GateObject, rule: Rule) =>
  kind === "Role" &&
  name === ciTokenRoleName &&
  member?.ci?.token === true &&
  isDeepStrictEqual(rule, {
    apiGroups: [""],
    resources: ["serviceaccounts/token"],
    resourceNames: [ciAccountName],
    verbs: ["create"],
  });

const groupPrefix = (group: string) => (group === "" ? "" : `${group}/`);

/** Whether it is a role of staff in a member's namespace, and not the member's own. */
const isOfStaff = ({ kind, name }: GateObject) =>
  kind === "Role" && staffRoles.some((role) => role !== "edit" && staffRoleName(role) === name);

export const othersUnread: Judge = (object) =>
  isOfStaff(object)
    ? ofRules(object, (rule, at) =>
        listOf(rule.resources)
          .filter((resource) => resource === "secrets")
          .map((resource) => broken("others-unread", `${at}.resources`, `${shown(resource)} is private to its member`)),
      )
    : object.kind !== "ClusterRole"
      ? []
      : ofRules(object, (rule, at) => [
          ...listOf(rule.verbs)
            .filter((verb) => !looking.includes(verb))
            .map((verb) => broken("others-unread", `${at}.verbs`, `${shown(verb)} is more than reading`)),
          ...listOf(rule.resources)
            .filter((resource) => secret.includes(resource) || String(resource).includes("/"))
            .map((resource) =>
              broken("others-unread", `${at}.resources`, `${shown(resource)} is private to its member`),
            ),
          ...(isMap(rule) && rule.nonResourceURLs !== undefined
            ? [broken("others-unread", `${at}.nonResourceURLs`, "are no objects of members")]
            : []),
        ]);
