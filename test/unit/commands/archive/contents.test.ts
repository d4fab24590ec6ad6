import assert from "node:assert/strict";
import { isArchived, isTheirs, type WholeObject } from "../../../../cluster/read/theirObjects.ts";
import { archivedObject, archiveFile } from "../../../../commands/archive/contents.ts";
import { restorables } from "../../../../commands/archive/restorable.ts";
import { labelsOf } from "../../samples.ts";

const kind = { apiVersion: "apps/v1", kind: "Deployment", resource: "deployments" };
const object = (name: string, metadata: object = {}, more: object = {}) => ({
  metadata: { name, ...metadata },
  ...more,
});

const fileOf = (objects: readonly WholeObject[]) =>
  archiveFile(
    kind,
    objects.flatMap((each) => archivedObject(kind, each) ?? []),
  );

describe("what an archive has", () => {
  it("an archive's content is of every kind but those that pass, and Secrets only if asked", () => {
    const of = (apiVersion: string, resource: string, secrets = false) =>
      isArchived({ apiVersion, kind: "", resource }, { secrets });
    assert.deepEqual([of("v1", "configmaps"), of("v1", "pods"), of("example.org/v1", "events")], [true, true, true]);
    const passing = [of("v1", "events"), of("events.k8s.io/v1", "events"), of("v1", "endpoints")];
    assert.deepEqual(passing, [false, false, false]);
    assert.deepEqual([of("v1", "secrets"), of("v1", "secrets", true)], [false, true]);
  });

  it("an archive has what is the member's, not kubecamp's, a controller's or every namespace's", () => {
    assert.equal(isTheirs(object("web")), true);
    assert.equal(isTheirs({ kind: "ResourceQuota", ...object("quota", { labels: labelsOf("bob") }) }), false);
    const starter = { labels: labelsOf("bob"), annotations: { "kubecamp.dev/starter": "once" } };
    assert.equal(isTheirs({ kind: "Deployment", ...object("starter", starter) }), true);
    const given = (value: string) => ({ labels: { ...labelsOf("bob"), "kubecamp.dev/object": value } });
    assert.deepEqual(
      ["true", "theirs"].map((value) => isTheirs({ kind: "ConfigMap", ...object("notes", given(value)) })),
      [false, true],
    );
    const owned = (controller: boolean) => ({
      ownerReferences: [{ apiVersion: "v1", kind: "X", name: "x", uid: "u", controller }],
    });
    assert.equal(isTheirs(object("web-1", owned(true))), false);
    assert.equal(isTheirs(object("web-1", owned(false))), true);
    assert.equal(isTheirs({ kind: "ConfigMap", ...object("kube-root-ca.crt") }), false);
    assert.equal(isTheirs({ kind: "ServiceAccount", ...object("default") }), false);
    assert.equal(isTheirs({ kind: "Secret", type: "kubernetes.io/service-account-token", ...object("t") }), false);
  });

  it("an archive has what members made with kubecamp's labels, where no policy forbids it", () => {
    const theirs = (kind: string, name: string, labels = {}) =>
      isTheirs({ kind, metadata: { name, namespace: "bob", labels: { ...labelsOf("bob"), ...labels } } });
    const made = ["PersistentVolumeClaim", "HorizontalPodAutoscaler", "StatefulSet", "CronJob", "Service"];
    assert.deepEqual(
      made.filter((kind) => !theirs(kind, "web")),
      [],
    );
    const marked = (kind: string) =>
      isTheirs({ kind, ...object("data", { annotations: { "kubecamp.dev/archive": "volume" } }) });
    assert.deepEqual([marked("PersistentVolumeClaim"), marked("VolumeSnapshot")], [true, false]);
    const given = { "kubecamp.dev/object": "true" };
    assert.deepEqual(
      [theirs("Service", "bob-svc"), theirs("StatefulSet", "web", given), theirs("BucketClaim", "data")],
      [false, false, false],
    );
    assert.deepEqual(
      ["ConfigMap", "Deployment", "Secret", "RoleBinding"].filter((kind) => theirs(kind, "web")),
      [],
    );
  });

  it("an archive's content has a controller's claims, but not those that end with a Pod", () => {
    const claimOf = (kind: string) => ({
      kind: "PersistentVolumeClaim",
      ...object("data-web-0", {
        ownerReferences: [{ apiVersion: "v1", kind, name: "web", uid: "u", controller: true }],
      }),
    });
    assert.deepEqual(
      ["StatefulSet", "Cluster", "Pod"].map((kind) => isTheirs(claimOf(kind))),
      [true, true, false],
    );
  });

  it("an archive's file is a list with all but the field managers, in the order of names", () => {
    const more = { spec: { text: "one\ntwo\u2028" }, status: { replicas: 1 } };
    const file = fileOf([object("b", { managedFields: [{ manager: "kubectl" }] }, more), object("a")]);
    const about = { apiVersion: "apps/v1", kind: "Deployment" };
    const items = [
      { ...about, metadata: { name: "a" } },
      { ...about, metadata: { name: "b" }, ...more },
    ];
    assert.deepEqual([file?.name, file?.objects], ["objects/deployments.apps.json", 2]);
    assert.deepEqual(JSON.parse(String(file?.content)), { apiVersion: "v1", kind: "List", items });
    const files = new Map([[file?.name ?? "", String(file?.content)]]);
    assert.deepEqual(
      restorables(files),
      items.map((each) => ({ resource: "deployments.apps", object: each })),
    );
    assert.equal(fileOf([object("quota", { labels: labelsOf("bob") })]), undefined);
  });
});
