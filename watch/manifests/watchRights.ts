import { cosiGroup, cosiKinds } from "../../cluster/kinds/bucketKinds.ts";
import { type StackKind, stackKindsOf, type TableKind } from "../../cluster/kinds/stackKinds.ts";
import { othersViews } from "../../config/member/types.ts";
import {
  backendCaSecretName,
  ciAccountName,
  ciBindingName,
  ciTokenRoleName,
  clusterRoleName,
  limitRangeName,
  networkPolicyName,
  resourceQuotaName,
  roleName,
  serviceAccountName,
  staffBindingName,
  staffRoleName,
} from "../../config/names/names.ts";
import { serversOf } from "../../config/route/route.ts";
import type { Settings } from "../../config/settings.ts";
import { shownToOthers } from "../../objects/rbac/clusterRole.ts";
import {
  fileText,
  isPolicy,
  type RuleSection,
  roleText,
  ruleOf,
  rulesOf,
  serviceAccountText,
  system,
} from "./roles.ts";

const identity = "kubecamp-watch";

const follow = ["list", "watch"];
const look = ["get", ...follow];
const keep = ["get", "create", "patch"];
const make = [...keep, "delete"];
const all = [...look, "create", "patch", "delete"];

/** Objects that runs have under fixed names. Of other kinds, members or the settings choose the names. */
const named = (
  stack: Pick<Settings, "stack">,
): readonly (readonly [TableKind, readonly string[], readonly string[]])[] => [
  // Only an admin's `pulumi destroy` deletes them.
  ["ClusterRole", keep, othersViews.map((view) => clusterRoleName(view, stack))],
  // These go with their namespace.
  ["LimitRange", keep, [limitRangeName]],
  ["NetworkPolicy", keep, [networkPolicyName]],
  ["ResourceQuota", make, [resourceQuotaName]],
  ["ServiceAccount", keep, [serviceAccountName]],
  ["ServiceAccount", make, [ciAccountName]],
  [
    "RoleBinding",
    make,
    [
      ...(["edit", "view"] as const).map(roleName),
      ...(["assist", "edit", "spawn", "view"] as const).map(staffBindingName),
      ...[ciBindingName, ciTokenRoleName],
    ],
  ],
  [
    "Role",
    [...make, "escalate", "bind"],
    [
      ...(["edit", "view"] as const).map(roleName),
      ...(["assist", "spawn", "view"] as const).map(staffRoleName),
      ciTokenRoleName,
    ],
  ],
];

function inCluster(settings: Settings): RuleSection[] {
  const fixed = named(settings);
  const isFixed = (kind: StackKind) => fixed.some(([each]) => each === kind);
  const kinds = stackKindsOf(settings).filter((kind) => kind !== "Secret");
  const [policies, others] = [kinds.filter(isPolicy), kinds.filter((kind) => !isPolicy(kind))];
  const any = others.filter((kind) => !isFixed(kind));
  return [
    {
      comment: `
Objects of members' names, or of names in the settings: no rule can name them, and the fence checks their labels. The plugin
lists and watches a kind while it waits for a deletion: without the right, it waits for ever (pulumi-kubernetes#4580).`,
      rules: [...rulesOf(any, all), { apiGroups: [cosiGroup], resources: Object.values(cosiKinds), verbs: all }],
    },
    {
      comment: `
Objects of fixed names. The API server checks \`create\` with the name, as the watch writes by server-side apply. The Roles give
rights that the watch does not have, hence \`escalate\` and \`bind\`: the fence refuses misuse of the two.`,
      rules: [
        ...rulesOf(others.filter(isFixed), follow),
        ...fixed.map(([kind, verbs, names]) => ruleOf(kind, verbs, names)),
      ],
    },
    {
      comment: "Admission policies are an admin's: no policy, and so not the fence, can judge who writes them.",
      rules: rulesOf(policies, look),
    },
    {
      comment: "What runs and the watch look at besides.",
      rules: [
        ...rulesOf(["EndpointSlice", "Event"], follow),
        ...rulesOf(["DeviceClass", "Gateway", "Node", "RuntimeClass", "StorageClass"], ["list"]),
        ...rulesOf(["ReplicationController"], ["list"]),
      ],
    },
    {
      comment: `
Members' Pods are deleted in a suspension, and routes have Events. An annotation in the status has controllers look again at
workloads whose Pods were refused: with this right alone, nobody can change what a workload runs.`,
      rules: [
        ruleOf("Pod", ["deletecollection"]),
        ruleOf("Event", ["create"]),
        ...rulesOf(["DaemonSet", "ReplicaSet", "ReplicationController", "StatefulSet"], ["patch"]).map((rule) => ({
          ...rule,
          resources: rule.resources.map((resource) => `${resource}/status`),
        })),
      ],
    },
    {
      comment: "The rights that the role elsewhere grants: RBAC lets only an identity that has them grant them.",
      rules: shownToOthers,
    },
  ];
}

const besideController = (settings: Settings): RuleSection[] => [
  {
    comment: `
The Secret is the CA of members' Services (\`route.backendTls.ca\`). To wait for its deletion, the plugin would list all Secrets here,
with the keys of certificates: after you remove the setting, run \`pulumi up\` yourself.`,
    rules: [ruleOf("Secret", ["get", "list", "create", "patch"], [backendCaSecretName(settings)])],
  },
];

/** The Lease that lets one watch at a time act on the stack. It is here, so that the watch needs no right to create it. */
const lease = `apiVersion: coordination.k8s.io/v1
kind: Lease
metadata:
  name: ${identity}
  namespace: ${system}`;
const holding = [{ comment: "", rules: [ruleOf("Lease", ["list", "update"], [identity])] }];

export function rightsText(settings: Settings): string {
  return fileText("", [
    serviceAccountText(identity),
    ...roleText(identity, identity, inCluster(settings)),
    lease,
    ...roleText(identity, `${identity}-lease`, holding, system),
    // With a Gateway, there is no such Secret.
    ...(serversOf(settings).every(({ route }) => route.kind === "gateway")
      ? []
      : roleText(identity, identity, besideController(settings), settings.route.beside)),
  ]);
}
