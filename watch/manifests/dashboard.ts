interface Panel {
  readonly title: string;
  readonly type?: "bargauge" | "stat";
  readonly expr: string;
  /** Name of each series, with labels as `{{state}}`. */
  readonly legend: string;
  /** Grafana's name of the unit. Default: short, for numbers. */
  readonly unit?: string;
  /** Part of the 24 columns. */
  readonly width: number;
  /** Values from which on a stat or a bar is red. Default: none. */
  readonly red?: number;
  /** Whether it is green from there on, and red below. */
  readonly isGood?: true;
}

const datasource = { type: "prometheus", uid: "$" + "{datasource}" };
const self = '{stack=~"$stack"}';
const over = "[$__rate_interval]";
const p95 = (metric: string, labels: string) => ({
  expr: `histogram_quantile(0.95, sum by (${labels}) (rate(${metric}_bucket${self}[1h])))`,
  unit: "s",
});

const by = (aggregate: "max" | "sum", label: string, metric: string) => ({
  expr: `${aggregate} by (${label}) (${metric}${self})`,
  legend: `{{${label}}}`,
});

const increases = (metric: string, ...labels: readonly string[]) => ({
  expr: `sum by (${labels.join(", ")}) (increase(${metric}${self}${over}))`,
  legend: labels.map((label) => `{{${label}}}`).join(" "),
});

const yesNo = (aggregate: "min" | "max", metric: string) => ({
  ...{ type: "stat" as const, expr: `${aggregate} by (stack) (${metric}${self})`, legend: "{{stack}}" },
  ...{ unit: "bool_yes_no", red: 1, isGood: true as const },
});

const panels: readonly Panel[] = [
  {
    title: "Intervals since the last full up",
    type: "stat",
    expr: `(time() - max by (stack) (kubecamp_last_successful_up_timestamp_seconds${self})) / max by (stack) (kubecamp_interval_seconds${self})`,
    legend: "{{stack}}",
    width: 6,
    red: 4,
  },
  { title: "Configuration without mistakes", ...yesNo("min", "kubecamp_config_valid"), width: 6 },
  { title: "Cluster in reach", ...yesNo("min", "kubecamp_cluster_connected"), width: 4 },
  { title: "Lists left out", type: "stat", ...by("max", "stack", "kubecamp_lists_left_out"), width: 4, red: 1 },
  { title: "Lease held", ...yesNo("max", "kubecamp_lease_held"), width: 4 },
  { title: "Members by state", ...by("sum", "state", "kubecamp_members"), width: 8 },
  { title: "Namespaces being deleted", ...by("sum", "stack", "kubecamp_namespaces_terminating"), width: 8 },
  { title: "Ups", ...increases("kubecamp_ups_total", "kind", "result"), width: 8 },
  {
    title: "Duration of ups (95 of 100 are faster)",
    ...p95("kubecamp_up_duration_seconds", "le, kind"),
    legend: "{{kind}}",
    width: 12,
  },
  {
    title: "From a Service to its path (95 of 100 are faster)",
    ...p95("kubecamp_route_open_seconds", "le"),
    legend: "path",
    width: 12,
  },
  {
    title: "Objects restored after changes by others",
    ...increases("kubecamp_drift_repaired_total", "kind"),
    width: 8,
  },
  { title: "Events for members", ...increases("kubecamp_notices_total", "code"), width: 8 },
  { title: "Messages to admins", ...increases("kubecamp_messages_total", "channel", "result"), width: 8 },
  {
    title: "Members' last days",
    type: "bargauge",
    expr: `bottomk(20, max by (member) (kubecamp_member_expires_seconds${self}))`,
    legend: "{{member}}",
    unit: "s",
    width: 12,
  },
  {
    title: "Fullest quotas",
    type: "bargauge",
    expr: `topk(20, max by (member, resource) (kubecamp_member_quota_used_ratio${self}))`,
    legend: "{{member}} {{resource}}",
    unit: "percentunit",
    width: 12,
    red: 0.95,
  },
  { title: "Promises, as last verified", type: "stat", ...by("max", "result", "kubecamp_verify_promises"), width: 8 },
  {
    title: "Days since that",
    type: "stat",
    expr: `(time() - max by (stack) (kubecamp_verify_last_run_timestamp_seconds${self})) / 86400`,
    legend: "{{stack}}",
    width: 8,
    red: 8,
  },
  {
    title: "Connections to the API server that were cut, in a day",
    type: "stat",
    expr: `sum by (stack) (increase(kubecamp_connections_cut_total${self}[1d]))`,
    legend: "{{stack}}",
    width: 8,
  },
];

const columns = 24;
const height = 8;

/**
 * The Grafana dashboard of the watch's metrics, for all stacks of a Prometheus.
 * @see https://grafana.com/docs/grafana/latest/dashboards/build-dashboards/view-dashboard-json-model/
 */
export const dashboard = {
  uid: "kubecamp-watch",
  title: "kubecamp watch",
  tags: ["kubecamp"],
  schemaVersion: 39,
  editable: true,
  refresh: "1m",
  time: { from: "now-24h", to: "now" },
  templating: {
    list: [
      { name: "datasource", label: "Prometheus", type: "datasource", query: "prometheus" },
      {
        name: "stack",
        label: "Stack",
        type: "query",
        datasource,
        query: "label_values(kubecamp_ups_total, stack)",
        refresh: 2,
        multi: true,
        includeAll: true,
        // A watch that is scraped without the label `stack` shows too.
        allValue: ".*",
      },
    ],
  },
  panels: panels.map(panelOf),
};

function panelOf({ title, type, expr, legend, unit = "short", width, red, isGood }: Panel, index: number) {
  const before = panels.slice(0, index).reduce((sum, panel) => sum + panel.width, 0);
  const [low, high] = isGood ? ["red", "green"] : ["green", "red"];
  const steps = [{ color: low, value: null }, ...(red === undefined ? [] : [{ color: high, value: red }])];
  return {
    id: index + 1,
    title,
    type: type ?? "timeseries",
    datasource,
    gridPos: { x: before % columns, y: Math.floor(before / columns) * height, w: width, h: height },
    targets: [{ refId: "A", expr, legendFormat: legend, instant: type !== undefined, range: type === undefined }],
    fieldConfig: { defaults: { unit, min: 0, thresholds: { mode: "absolute", steps } }, overrides: [] },
    options: type === undefined ? {} : { reduceOptions: { calcs: ["lastNotNull"], values: false } },
  };
}
