import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parser } from "@prometheus-io/lezer-promql";
import { repository } from "../../../../scaffold/sandbox/paths.ts";
import { anchorOf } from "../../../../scaffold/site/markdown.ts";
import { alertingRules, runbookPage } from "../../../../watch/manifests/alerts.ts";
import { dashboard } from "../../../../watch/manifests/dashboard.ts";
import { Metrics } from "../../../../watch/telemetry/metrics.ts";

/** Metrics and labels of a PromQL expression; fails if it is none. */
function readIn(expr: string): { metrics: string[]; labels: string[] } {
  const metrics: string[] = [];
  const labels: string[] = [];
  parser.parse(expr).iterate({
    enter: ({ type, name, from, to }) => {
      assert.ok(!type.isError, `${expr}: a mistake at column ${from}`);
      const text = expr.slice(from, to);
      if (name === "VectorSelector") {
        metrics.push(/^\w+/.exec(text)?.[0] ?? "");
      } else if (name === "LabelName") {
        labels.push(text);
      }
    },
  });
  return { metrics, labels };
}

/** Metrics of kubecamp's own by the names of their series. */
const series = new Map<string, { metric: string; labels: readonly string[] }>();
for (const { name, type, labelNames } of new Metrics().registry.getMetricsAsArray() as unknown as {
  name: string;
  type: unknown;
  labelNames: readonly string[];
}[]) {
  if (name.startsWith("kubecamp_")) {
    const isHistogram = type === "histogram";
    for (const suffix of isHistogram ? ["_bucket", "_sum", "_count"] : [""]) {
      series.set(name + suffix, { metric: name, labels: [...labelNames, ...(isHistogram ? ["le"] : [])] });
    }
  }
}

function assertKnown(expr: string): string[] {
  const { metrics, labels } = readIn(expr);
  assert.notEqual(metrics.length, 0, expr);
  const all = metrics.map((name) => series.get(name) ?? assert.fail(`${expr}: there is no metric ${name}`));
  for (const label of labels) {
    // Prometheus adds it to all (PodMonitor).
    assert.ok(label === "stack" || all.some((one) => one.labels.includes(label)), `${expr}: no label ${label}`);
  }
  return all.map(({ metric }) => metric);
}

describe("Grafana's dashboard", () => {
  const exprs = dashboard.panels.flatMap(({ targets }) =>
    targets.map(({ expr }) => expr.replaceAll("$__rate_interval", "5m").replaceAll("$stack", "prod")),
  );

  it("shows each metric on the dashboard, and none that there is not", () => {
    const shown = exprs.flatMap(assertKnown);
    const all = [...series.values()].map(({ metric }) => metric);
    assert.ok(new Set(all).size >= 12);
    assert.deepEqual([...new Set(shown)].sort(), [...new Set(all)].sort());
  });

  it("names the dashboard's series by labels that these have", () => {
    for (const { targets } of dashboard.panels) {
      for (const { expr, legendFormat } of targets) {
        const grouped = /by \(([^)]*)\)/.exec(expr)?.[1]?.split(", ") ?? [];
        const used = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = ""]) => label);
        assert.deepEqual(
          used.filter((label) => !grouped.includes(label)),
          [],
          expr,
        );
      }
    }
  });
});

describe("the alerts", () => {
  const rules = alertingRules("prod", "https://docs.example.org").groups.flatMap((group) => group.rules);

  it("reads existing metrics and labels alone in the alerts", () => {
    for (const { expr } of rules) {
      assertKnown(expr);
    }
    assert.ok(rules.length >= 7);
  });

  it("uses labels in the alerts' texts that the series keep", () => {
    for (const { expr, annotations } of rules) {
      const used = [...annotations.summary.matchAll(/\$labels\.(\w+)/g)].map(([, label = ""]) => label);
      const kept = readIn(expr).metrics.flatMap((name) => series.get(name)?.labels ?? []);
      assert.deepEqual(
        used.filter((label) => !kept.includes(label)),
        [],
        expr,
      );
    }
  });

  it("leads each alert to a heading of the page on alerts, which has no others", () => {
    assert.ok(existsSync(join(repository, runbookPage)));
    const page = readFileSync(join(repository, runbookPage), "utf8");
    const headings = [...page.matchAll(/^## (Kubecamp\w+)$/gm)].map(([, heading = ""]) => heading);
    assert.deepEqual(
      headings,
      rules.map(({ alert }) => alert),
    );
    assert.deepEqual(
      rules.map(({ annotations }) => annotations.runbook),
      headings.map((heading) => `${runbookPage}#${anchorOf(heading)}`),
    );
    assert.deepEqual(
      rules.map(({ annotations }) => annotations.runbook_url),
      headings.map((heading) => `https://docs.example.org/run/alerts.md#${anchorOf(heading)}`),
    );
  });

  it("writes an alert as a whole rule of one stack", () => {
    assert.deepEqual(rules[2], {
      alert: "KubecampDoesNotKeepUp",
      expr: 'time() - kubecamp_last_successful_up_timestamp_seconds{stack="prod"} > 2 * kubecamp_interval_seconds{stack="prod"} + 3600',
      for: "30m",
      labels: { severity: "critical", stack: "prod" },
      annotations: {
        summary: "prod: No full up has succeeded for twice the interval and an hour.",
        runbook: "docs/run/alerts.md#kubecampdoesnotkeepup",
        runbook_url: "https://docs.example.org/run/alerts.md#kubecampdoesnotkeepup",
      },
    });
  });
});
