import assert from "node:assert/strict";
import { keyOf, objectKey } from "../../../../cluster/kinds/objectName.ts";
import { additionsTo, additionsToMembers } from "../../../../plan/members/additions.ts";
import { isRead, sharedObjects } from "../../../../plan/rows/manifest.ts";
import { liveService } from "../../cluster/liveService.ts";
import { bob, settings } from "../../samples.ts";
import { applied, planned, planOf } from "../planned.ts";

/** Everything as a run has made it, with a label and an annotation more. */
function marked() {
  const { base, route } = planned(bob, settings);
  const objects = [...sharedObjects(settings), ...base, ...route].filter(isRead);
  const managedObjects = objects
    .filter(({ kind }) => kind !== "Service")
    .map(({ kind, args, ...name }) => {
      const live = applied(kind, args);
      const annotations = { ...live.annotations, "kubecamp.dev/more": "x" };
      const labels = { ...live.labels, "kubecamp.dev/else": "x" };
      return [keyOf({ kind, ...name }), { ...live, labels, annotations }] as const;
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
