import { type BoardSettings, metricsPort } from "../../config/board.ts";
import type { Settings } from "../../config/settings.ts";
import { podSecurityVersion } from "../../objects/namespace.ts";
import { system } from "./roles.ts";

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
