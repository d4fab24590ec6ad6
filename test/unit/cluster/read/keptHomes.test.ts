import assert from "node:assert/strict";
import type { KubernetesObject } from "@kubernetes/client-node";
import { keptHomesOf } from "../../../../cluster/read/keptHomes.ts";

const labels = (member: string, stack = "dev") => ({ "kubecamp.dev/stack": stack, "kubecamp.dev/member": member });
const namespace = (name: string, more: NonNullable<KubernetesObject["metadata"]> = {}): KubernetesObject => ({
  metadata: { name, labels: labels(name), ...more },
});
const role = (member: string, entry: string, more: NonNullable<KubernetesObject["metadata"]> = {}) => ({
  metadata: { namespace: member, labels: labels(member), annotations: { "kubecamp.dev/entry": entry }, ...more },
});
const alone = { stack: "dev" };

describe("what runs keep of members", () => {
  it("reads a member's entry from the role, and day and protection from the namespace", () => {
    const marks = { "kubecamp.dev/leaves": "2026-12-31", "kubecamp.dev/protected": "true" };
    const namespaces = [namespace("bob", { labels: { ...labels("bob"), ...marks } }), namespace("ana")];
    assert.deepEqual(keptHomesOf(namespaces, [role("bob", "{}")], alone), [
      { member: "bob", protect: true, leaves: "2026-12-31", entry: "{}" },
      { member: "ana", protect: false },
    ]);
  });

  it("reads a member's archive from the namespace, if the mark is whole", () => {
    const mark = { bucket: "kept", prefix: "dev/bob/", sha256: "0", leaves: "2026-12-31", asked: "retain", state: "0" };
    const of = (text: string) =>
      keptHomesOf([namespace("bob", { annotations: { "kubecamp.dev/archive": text } })], [], alone)[0]?.archive;
    assert.deepEqual(of(JSON.stringify(mark)), mark);
    const halves = [{ leaves: "" }, { sha256: 1 }].map((change) => JSON.stringify({ ...mark, ...change }));
    for (const wrong of ["", "{", "null", ...halves]) {
      assert.equal(of(wrong), undefined, wrong);
    }
  });

  it("reads kept members of this stack, or of all shards of its family", () => {
    const namespaces = ["prod", "prod-1", "test"].map((stack, at) =>
      namespace(`m${at}`, { labels: labels(`m${at}`, stack) }),
    );
    const of = (settings: Parameters<typeof keptHomesOf>[2]) =>
      keptHomesOf(namespaces, [], settings).map(({ member }) => member);
    assert.deepEqual(of({ stack: "prod" }), ["m0"]);
    assert.deepEqual(of({ stack: "prod-1", shards: { family: "prod", count: 2 } }), ["m0", "m1"]);
  });

  it("reads no kept member from namespaces that are being deleted, or are nobody's", () => {
    const namespaces = [
      namespace("bob", { deletionTimestamp: new Date() }),
      namespace("eve", { labels: labels("mallory") }),
      namespace("other", { labels: {} }),
    ];
    assert.deepEqual(keptHomesOf(namespaces, [role("bob", "{}")], alone), []);
  });

  it("knows a kept member whose namespace lost its labels", () => {
    assert.deepEqual(keptHomesOf([namespace("bob", { labels: {} })], [role("bob", "{}")], alone), [
      { member: "bob", protect: false, entry: "{}" },
    ]);
  });

  it("takes the newer role's entry, never one of another stack's or namespace's role", () => {
    const roles = [
      role("bob", "new", { creationTimestamp: new Date("2026-02-01") }),
      role("bob", "old", { creationTimestamp: new Date("2026-01-01") }),
      role("bob", "foreign", { labels: labels("bob", "test") }),
      role("bob", "elsewhere", { namespace: "eve" }),
    ];
    assert.deepEqual(keptHomesOf([namespace("bob")], roles, alone)[0]?.entry, "new");
  });
});
