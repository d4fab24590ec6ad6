import assert from "node:assert/strict";
import { type Manifest, manifestOf, printed, rightsOf, variablesOf } from "../../deploy/manifests.ts";
import { configuration, storage } from "../../samples.ts";

const named = ({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`;

describe("kubecamp watch manifests", () => {
  const school = configuration({
    members: [{ member: "bob", type: "user" }],
    route: {
      host: "{member}.apps.example.org",
      controller: "traefik",
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
      ["stack", "domain", "className", "login", "signIn", "allow", "controller"].map((name) => values[name]),
      ['"dev"', '"campus.local"', '"outer"', '"http://proxy.login.svc:4180"', '""', '["staff","cs101"]', '"edge"'],
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
