import assert from "node:assert/strict";
import fc from "fast-check";
import { type Document, parse, parseAllDocuments } from "yaml";
import type { WholeObject } from "../../../../cluster/read/homes/theirObjects.ts";
import { isArchived, isTheirs } from "../../../../cluster/read/homes/theirObjects.ts";
import { archivedObject, archiveFile } from "../../../../commands/archive/contents.ts";
import { restorables } from "../../../../commands/archive/restorable.ts";
import { labelsOf } from "../../samples.ts";

const kind = { apiVersion: "apps/v1", kind: "Deployment", resource: "deployments" };
const object = (name: string, metadata: object = {}, more: object = {}) => ({
  metadata: { name, ...metadata },
  ...more,
});

/** The file of listed objects, as a text. */
async function fileOf(objects: readonly WholeObject[]) {
  const file = await archiveFile(
    kind,
    objects.flatMap((each) => archivedObject(kind, each) ?? []),
  );
  const { content, ...rest } = file ?? {};
  return file && { ...rest, text: String(content) };
}

describe("what an archive has", () => {
  it("is of every kind but those that pass, and Secrets only if asked", () => {
    const of = (apiVersion: string, resource: string, secrets = false) =>
      isArchived({ apiVersion, kind: "", resource }, { secrets });
    assert.deepEqual([of("v1", "configmaps"), of("v1", "pods"), of("example.org/v1", "events")], [true, true, true]);
    const passing = [of("v1", "events"), of("events.k8s.io/v1", "events"), of("v1", "endpoints")];
    assert.deepEqual(passing, [false, false, false]);
    assert.deepEqual([of("v1", "secrets"), of("v1", "secrets", true)], [false, true]);
  });

  it("is what is the member's: not kubecamp's, not a controller's, not every namespace's", () => {
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

  it("has what members made with kubecamp's labels, where no policy keeps them from that", () => {
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

  it("has the claims of a controller, which would make empty ones, but not those that end with a Pod", () => {
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

  it("is YAML that says everything but the field managers, in the order of names", async () => {
    const file = await fileOf([
      object("b", { managedFields: [{ manager: "kubectl" }] }, { spec: { replicas: 2 }, status: { replicas: 1 } }),
      object("a", {}, { spec: { text: "one\ntwo\n" } }),
    ]);
    assert.deepEqual(file, {
      name: "objects/deployments.apps.yaml",
      objects: 2,
      text: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: a
spec:
  text: |
    one
    two
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: b
spec:
  replicas: 2
status:
  replicas: 1
`,
    });
    const data = { a: "on", b: "1:30", c: "0777", d: "2026-01-01", e: "~", f: "0x1", g: " x\n", h: "a".repeat(300) };
    const { text = "" } = (await fileOf([object("texts", {}, { data })])) ?? {};
    for (const version of ["1.1", "1.2"] as const) {
      assert.deepEqual(parse(text, { version }).data, data);
    }
    const large = object("large", {}, { data: { a: "x\n".repeat(20_000) } });
    const { text: written = "" } = (await fileOf([large])) ?? {};
    assert.ok(written.startsWith('{"apiVersion":'));
    assert.deepEqual(parse(written), { apiVersion: kind.apiVersion, kind: kind.kind, ...large });
    // Indented, it would be a hundred times as long.
    let deep: object = {};
    for (let depth = 0; depth < 1_000; depth++) deep = { a: deep };
    const { text: nested = "" } = (await fileOf([object("deep", {}, { deep })])) ?? {};
    assert.ok(nested.length < 10_000 && nested.startsWith("{"), `${nested.length}`);
    assert.equal(await fileOf([object("quota", { labels: labelsOf("bob") })]), undefined);
  });

  it("is read as it was written, whatever text it has", async () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc
        .array(fc.constantFrom("\n", " ", "\t", "\r", "a", ": ", "0o17", "---", "word ".repeat(30)))
        .map((all) => all.join("")),
    );
    const same = async (data: unknown) => {
      const file = await fileOf([object("texts", {}, { data }), object("z")]);
      const [first, ...others] = restorables(new Map([[file?.name ?? "", file?.text ?? ""]]));
      assert.deepEqual([first?.object.data, others.length], [data, 1]);
      assert.deepEqual((parseAllDocuments(file?.text ?? "", { version: "1.1" })[0] as Document).toJS().data, data);
    };
    for (const one of ["0o17", "\n\n \n", "\ta\n  b", "0b11", "on"]) {
      await same({ one });
    }
    const { text: merging = "" } = (await fileOf([object("texts", {}, { data: { "<<": "a" } })])) ?? {};
    assert.deepEqual(restorables(new Map([["", merging]]))[0]?.object.data, { "<<": "a" });
    await fc.assert(
      fc.asyncProperty(text, (one) => same({ one, list: [one] })),
      { numRuns: 100 },
    );
  });
});
