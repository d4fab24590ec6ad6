import { stringify } from "yaml";
import type { Configuration } from "../../config/settings.ts";
import { alertingRules } from "./alerts.ts";
import { boardDoorsOf, boardPeersOf, boardServiceOf } from "./boardDoor.ts";
import { dashboard } from "./dashboard.ts";
import { type Feature, featureText, neededFeatures } from "./features.ts";
import { fenceText } from "./fence.ts";
import {
  configOf,
  deploymentOf,
  kubeconfigOf,
  labelsOf,
  type PodOptions,
  port,
  systemNamespace,
  watchMetadata,
} from "./pod.ts";
import { system } from "./roles.ts";
import { rightsText } from "./watchRights.ts";

/** Identity of the rights and of the fence, as their texts have it. */
const identity = "kubecamp-watch";

export interface ManifestOptions {
  /** Name of the watch's objects: another for a second watch on the cluster. */
  readonly name: string;
  readonly image?: string;
  /** Features to grant rights for that the stack does not have yet, and `policies`. */
  readonly features: readonly Feature[];
  readonly files?: ReadonlyMap<string, string>;
  readonly prometheus: string;
  /** Labels of the objects for the Prometheus Operator. Default: no such objects. */
  readonly monitoring?: Readonly<Record<string, string>>;
  readonly docs?: string;
}

export function watchManifests(stack: Configuration, options: ManifestOptions) {
  const { settings } = stack;
  const { name, monitoring, docs } = options;
  const features = [...new Set([...neededFeatures(stack), ...options.features])];
  const granted = features.map((feature) => featureText(feature, settings));
  const texts = [rightsText(settings), ...granted, fenceText(settings)].map((text) => text.replaceAll(identity, name));
  const pod = podOf(stack, options);
  const objects = [
    ...(pod === undefined
      ? []
      : [
          ...(pod.files === undefined ? [] : [configOf(pod)]),
          kubeconfigOf(pod),
          deploymentOf(pod),
          serviceOf(pod),
          networkPolicyOf(pod),
          ...(pod.board === undefined
            ? []
            : [boardServiceOf(name, pod.board.board), ...boardDoorsOf(name, pod.board.board, pod.board)]),
        ]),
    ...(monitoring === undefined ? [] : monitoringOf(name, settings.stack, monitoring, docs)),
  ];
  return { features, text: [yamlOf(systemNamespace), ...texts, ...objects.map(yamlOf)].join("---\n") };
}

/** An object as YAML; a text stays on its lines. */
export const yamlOf = (object: object): string => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false });

function podOf({ settings }: Configuration, { name, image, files, prometheus }: ManifestOptions) {
  const { stack, cluster, board } = settings;
  return image === undefined
    ? undefined
    : ({
        ...{ name, stack, image, prometheus },
        context: cluster.context ?? stack,
        ...(files === undefined ? {} : { files }),
        ...(board === undefined ? {} : { board: { ...settings, board } }),
      } satisfies PodOptions);
}

/** For the Prometheus Operator and Grafana. @see https://prometheus-operator.dev/docs/api-reference/api/ */
function monitoringOf(name: string, stack: string, own: Readonly<Record<string, string>>, docs?: string) {
  const metadata = { name, namespace: system, labels: { ...labelsOf(name), ...own } };
  const apiVersion = "monitoring.coreos.com/v1";
  return [
    {
      apiVersion,
      kind: "PodMonitor",
      metadata,
      spec: {
        selector: { matchLabels: { "app.kubernetes.io/name": name } },
        podMetricsEndpoints: [
          { port: "http", path: "/metrics", relabelings: [{ targetLabel: "stack", replacement: stack }] },
        ],
      },
    },
    { apiVersion, kind: "PrometheusRule", metadata, spec: alertingRules(stack, docs) },
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: {
        name: `${name}-dashboard`,
        namespace: system,
        labels: { ...labelsOf(name), grafana_dashboard: "1" },
      },
      data: { "kubecamp-watch.json": JSON.stringify(dashboard) },
    },
  ];
}

/** For programs that read metrics by Services. */
export const serviceOf = ({ name }: PodOptions) => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: watchMetadata(name),
  spec: {
    selector: { "app.kubernetes.io/name": name },
    ports: [{ name: "http", port, targetPort: "http", protocol: "TCP" }],
  },
});

/**
 * Only Prometheus reaches the metrics, and only the ingress controller reaches the board, which believes it who a visitor
 * is. (Probes come from the node, which NetworkPolicies let pass.) What the watch itself reaches is left open: the API
 * server, the backend and those whom it tells have other addresses everywhere.
 */
export const networkPolicyOf = ({ name, prometheus, board }: PodOptions) => ({
  apiVersion: "networking.k8s.io/v1",
  kind: "NetworkPolicy",
  metadata: watchMetadata(name),
  spec: {
    podSelector: { matchLabels: { "app.kubernetes.io/name": name } },
    policyTypes: ["Ingress"],
    ingress: [
      {
        from: [
          {
            namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": prometheus } },
            podSelector: { matchLabels: { "app.kubernetes.io/name": "prometheus" } },
          },
        ],
        ports: [{ port, protocol: "TCP" }],
      },
      ...(board === undefined
        ? []
        : [{ from: boardPeersOf(board), ports: [{ port: board.board.port, protocol: "TCP" }] }]),
    ],
  },
});
