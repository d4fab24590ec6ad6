import assert from "node:assert/strict";
import { type ManagedKind, objectKey } from "../../../../cluster/read/snapshot/snapshot.ts";
import { additionsTo, additionsToMembers } from "../../../../plan/compare/additions.ts";
import { Drift } from "../../../../plan/compare/drift.ts";
import { isRead, sharedObjects } from "../../../../plan/manifest/manifest.ts";
import { liveService } from "../../cluster/liveService.ts";
import { bob, settings } from "../../samples.ts";
import { compared, planned, planOf } from "../planned.ts";

/** Everything as a run has made it, with a label and an annotation more. */
function marked() {
  const { base, route } = planned(bob, settings);
  const objects = [...sharedObjects(settings), ...base, ...route].filter(isRead);
  const managedObjects = objects.flatMap(({ kind, args }) => {
    if (kind === "Service") {
      return [];
    }
    const { metadata, ...content } = Drift.none.marked(compared(kind as ManagedKind, args));
    const annotations: Record<string, string> = { ...metadata.annotations, "kubecamp.dev/more": "x" };
    const labels = { ...metadata.labels, "kubecamp.dev/else": "x" };
    const applied = annotations["kubecamp.dev/applied"];
    const live = { labels, annotations, applied, resourceVersion: "7", content: { ...content } };
    return [[objectKey(kind, metadata.name, metadata.namespace), live] as const];
  });
  const [service] = route;
  const { labels } = service?.args.metadata ?? assert.fail();
  const annotations = { "nginx.ingress.kubernetes.io/x": "x" };
  const services = new Map([
    ["bob/bob-svc", liveService()],
    ["ingress-nginx/bob-svc", liveService({ type: "ExternalName", labels, annotations })],
  ]);
  return { managedObjects: new Map(managedObjects), services };
}

describe("what somebody has put beside the declared labels and annotations", () => {
  const both = { labels: { "kubecamp.dev/else": null }, annotations: { "kubecamp.dev/more": null } };

  it("takes added labels and annotations off whatever a member has, and nothing else", () => {
    const snapshot = marked();
    const patches = additionsToMembers(planOf([bob], settings, snapshot).members);
    const names = patches.map(({ kind, name, namespace }) => objectKey(kind, name, namespace));
    assert.deepEqual(names, [
      "Namespace bob",
      "LimitRange bob/default-limits",
      "NetworkPolicy bob/isolation",
      "ServiceAccount bob/default",
      "ResourceQuota bob/quota",
      "Role bob/kubecamp-edit",
      "RoleBinding bob/kubecamp-edit",
      "ClusterRoleBinding kubecamp:dev:bob:view",
      "Service ingress-nginx/bob-svc",
      "Ingress ingress-nginx/bob",
    ]);
    for (const { kind, patch } of patches) {
      const twin = { annotations: { "nginx.ingress.kubernetes.io/x": null } };
      assert.deepEqual(patch, { metadata: kind === "Service" ? twin : both }, kind);
    }
  });

  it("takes added labels and annotations off what a stack has once, and off no route that closes", () => {
    const snapshot = marked();
    const shared = additionsTo(planOf([bob], settings, snapshot).classified);
    assert.equal(shared.length, sharedObjects(settings).length);
    const closing = { ...snapshot, services: new Map() };
    const changed = additionsToMembers(planOf([bob], settings, closing).members);
    const kinds = changed.map(({ kind }) => kind);
    const ofRoute = kinds.filter((kind) => ["Ingress", "Service"].includes(kind));
    assert.deepEqual(ofRoute, []);
  });
});
