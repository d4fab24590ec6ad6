import { type Kind, kindEntry, resourceOf } from "../../cluster/kinds/kinds.ts";
import type { StackKind } from "../../cluster/kinds/stackKinds.ts";
import { apiGroup } from "../../config/names/customKinds.ts";
import { systemNamespaceName } from "../../config/names/names.ts";
import { compare } from "../../config/values/sentences.ts";

export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

export interface RuleSection {
  readonly comment: string;
  readonly rules: readonly PolicyRule[];
}

export const ruleOf = (kind: Kind, verbs: readonly string[], names?: readonly string[]): PolicyRule => ({
  apiGroups: [apiGroup(kindEntry(kind).apiVersion)],
  resources: [resourceOf(kind)],
  ...(names === undefined ? {} : { resourceNames: names }),
  verbs,
});

export const rulesOf = (kinds: readonly Kind[], verbs: readonly string[]): PolicyRule[] =>
  kinds.map((kind) => ruleOf(kind, verbs));

/** Whether no admission policy applies to writes of a kind. */
export const isPolicy = (kind: StackKind): boolean => /^(Mutating|Validating)AdmissionPolicy(Binding)?$/.test(kind);

function merged(rules: readonly PolicyRule[]): PolicyRule[] {
  const alike = Map.groupBy(rules, (rule) => JSON.stringify({ ...rule, resources: [] }));
  const each = [...alike.values()].flatMap(([first, ...others]) => {
    const resources = [first, ...others].flatMap((rule) => rule?.resources ?? []);
    return first === undefined ? [] : [{ ...first, resources: [...new Set(resources)].sort() }];
  });
  return each.sort((a, b) => compare(a.apiGroups.join(), b.apiGroups.join()));
}

const rulesText = (sections: readonly RuleSection[]): string =>
  sections
    .map(({ comment, rules }) => [...commentLines(comment, "  "), ...merged(rules).map(ruleText)].join("\n"))
    .join("\n\n");

const commentLines = (text: string, indent = ""): string[] =>
  text === ""
    ? []
    : text
        .trim()
        .split("\n")
        .map((line) => `${indent}# ${line}`.trimEnd());

function ruleText({ apiGroups, resources, resourceNames, verbs }: PolicyRule): string {
  return [
    `  - apiGroups: [${apiGroups.map((group) => group || '""').join(", ")}]`,
    `    resources: [${resources.join(", ")}]`,
    ...(resourceNames === undefined
      ? []
      : [`    resourceNames: [${resourceNames.map((name) => `"${name}"`).join(", ")}]`]),
    `    verbs: [${verbs.join(", ")}]`,
  ].join("\n");
}

export const system = systemNamespaceName;

export const serviceAccountText = (identity: string) => `apiVersion: v1
kind: ServiceAccount
metadata:
  name: ${identity}
  namespace: ${system}`;

/** The YAML documents of a role and its binding. @param namespace the only one that it covers. Default: all */
export function roleText(identity: string, name: string, sections: readonly RuleSection[], namespace?: string) {
  const kind = namespace === undefined ? "ClusterRole" : "Role";
  const head = (of: string) =>
    [
      "apiVersion: rbac.authorization.k8s.io/v1",
      `kind: ${of}`,
      "metadata:",
      `  name: ${name}`,
      ...(namespace === undefined ? [] : [`  namespace: ${namespace}`]),
    ].join("\n");
  return [
    `${head(kind)}\nrules:\n${rulesText(sections)}`,
    `${head(`${kind}Binding`)}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ${kind}
  name: ${name}
subjects:
  - kind: ServiceAccount
    name: ${identity}
    namespace: ${system}`,
  ];
}

export const fileText = (comment: string, documents: readonly string[]): string =>
  `${[...commentLines(comment), documents.join("\n---\n")].join("\n")}\n`;
