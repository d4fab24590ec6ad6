import { podSecurityVersion } from "../../../plan/objects/namespace.ts";
import type { Optional } from "./optional.ts";
import type { Right } from "./rights.ts";
import { commentLines, type Heading, rulesText, type Section, sectionsOf } from "./rules.ts";

/** Identity that the manifests of a folder give rights to. */
type Identity = "kubecamp-preview" | "kubecamp-watch";

/** A role and its binding to an identity. */
interface RoleText {
  readonly identity: Identity;
  readonly name: string;
  /** The only namespace that it covers. Default: the whole cluster. */
  readonly namespace?: string;
  readonly comment?: string;
  readonly sections: readonly Section[];
}

/** The YAML documents of the role and its binding. */
export function roleText({ identity, name, namespace, comment = "", sections }: RoleText): string[] {
  const kind = namespace === undefined ? "ClusterRole" : "Role";
  const metadata = ["metadata:", `  name: ${name}`, ...(namespace === undefined ? [] : [`  namespace: ${namespace}`])];
  const apiVersion = "apiVersion: rbac.authorization.k8s.io/v1";
  return [
    [...commentLines(comment), apiVersion, `kind: ${kind}`, ...metadata, "rules:", rulesText(sections)].join("\n"),
    [apiVersion, `kind: ${kind}Binding`, ...metadata, bindingText(kind, name, identity)].join("\n"),
  ];
}

const bindingText = (kind: string, name: string, identity: Identity) => `roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ${kind}
  name: ${name}
subjects:
  - kind: ServiceAccount
    name: ${identity}
    namespace: ${system}`;

/** Namespace of kubecamp's own workloads on a cluster. */
export const system = "kubecamp-system";

/** The identity's ServiceAccount. */
export const serviceAccountText = (identity: Identity) => `apiVersion: v1
kind: ServiceAccount
metadata:
  name: ${identity}
  namespace: ${system}`;

/** A file: a comment on its purpose, and its documents. */
export const fileText = (comment: string, documents: readonly string[]): string =>
  `${[...commentLines(comment), documents.join("\n---\n")].join("\n")}\n`;

/** The Namespace `kubecamp-system`. */
export const namespaceText = `apiVersion: v1
kind: Namespace
metadata:
  name: ${system}
  labels:
    app.kubernetes.io/part-of: kubecamp
    pod-security.kubernetes.io/enforce: restricted
    pod-security.kubernetes.io/enforce-version: ${podSecurityVersion}`;

/**
 * YAML of a feature's further rights.
 * @param remarks further text by feature
 * @param headings comments on a feature's rights, by feature
 */
export function optionalText(
  { name, purpose, namespace, rights }: Optional,
  identity: Identity,
  remarks: Readonly<Record<string, string>>,
  headings: Readonly<Record<string, readonly Heading[]>> = {},
): string {
  const isBeside = (right: Right) => right.namespace !== undefined;
  const roleOf = (some: readonly Right[]) => ({
    identity,
    name: `${identity}-${name}`,
    sections: sectionsOf(some, headings[name] ?? [{ comment: "" }]),
  });
  const [beside, anywhere] = [rights.filter(isBeside), rights.filter((right) => !isBeside(right))];
  const documents = [
    ...(anywhere.length === 0 ? [] : roleText(roleOf(anywhere))),
    ...(beside.length === 0 ? [] : roleText({ ...roleOf(beside), namespace })),
  ];
  return fileText(`For ${purpose}${remarks[name] ?? "."}`, documents);
}
