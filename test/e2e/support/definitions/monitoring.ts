import type { TestSandbox } from "../sandbox.ts";
import { definitionOf, installDefinitions } from "./definitions.ts";

const text = { type: "string" };
const list = (items: object) => ({ type: "array", items });
const map = (properties: object, ...required: string[]) => ({ type: "object", properties, required });
const texts = { type: "object", additionalProperties: text };

/** The fields of the operator's schemas that kubecamp writes; `--validate=strict` refuses others. */
const specs = {
  PodMonitor: map(
    {
      selector: map({ matchLabels: texts }),
      podMetricsEndpoints: list(
        map({ port: text, path: text, relabelings: list(map({ targetLabel: text, replacement: text })) }),
      ),
    },
    "selector",
    "podMetricsEndpoints",
  ),
  PrometheusRule: map({
    groups: list(
      map(
        {
          name: text,
          rules: list(map({ alert: text, expr: text, for: text, labels: texts, annotations: texts }, "expr")),
        },
        "name",
      ),
    ),
  }),
};

const definition = (kind: keyof typeof specs) =>
  definitionOf({ group: "monitoring.coreos.com", kind }, { spec: specs[kind] }, { required: ["spec"] });

/**
 * Has the API server know the Prometheus Operator's PodMonitor and PrometheusRule.
 * @returns what has it forget them
 * @see https://prometheus-operator.dev/docs/api-reference/api/
 */
export const installMonitoring = (sandbox: TestSandbox): Promise<() => Promise<void>> =>
  installDefinitions(sandbox, definition("PodMonitor"), definition("PrometheusRule"));
