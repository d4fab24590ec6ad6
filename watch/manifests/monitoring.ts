import { alertingRules } from "./alerts.ts";
import { dashboard } from "./dashboard.ts";
import { labelsOf } from "./podOptions.ts";
import { system } from "./rights/roles.ts";

/**
 * Objects for the Prometheus Operator and for Grafana's sidecar.
 * @param own labels by which a Prometheus finds its monitors and rules, such as `{ release: "prometheus" }`
 * @param docs URL of the folder docs/
 * @see https://prometheus-operator.dev/docs/api-reference/api/
 */
export function monitoringOf(name: string, stack: string, own: Readonly<Record<string, string>>, docs?: string) {
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
