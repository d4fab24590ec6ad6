import assert from "node:assert/strict";
import { firstApp } from "../../../../../commands/members/invite/firstApp.ts";
import { configuration } from "../../../samples.ts";

/** The first app of a member in a stack. */
function firstOf(entry: object, stack: object = {}) {
  const { settings, members } = configuration({ ...stack, members: [{ member: "bob", type: "user", ...entry }] });
  const [bob] = members;
  assert.ok(bob);
  return firstApp(bob, settings);
}

function appOf(...args: Parameters<typeof firstOf>) {
  const first = firstOf(...args);
  assert.ok(first !== undefined && "app" in first, JSON.stringify(first));
  return first.app;
}

const labels = { "app.kubernetes.io/name": "web" };
const container = {
  name: "web",
  image: "docker.io/hashicorp/http-echo:1.0.0",
  args: ["-listen=:8080", "-text=Hello from bob"],
  ports: [{ name: "http", containerPort: 8080 }],
  resources: {
    limits: { cpu: "100m", memory: "64Mi", "ephemeral-storage": "100Mi" },
    requests: { cpu: "100m", memory: "64Mi", "ephemeral-storage": "0" },
  },
  securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
};
const deployment = (changes: { labels?: object; container?: object; pod?: object } = {}) => {
  const own = changes.labels ?? labels;
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace: "bob" },
    spec: {
      replicas: 1,
      selector: { matchLabels: own },
      strategy: { type: "Recreate" },
      template: {
        metadata: { labels: own },
        spec: {
          ...changes.pod,
          automountServiceAccountToken: false,
          securityContext: { runAsNonRoot: true, runAsUser: 65_532, seccompProfile: { type: "RuntimeDefault" } },
          containers: [{ ...container, ...changes.container }],
        },
      },
    },
  };
};
const service = (name: string) => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name, namespace: "bob" },
  spec: { selector: labels, ports: [{ port: 80, targetPort: 8080 }] },
});
const onPath = { service: { name: "bob-svc", port: 80 }, onPath: true };
const besidePath = {
  manifests: [deployment(), service("web")],
  service: { name: "web", port: 80 },
  onPath: false,
};

describe("a member's first app", () => {
  it("answers on their path", () => {
    assert.deepEqual(appOf({}), { manifests: [deployment(), service("bob-svc")], ...onPath });
  });

  it("leaves the Service to kubecamp where that makes it, with its label and port", () => {
    const managed = (targetPort: number | string) => ({
      host: "camp.example.org",
      readiness: { mode: "managed", targetPort },
    });
    const own = { labels: { app: "bob" } };
    const ports = { args: ["-listen=:3000", "-text=Hello from bob"], ports: [{ name: "http", containerPort: 3000 }] };
    assert.deepEqual(appOf({}, { route: managed(3000) }), {
      manifests: [deployment({ ...own, container: ports })],
      ...onPath,
    });
    assert.deepEqual(appOf({}, { route: managed("app") }), {
      manifests: [deployment({ ...own, container: { ports: [{ name: "app", containerPort: 8080 }] } })],
      ...onPath,
    });
  });

  it("stays beside a path that it can't answer on: a starter app's, one that needs TLS, or none", () => {
    const https = { host: "camp.example.org", backendProtocol: "HTTPS" };
    assert.deepEqual(appOf({ route: false }), besidePath);
    assert.deepEqual(appOf({ starter: "once" }), besidePath);
    assert.deepEqual(appOf({}, { route: https }), besidePath);
  });

  it("the first app has an image of their list, which stands for one of their choice", () => {
    const imageOf = (...images: string[]) => {
      const { manifests, standIn } = appOf({ images });
      const { args: _, ...rest } = container;
      const [made] = manifests;
      assert.deepEqual(
        made,
        standIn === undefined
          ? deployment()
          : { ...deployment(), spec: { ...deployment().spec, template: template({ ...rest, image: standIn }) } },
      );
      return standIn;
    };
    const template = (one: object) => {
      const { metadata, spec } = deployment().spec.template;
      return { metadata, spec: { ...spec, containers: [one] } };
    };
    assert.equal(imageOf("*"), undefined);
    assert.equal(imageOf("nginx", "hashicorp/*"), undefined);
    assert.equal(imageOf("nginx:1.*"), "docker.io/library/nginx:1.0");
    assert.equal(imageOf("ghcr.io/acme/*"), "ghcr.io/acme/app:latest");
    assert.equal(imageOf("ghcr.io/acme/app"), "ghcr.io/acme/app:latest");
    assert.equal(imageOf("acme/app:2"), "docker.io/acme/app:2");
  });

  it("fits what the quota leaves, and the type's confinement", () => {
    const limits = {
      maxCPUm: 60,
      defaultCPUm: 10,
      maxMemoryMiB: 90,
      defaultMemoryMiB: 10,
      maxEphemeralStorageMiB: 1050,
    };
    const resources = {
      limits: { cpu: "10m", memory: "26Mi", "ephemeral-storage": "50Mi" },
      requests: { cpu: "10m", memory: "26Mi", "ephemeral-storage": "0" },
    };
    assert.deepEqual(appOf({ starter: "once", ...limits }).manifests, [
      deployment({ container: { resources } }),
      service("web"),
    ]);
    const confined = { runtimeClasses: { allowed: ["gvisor"] }, userNamespaces: "required" };
    const pod = { runtimeClassName: "gvisor", hostUsers: false };
    assert.deepEqual(appOf({ route: false, type: "lab" }, { memberTypes: { lab: confined } }).manifests, [
      deployment({ pod }),
      service("web"),
    ]);
  });

  it("the first app is missing, with the reason, where nothing can run", () => {
    const reader = { memberTypes: { reader: { home: "view" } } };
    assert.deepEqual(firstOf({ type: "reader" }, reader), {
      reason: "you can read what is in your namespace, but not change it",
    });
    assert.deepEqual(firstOf({ images: [] }), { reason: "your list of images is empty" });
    assert.deepEqual(firstOf({ starter: "once", maxPods: 1 }), { reason: "your quota leaves no pods for one" });
    // Of the 55m, the starter app has 50m.
    const little = { starter: "once", maxCPUm: 55, defaultCPUm: 10 };
    assert.deepEqual(firstOf(little), { reason: "your quota leaves no CPU for one" });
    assert.equal(firstOf({ suspended: true }), undefined);
    assert.equal(firstOf({ expires: "2020-02-29" }), undefined);
  });
});
