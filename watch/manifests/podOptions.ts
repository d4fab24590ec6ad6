import { type BoardSettings, metricsPort } from "../../config/board.ts";
import type { Settings } from "../../config/settings.ts";
import { podSecurityVersion } from "../../objects/namespace.ts";
import { system } from "./roles.ts";

export type BoardDoorSettings = Pick<Settings, "cluster" | "network" | "oidc" | "route">;

export interface PodOptions {
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

export const boardNameOf = (name: string) => `${name}-board`;

export const watchMetadata = (name: string, of = name) => ({ name, namespace: system, labels: labelsOf(of) });

/** Where the watch runs, apart from members and the ingress controller: who may start Pods here has all its rights. */
export const systemNamespace = {
  apiVersion: "v1",
  kind: "Namespace",
  metadata: {
    name: system,
    labels: {
      "app.kubernetes.io/part-of": "kubecamp",
      "pod-security.kubernetes.io/enforce": "restricted",
      "pod-security.kubernetes.io/enforce-version": podSecurityVersion,
    },
  },
};
