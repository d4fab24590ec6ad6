export const runbookPage = "docs/run/alerts.md";

interface Alert {
  readonly name: string;
  /** In PromQL; `SELF` stands for the stack's label. */
  readonly expr: string;
  readonly for: string;
  readonly severity: "critical" | "warning";
  readonly summary: string;
}

const alerts: readonly Alert[] = [
  {
    name: "KubecampIsGone",
    expr: "absent(kubecamp_ups_total{SELF})",
    for: "15m",
    severity: "critical",
    summary: "No kubecamp watch answers.",
  },
  {
    name: "KubecampWaitsForLease",
    // A Pod that ends its last up and its successor, which waits, may both answer.
    expr: "max(kubecamp_lease_held{SELF}) == 0",
    for: "10m",
    severity: "critical",
    summary: "The watch waits for the Lease of a Pod that does not answer.",
  },
  {
    name: "KubecampDoesNotKeepUp",
    expr: "time() - kubecamp_last_successful_up_timestamp_seconds{SELF} > 2 * kubecamp_interval_seconds{SELF} + 3600",
    // It is 0 until the first full up of a new Pod.
    for: "30m",
    severity: "critical",
    summary: "No full up has succeeded for twice the interval and an hour.",
  },
  {
    name: "KubecampConfigurationRefused",
    expr: "kubecamp_config_valid{SELF} == 0",
    for: "10m",
    severity: "warning",
    summary: "The stack's files have mistakes: what was edited since does not arrive.",
  },
  {
    name: "KubecampClusterOutOfReach",
    expr: "kubecamp_cluster_connected{SELF} == 0",
    for: "10m",
    severity: "critical",
    summary: "A kind of object can't be watched, and no up runs.",
  },
  {
    name: "KubecampNamespaceHangs",
    // One series for each, so that many that go one after the other are no alert.
    expr: "kubecamp_namespaces_terminating{SELF} > 0",
    for: "30m",
    severity: "warning",
    summary: "The namespace of {{ $labels.member }} is being deleted, and does not go.",
  },
  {
    name: "KubecampMayNotRead",
    expr: "kubecamp_lists_left_out{SELF} > 0",
    for: "10m",
    severity: "warning",
    summary: "The watch has no right to read a kind of object, and leaves out what needs it.",
  },
  {
    name: "KubecampQuotaNearlyFull",
    expr: 'kubecamp_member_quota_used_ratio{SELF,resource="requests.storage"} > 0.95',
    for: "15m",
    severity: "warning",
    summary: "The storage of {{ $labels.member }} is nearly full.",
  },
  {
    name: "KubecampTellsNobody",
    expr: 'increase(kubecamp_messages_total{SELF,result="failed"}[2h]) > 2',
    for: "5m",
    severity: "warning",
    summary: "Messages to admins by {{ $labels.channel }} fail.",
  },
  {
    name: "KubecampPromiseBroken",
    expr: 'kubecamp_verify_promises{SELF,result="broken"} > 0',
    for: "5m",
    severity: "critical",
    summary: "{{ $value }} promises were broken when kubecamp verify tried them last.",
  },
  {
    name: "KubecampNotVerified",
    // Without any result there is no series: nobody has asked for one.
    expr: "time() - kubecamp_verify_last_run_timestamp_seconds{SELF} > 8 * 86400",
    for: "1h",
    severity: "warning",
    summary: "kubecamp verify has recorded no result for eight days.",
  },
];

/**
 * @param docs URL of the folder docs/, for links to what to do. Default: the page's path alone
 * @see https://prometheus.io/docs/prometheus/latest/configuration/alerting_rules/
 */
export const alertingRules = (stack: string, docs?: string) => ({
  groups: [
    {
      name: "kubecamp",
      rules: alerts.map(({ name, expr, for: duration, severity, summary }) => {
        const page = `${runbookPage}#${name.toLowerCase()}`;
        return {
          alert: name,
          expr: expr.replaceAll("SELF", `stack=${JSON.stringify(stack)}`),
          for: duration,
          labels: { severity, stack },
          annotations: {
            summary: `${stack}: ${summary}`,
            runbook: page,
            ...(docs === undefined ? {} : { runbook_url: page.replace(/^docs/, docs.replace(/\/$/, "")) }),
          },
        };
      }),
    },
  ],
});
