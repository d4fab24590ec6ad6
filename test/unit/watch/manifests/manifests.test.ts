import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parser } from "@prometheus-io/lezer-promql";
import { repository } from "../../../../sandbox/paths.ts";
import { anchorOf } from "../../../../tools/site/markdown.ts";
import { alertingRules, runbookPage } from "../../../../watch/manifests/alerts.ts";
import { dashboard } from "../../../../watch/manifests/dashboard.ts";
import { Metrics } from "../../../../watch/telemetry/metrics.ts";
import { type Manifest, manifestOf, printed, rightsOf, variablesOf } from "../../deploy/manifests.ts";
import { configuration, storage } from "../../samples.ts";

const named = ({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`;

describe("kubecamp watch manifests", () => {
  const school = configuration({
    members: [{ member: "bob", type: "user" }],
    route: {
      host: "{member}.apps.example.org",
      controller: "traefik",
      place: "controller",
      namespace: "edge",
      className: "outer",
      login: { kind: "oauth2-proxy", url: "http://proxy.login.svc:4180", allow: ["staff", "cs101"] },
    },
    cluster: { context: "campus", domain: "campus.local" },
    objects: [{ copy: "Secret platform/pull" }, { copy: "Secret platform/other" }],
  });

  it("prints the names of the stack wherever the example manifests have their own", () => {
    const { text, features, objects } = printed(school, { image: "ghcr.io/example/kubecamp:1" });
    assert.deepEqual(features, ["secrets"]);
    for (const word of [/\bprod\b/, /ingress-nginx"/, /"nginx"/, /"cluster\.local"/]) {
      assert.doesNotMatch(text, word);
    }
    const values = variablesOf(manifestOf("ValidatingAdmissionPolicy", "kubecamp-watch", objects));
    assert.deepEqual(
      ["stack", "domain", "classNames", "login", "signIn", "allow", "controller"].map((name) => values[name]),
      ['"dev"', '"campus.local"', '["outer"]', '"http://proxy.login.svc:4180"', '""', '["staff","cs101"]', '"edge"'],
    );
    assert.deepEqual(
      objects.filter(({ kind }) => kind === "Role").map(({ metadata }) => `${metadata.namespace}/${metadata.name}`),
      ["kubecamp-system/kubecamp-watch-lease", "edge/kubecamp-watch"],
    );
  });

  it("grants a watch rights to the stack's custom kinds, and lets members edit the allowed ones", () => {
    const gadget = { apiVersion: "lab.example.com/v1", kind: "Gadget" };
    const sensor = { apiVersion: "iot.example.com/v1", kind: "Sensor", edit: true };
    const stack = configuration({ members: [{ member: "bob", type: "user" }], objectKinds: [gadget, sensor] });
    const { features, objects } = printed(stack);
    assert.deepEqual(features, []);
    const custom = rightsOf(objects).filter(({ group }) => group.endsWith("example.com"));
    assert.deepEqual([...new Set(custom.map(({ group, resource }) => `${resource}.${group}`))].sort(), [
      "gadgets.lab.example.com",
      "sensors.iot.example.com",
    ]);
    const { writable = "" } = variablesOf(manifestOf("ValidatingAdmissionPolicy", "kubecamp-watch", objects));
    assert.match(writable, /'resource\.k8s\.io\/resourceclaimtemplates', 'iot\.example\.com\/sensors'\]\s*$/);
    assert.doesNotMatch(writable, /gadgets/);
  });

  it("grants a watch the rights to Secrets and archives that its stack's settings ask for", () => {
    const archive = { bucket: "kept" };
    const of = (raw: Record<string, unknown>) => printed(configuration({ members: [], storage, ...raw })).features;
    assert.deepEqual(of({}), []);
    assert.deepEqual(of({ members: [{ member: "bob", type: "user", buckets: [{ name: "a" }] }] }), ["secrets"]);
    assert.deepEqual(of({ offboarding: { graceDays: 30, archive } }), ["archive"]);
    assert.deepEqual(of({ offboarding: { graceDays: 30, archive: { ...archive, secrets: true } } }), [
      "archive",
      "secrets",
    ]);
  });

  it("prints a watch's rights and fence alone without an image, and the features asked for", () => {
    const stack = configuration({ members: [] });
    assert.deepEqual(printed(stack).objects.map(named), [
      "Namespace kubecamp-system",
      "ServiceAccount kubecamp-watch",
      "ClusterRole kubecamp-watch",
      "ClusterRoleBinding kubecamp-watch",
      "Lease kubecamp-watch",
      "Role kubecamp-watch-lease",
      "RoleBinding kubecamp-watch-lease",
      "Role kubecamp-watch",
      "RoleBinding kubecamp-watch",
      "ValidatingAdmissionPolicy kubecamp-watch",
      "ValidatingAdmissionPolicyBinding kubecamp-watch",
    ]);
    const { features, objects } = printed(stack, { features: ["policies"] });
    assert.deepEqual(features, ["policies"]);
    assert.ok(objects.map(named).includes("ClusterRole kubecamp-watch-policies"));
  });

  it("prints the stack's files, a Pod that reads these, and what reads the Pod's metrics", () => {
    const files = new Map([
      ["Pulumi.yaml", "name: kubecamp\n"],
      ["objects/course.yaml", "kind: ConfigMap\n"],
    ]);
    const { objects } = printed(school, {
      ...{ name: "camp-b", image: "ghcr.io/example/kubecamp:1", files },
      ...{ prometheus: "metrics", monitoring: { release: "p" }, docs: "https://docs.example.org/" },
    });
    const byName = new Map(objects.map((object) => [named(object), object]));
    const labels = { "app.kubernetes.io/name": "camp-b", "app.kubernetes.io/part-of": "kubecamp" };
    const namespace = "kubecamp-system";
    assert.deepEqual(byName.get("ConfigMap camp-b-config"), {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "camp-b-config", namespace, labels },
      data: { "Pulumi.yaml": "name: kubecamp\n", "objects__course.yaml": "kind: ConfigMap\n" },
    });
    const { spec } = byName.get("Deployment camp-b") as unknown as {
      spec: {
        template: { spec: { serviceAccountName: string; volumes: unknown[]; containers: { args: string[] }[] } };
      };
    };
    const { serviceAccountName, volumes, containers } = spec.template.spec;
    assert.equal(serviceAccountName, "camp-b");
    assert.deepEqual(volumes[3], {
      name: "config",
      configMap: {
        name: "camp-b-config",
        items: [
          { key: "Pulumi.yaml", path: "Pulumi.yaml" },
          { key: "objects__course.yaml", path: "objects/course.yaml" },
        ],
      },
    });
    const args = "watch --stack dev --folder /project --address 0.0.0.0 --port 9464 --lease kubecamp-system/camp-b";
    assert.equal(containers[0]?.args.join(" "), args);
    const monitored = { name: "camp-b", namespace, labels: { ...labels, release: "p" } };
    assert.deepEqual(byName.get("PodMonitor camp-b"), {
      apiVersion: "monitoring.coreos.com/v1",
      kind: "PodMonitor",
      metadata: monitored,
      spec: {
        selector: { matchLabels: { "app.kubernetes.io/name": "camp-b" } },
        podMetricsEndpoints: [
          { port: "http", path: "/metrics", relabelings: [{ targetLabel: "stack", replacement: "dev" }] },
        ],
      },
    });
    const rule = byName.get("PrometheusRule camp-b") as Manifest & {
      spec: { groups: { rules: { annotations: { runbook_url: string } }[] }[] };
    };
    assert.deepEqual(rule.metadata, monitored);
    assert.equal(
      rule.spec.groups[0]?.rules[0]?.annotations.runbook_url,
      "https://docs.example.org/run/alerts.md#kubecampisgone",
    );
    const policy = JSON.stringify(byName.get("ValidatingAdmissionPolicy camp-b"));
    assert.ok(policy.includes("system:serviceaccount:kubecamp-system:camp-b'"));
    assert.ok(byName.has("Lease camp-b") && byName.has("ConfigMap camp-b-dashboard"));
    assert.ok(![...byName.keys()].some((name) => name.includes("kubecamp-watch")));
  });
});

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
