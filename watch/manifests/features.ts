import { stackKindsWhere } from "../../cluster/kinds/stackKinds.ts";
import { selectionsFor } from "../../cluster/read/stackObjects.ts";
import { admissionPolicies, admissionPolicyName, confiningPolicies, fillInName } from "../../config/names/names.ts";
import type { Configuration, Settings } from "../../config/settings.ts";
import { fileText, isPolicy, type PolicyRule, roleText, ruleOf } from "./roles.ts";

/** Rights that are granted apart: whoever has the watch's token can do far more with them than the watch. */
export const features = ["archive", "policies", "secrets"] as const;
export type Feature = (typeof features)[number];

type Rules = (stack: Pick<Settings, "stack">) => readonly PolicyRule[];

const optional: Readonly<Record<Feature, { readonly comment: string; readonly rules: Rules }>> = {
  archive: {
    comment: `
For \`offboarding.archive\`: to list what a member has, and to keep the volumes. A kind that the watch may not list keeps the member:
add the resources of your CustomResourceDefinitions (docs/run/watch-in-cluster.md#archives).

RBAC can't limit these lists to members' namespaces: whoever has the watch's token can read these kinds IN THE WHOLE CLUSTER.`,
    rules: () => archiveRules,
  },
  policies: {
    comment: `
For a watch that writes the stack's admission policies and their bindings, instead of an admin's \`pulumi up\`. To write one, the
API server wants the right to read its parameters, the PriorityClasses.

No admission policy, and so not the fence, can judge such a write: whoever has the watch's token can HAVE EVERY WRITE ON THE
CLUSTER REFUSED, or disable the stack's policies.`,
    rules: (stack) => {
      const judging = [...admissionPolicies, ...confiningPolicies, ...(["restarts", "tokens"] as const)]
        .map((policy) => admissionPolicyName(policy, stack))
        .sort();
      return [
        ...stackKindsWhere()
          .filter(isPolicy)
          .map((kind) =>
            ruleOf(kind, ["create", "patch"], kind.startsWith("Mutating") ? [fillInName(stack)] : judging),
          ),
        { apiGroups: ["scheduling.k8s.io"], resources: ["priorityclasses"], verbs: ["get", "list"] },
      ];
    },
  },
  secrets: {
    comment: `
For buckets on an S3 server, for \`objects\` that copy Secrets, and for archives with \`secrets: true\`. The fence limits what is written
to these.

RBAC can't limit a LIST to labels, names or metadata, though the watch asks only for these: whoever has the watch's token can
read EVERY SECRET OF THE CLUSTER.`,
    rules: () => [ruleOf("Secret", ["get", "list", "watch", "create", "patch", "delete"])],
  },
};

/** The features whose rights a stack's watch needs. No setting asks for \`policies\`: the admin does. */
export function neededFeatures({ members, settings }: Configuration): Feature[] {
  const { archive } = settings.offboarding;
  const secrets = selectionsFor({ members, settings }, "Secret").filter((each) => each.isBesideController !== true);
  return [
    ...(archive === undefined ? [] : ["archive" as const]),
    ...(secrets.length === 0 && archive?.secrets !== true ? [] : ["secrets" as const]),
  ];
}

export function featureText(feature: Feature, stack: Pick<Settings, "stack">): string {
  const { comment, rules } = optional[feature];
  return fileText(
    comment,
    roleText("kubecamp-watch", `kubecamp-watch-${feature}`, [{ comment: "", rules: rules(stack) }]),
  );
}

const snapshots = "snapshot.storage.k8s.io";

/**
 * Kubernetes' own resources of which a namespace can have objects that somebody made: what an archive lists. Those of
 * CustomResourceDefinitions differ everywhere. test/e2e/watch/archiveRights.more.ts compares them with the API server's.
 */
export const archivableResources: Readonly<Record<string, readonly string[]>> = {
  "": [
    "configmaps",
    "limitranges",
    "persistentvolumeclaims",
    "pods",
    "podtemplates",
    "replicationcontrollers",
    "resourcequotas",
    "serviceaccounts",
    "services",
  ],
  apps: ["controllerrevisions", "daemonsets", "deployments", "replicasets", "statefulsets"],
  autoscaling: ["horizontalpodautoscalers"],
  batch: ["cronjobs", "jobs"],
  "networking.k8s.io": ["ingresses", "networkpolicies"],
  policy: ["poddisruptionbudgets"],
  "rbac.authorization.k8s.io": ["rolebindings", "roles"],
  "resource.k8s.io": ["resourceclaims", "resourceclaimtemplates"],
  // Not Kubernetes' own, and on most clusters with a driver for volumes.
  [snapshots]: ["volumesnapshots"],
  "storage.k8s.io": ["csistoragecapacities"],
};

/** Rights to archive members who have left: to list their objects, to mark the namespace, and to have volumes kept. */
const archiveRules: readonly PolicyRule[] = [
  ...Object.entries(archivableResources).map(([group, resources]) => ({
    apiGroups: [group],
    resources,
    verbs: ["list"],
  })),
  { apiGroups: [""], resources: ["persistentvolumes"], verbs: ["get", "patch"] },
  { apiGroups: [snapshots], resources: ["volumesnapshots"], verbs: ["get", "create"] },
  { apiGroups: [snapshots], resources: ["volumesnapshotcontents"], verbs: ["get", "patch"] },
];
