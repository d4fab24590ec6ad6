import { stringify } from "yaml";
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

/** Key of a file in the ConfigMap: keys have no slashes, and a page of one name may be in two folders. */
export const configMapKey = (path: string) => path.replaceAll("/", "__");

/** The stack's files; encrypted values stay encrypted. */
export const configOf = ({ name, files = new Map() }: PodOptions) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: watchMetadata(`${name}-config`, name),
  data: Object.fromEntries([...files].map(([path, text]) => [configMapKey(path), text])),
});

/**
 * The Pod's own ServiceAccount under the name of the context that the stack's file has on every other machine, so that
 * one file serves all.
 */
export const kubeconfigOf = ({ name, context }: PodOptions) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: watchMetadata(`${name}-kubeconfig`, name),
  data: {
    config: stringify({
      apiVersion: "v1",
      kind: "Config",
      "current-context": context,
      contexts: [{ name: context, context: { cluster: context, user: name } }],
      clusters: [
        {
          name: context,
          cluster: {
            server: "https://kubernetes.default.svc",
            "certificate-authority": "/var/run/secrets/kubernetes.io/serviceaccount/ca.crt",
          },
        },
      ],
      users: [{ name, user: { tokenFile: "/var/run/secrets/kubernetes.io/serviceaccount/token" } }],
    }),
  },
});
