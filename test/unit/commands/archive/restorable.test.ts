import assert from "node:assert/strict";
import type { WholeObject } from "../../../../cluster/read/theirObjects.ts";
import type { ArchivedVolume } from "../../../../commands/archive/manifest.ts";
import {
  isLeftOut,
  restorable,
  restorables,
  restorableTitle,
  restoredSnapshot,
} from "../../../../commands/archive/restorable.ts";

const owner = { "kubecamp.dev/stack": "prod", "kubecamp.dev/member": "ben" };
const restored = (object: object, volumes: readonly ArchivedVolume[] = []) =>
  restorable({ resource: "", object: object as WholeObject }, { namespace: "ben", volumes, owner });
const claim = {
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name: "data" },
  spec: { accessModes: ["ReadWriteOnce"], volumeName: "pvc-1", storageClassName: "fast" },
};
const spec = { accessModes: ["ReadWriteOnce"], storageClassName: "fast" };

describe("an archived object", () => {
  it("an archived object is created without what the API server and controllers filled in", () => {
    const metadata = {
      name: "web",
      namespace: "kay",
      uid: "u",
      resourceVersion: "7",
      generation: 3,
      creationTimestamp: "2026-01-01T00:00:00Z",
      finalizers: ["example.org/x"],
      labels: { app: "web" },
      annotations: { "deployment.kubernetes.io/revision": "4", note: "mine" },
    };
    assert.deepEqual(restored({ apiVersion: "apps/v1", kind: "Deployment", metadata, spec: { a: 1 }, status: {} }), {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web", namespace: "ben", labels: { app: "web" }, annotations: { note: "mine" } },
      spec: { a: 1 },
    });
    const data = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "notes" },
      data: { a: "b" },
      immutable: true,
    };
    assert.deepEqual(restored(data), { ...data, metadata: { name: "notes", namespace: "ben" } });
  });

  it("an archived object is the new member's where labels say whose it is", () => {
    const labels = (of: object) => restored({ metadata: { name: "course", labels: of } }).metadata?.labels;
    const archived = { "kubecamp.dev/stack": "old", "kubecamp.dev/member": "kay", "kubecamp.dev/object": "theirs" };
    assert.deepEqual(labels(archived), { ...owner, "kubecamp.dev/object": "theirs" });
    assert.deepEqual(labels({ app: "web" }), { app: "web" });
  });

  it("gets addresses, nodes and selectors of its own", () => {
    const service = (more: object) =>
      restored({ kind: "Service", spec: { ports: [{ port: 80, nodePort: 30_000 }], ...more } }).spec;
    assert.deepEqual(service({ clusterIP: "10.0.0.1", clusterIPs: ["10.0.0.1"] }), { ports: [{ port: 80 }] });
    assert.deepEqual(service({ clusterIP: "None" }), { ports: [{ port: 80 }], clusterIP: "None" });
    assert.deepEqual(restored({ kind: "Pod", spec: { nodeName: "n", containers: [] } }).spec, { containers: [] });
    const labels = { app: "x", "controller-uid": "u", "batch.kubernetes.io/job-name": "j" };
    const job = { selector: { matchLabels: { "controller-uid": "u" } }, template: { metadata: { labels }, spec: {} } };
    assert.deepEqual(restored({ kind: "Job", spec: job }).spec, {
      template: { metadata: { labels: { app: "x" } }, spec: {} },
    });
    assert.deepEqual(restored({ kind: "Job", spec: { ...job, manualSelector: true } }).spec, {
      ...job,
      manualSelector: true,
    });
  });

  it("gets the volume that was kept, or one from its snapshot, or an empty one", () => {
    const of = (kept: readonly ArchivedVolume[]) => restored(claim, kept).spec;
    const about = { claim: "data", storage: "1Gi" };
    assert.deepEqual(of([{ ...about, kept: { as: "volume", name: "pvc-1" } }]), { ...spec, volumeName: "pvc-1" });
    const snapshot = { as: "snapshot", content: "c", driver: "d", handle: "h" } as const;
    assert.deepEqual(of([{ ...about, kept: snapshot }]), {
      ...spec,
      dataSource: {
        ...{ apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot" },
        name: restoredSnapshot(snapshot),
      },
    });
    assert.deepEqual(of([{ ...about, kept: { as: "nothing" } }]), spec);
    assert.deepEqual(of([{ ...about, claim: "other", kept: { as: "volume", name: "pvc-2" } }]), spec);
  });

  it("keeps the class of a claim that has it in the old annotation, which wins", () => {
    const annotations = { "volume.beta.kubernetes.io/storage-class": "fast" };
    const bound = { "pv.kubernetes.io/bind-completed": "yes", "volume.beta.kubernetes.io/storage-provisioner": "csi" };
    const metadata = { name: "data", annotations: { ...annotations, ...bound } };
    assert.deepEqual(restored({ ...claim, metadata }).metadata?.annotations, annotations);
  });
});

describe("an archive's objects", () => {
  it("an archive's objects come in the order of their needs, without finished Pods and Jobs", () => {
    const file = (resource: string, ...objects: readonly object[]) =>
      [`objects/${resource}.json`, JSON.stringify({ items: objects })] as const;
    const named = (kind: string, name: string, status?: object) => ({ kind, metadata: { name }, status });
    const over = { conditions: [{ type: "Complete", status: "True" }] };
    const files = new Map([
      file("deployments.apps", named("Deployment", "web")),
      file("jobs.batch", named("Job", "done", over), named("Job", "open", { conditions: [] })),
      file("pods", named("Pod", "gone", { phase: "Failed" }), named("Pod", "lone", { phase: "Running" })),
      file("widgets.example.org", named("Widget", "w")),
      file("configmaps", named("ConfigMap", "b"), named("ConfigMap", "a")),
      file("secrets", named("Secret", "s")),
    ]);
    assert.deepEqual(restorables(files).map(restorableTitle), [
      "secrets/s",
      "configmaps/b",
      "configmaps/a",
      "widgets.example.org/w",
      "deployments.apps/web",
      "jobs.batch/open",
      "pods/lone",
    ]);
  });

  it("an archive's objects are never rights, guards or paths, nor what no archive has", () => {
    const out = [
      ...["resourcequotas", "limitranges", "rolebindings.rbac.authorization.k8s.io"],
      ...["networkpolicies.networking.k8s.io", "httproutes.gateway.networking.k8s.io", "middlewares.traefik.io"],
      ...["poddisruptionbudgets.policy", "endpoints", "endpointslices.discovery.k8s.io"],
      "volumesnapshots.snapshot.storage.k8s.io",
    ];
    const theirs = ["configmaps", "deployments.apps", "widgets.networking.example.org"];
    const isOut = (resource: string, type?: string) => isLeftOut({ resource, object: { type } as WholeObject });
    assert.deepEqual(
      [...out, ...theirs].filter((resource) => isOut(resource)),
      out,
    );
    const secrets = ["Opaque", "kubernetes.io/service-account-token"].map((type) => isOut("secrets", type));
    assert.deepEqual(secrets, [false, true]);
  });
});
