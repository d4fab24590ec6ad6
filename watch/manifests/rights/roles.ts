import { commentLines, rulesText, type Section } from "./rules.ts";

/** Namespace of kubecamp's own workloads on a cluster. */
export const system = "kubecamp-system";

/** A ServiceAccount there. */
export const serviceAccountText = (identity: string) => `apiVersion: v1
kind: ServiceAccount
metadata:
  name: ${identity}
  namespace: ${system}`;

/**
 * The YAML documents of a role and its binding to an identity.
 * @param namespace the only one that it covers. Default: the whole cluster
 */
export function roleText(identity: string, name: string, sections: readonly Section[], namespace?: string): string[] {
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

/** A file: a comment on its purpose, and its documents. */
export const fileText = (comment: string, documents: readonly string[]): string =>
  `${[...commentLines(comment), documents.join("\n---\n")].join("\n")}\n`;
