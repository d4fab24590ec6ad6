import { type BoardSettings, metricsPort, type Settings } from "../../config/model/settings/settings.ts";
import { commentLines, rulesText, type Section } from "./rights/rules.ts";

/** Settings that decide how visitors reach the board. */
export type BoardDoorSettings = Pick<Settings, "cluster" | "network" | "oidc" | "route">;

/** Options of the watch's Pod, besides its rights. */
export interface PodOptions {
  /** Name of the Pod's objects and of its Lease. */
  readonly name: string;
  readonly stack: string;
  /** Context of the kubeconfig that the stack's settings name. */
  readonly context: string;
  readonly image: string;
  /** The stack's files by path in the project's folder; undefined if the ConfigMap is made elsewhere. */
  readonly files?: ReadonlyMap<string, string>;
  /** Namespace of the Prometheus that may read the metrics. */
  readonly prometheus: string;
  /** For a stack with a board: the settings that it depends on. */
  readonly board?: BoardDoorSettings & { readonly board: BoardSettings };
}

/** Port of probes and metrics. */
export const port = metricsPort;
export const labelsOf = (name: string) => ({
  "app.kubernetes.io/name": name,
  "app.kubernetes.io/part-of": "kubecamp",
});

/** Name of the Services of the board. */
export const boardNameOf = (name: string) => `${name}-board`;

/** Metadata of an object of the watch's. */
export const metadataOf = (name: string, of = name) => ({ name, namespace: system, labels: labelsOf(of) });

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
