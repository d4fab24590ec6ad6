import { stackKindsWhere } from "../../../cluster/kinds/stackKinds.ts";
import { selectionsFor } from "../../../cluster/read/snapshot/stackObjects.ts";
import type { Configuration, Settings } from "../../../config/model/settings/settings.ts";
import { admissionPolicies, admissionPolicyName, confiningPolicies, fillInName } from "../../../naming/names.ts";
import { archiveRules } from "./archive.ts";
import { fileText, roleText } from "./roles.ts";
import { isPolicy, type Rule, ruleOf } from "./rules.ts";

/** Rights that are granted apart: whoever has the watch's token can do far more with them than the watch. */
export const features = ["archive", "policies", "secrets"] as const;
export type Feature = (typeof features)[number];

interface Optional {
  readonly comment: string;
  readonly rules: (stack: Pick<Settings, "stack">) => readonly Rule[];
}

const optional: Readonly<Record<Feature, Optional>> = {
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
export function featuresOf({ members, settings }: Configuration): Feature[] {
  const { archive } = settings.offboarding;
  const secrets = selectionsFor({ members, settings }, "Secret").filter((each) => each.isBesideController !== true);
  return [
    ...(archive === undefined ? [] : ["archive" as const]),
    ...(secrets.length === 0 && archive?.secrets !== true ? [] : ["secrets" as const]),
  ];
}

/** Further rights as YAML. */
export function featureText(feature: Feature, stack: Pick<Settings, "stack">): string {
  const { comment, rules } = optional[feature];
  return fileText(
    comment,
    roleText("kubecamp-watch", `kubecamp-watch-${feature}`, [{ comment: "", rules: rules(stack) }]),
  );
}
