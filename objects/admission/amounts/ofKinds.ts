import type { Side } from "../fewEnough.ts";
import { type Amount, type Expression, sideOf } from "./amount.ts";

/** Limit of a Service's ports: the quota allows forty Services, and every port has all pods. Charts for tracing have a dozen. */
const mostPorts = 20;

/** Limit of an autoscaler's metrics, of which the quota allows forty. */
const mostMetrics = 10;

/** Limit of the entries of a ConfigMap or Secret: `managedFields` has each name again, also where only metadata is listed. */
const mostEntries = 1000;

/** Ports of a Service, which every node has. */
export const ports: Amount = {
  name: "ports",
  of: listOf("Service", "ports"),
  what: `ports, each of which every node has to have: leave it at ${mostPorts}, and make another Service for more`,
  limit: mostPorts,
};

/** Metrics of an autoscaler. */
export const metrics: Amount = {
  name: "metrics",
  of: listOf("HorizontalPodAutoscaler", "metrics"),
  what: `metrics, which the controller of all autoscalers asks for again and again: leave it at ${mostMetrics}`,
  limit: mostMetrics,
};

/** Entries of a ConfigMap or Secret. */
export const entries: Amount = {
  name: "entries",
  of: (when) => entriesOf(sideOf(when)),
  what: `entries, whose names everybody reads who lists it: leave it at ${mostEntries}, and make another one for more`,
  limit: mostEntries,
};

/** CEL: length of such a kind's list; 0 for other kinds. */
function listOf(kind: string, field: string): Expression {
  return (when) => {
    const object = sideOf(when);
    return `${object} == null || ${object}.kind != '${kind}' ? 0 : dyn(${object}).?spec.?${field}.orValue([]).size()`;
  };
}

const entriesOf = (object: Side) =>
  `${object} == null || !(${object}.kind in ['ConfigMap', 'Secret']) ? 0
    : dyn(${object}).?data.orValue({}).size() + dyn(${object}).?binaryData.orValue({}).size()`;
