import assert from "node:assert/strict";
import { labelsOnCluster } from "../../../config/labels.ts";
import { namespace } from "../../../objects/namespace.ts";
import { configuration, mistakes } from "../samples.ts";

const ada = { member: "ada", type: "user", labels: { course: "cs101", room: "" } };

const namespaceLabels = (labels: object | undefined, entry: object = ada) => {
  const { settings, members } = configuration({ members: [entry], ...(labels && { labels }) });
  return members.map((member) => namespace(member, settings).metadata.labels)[0];
};

describe("labels on the cluster", () => {
  it("puts on a member's namespace only the labels that the setting names", () => {
    const without = namespaceLabels(undefined);
    assert.deepEqual(namespaceLabels({ course: { onCluster: true }, team: { onCluster: true } }), {
      ...without,
      "labels.kubecamp.dev/course": "cs101",
    });
    assert.deepEqual(namespaceLabels({ course: {}, room: { onCluster: false } }), without);
    assert.deepEqual(namespaceLabels({ room: { onCluster: true } }), { ...without, "labels.kubecamp.dev/room": "" });
  });

  it("never lets a member's label stand for one of kubecamp, Kubernetes or a controller", () => {
    const taken = ["kubecamp.dev/member", "pod-security.kubernetes.io/enforce", "constructor", "__proto__"];
    const labels = Object.fromEntries(taken.map((key) => [key, "x"]));
    assert.deepEqual(labelsOnCluster({ labels }, { labelKeys: ["course", "constructor"] }), {
      "labels.kubecamp.dev/constructor": "x",
    });
    assert.deepEqual(mistakes({ members: [ada], labels: { "kubecamp.dev/member": { onCluster: true } } }), [
      "labels.kubecamp.dev/member: \"kubecamp.dev/member\" must be a label's key without a prefix, as it gets kubecamp's on the cluster",
    ]);
  });

  it("refuses what can't be a label's value, with member and field", () => {
    const wrong = { ...ada, labels: { course: "cs 101" } };
    assert.deepEqual(mistakes({ members: [wrong], labels: { course: { onCluster: true } } }), [
      `members[0].labels.course: "cs 101" can't be a label's value: at most 63 of a-z, 0-9, '-', '_' and '.', and no mark at either end (member 'ada')`,
    ]);
  });

  it("refuses other values, and an encrypted setting", () => {
    const mistaken = { course: { oncluster: true }, room: true };
    assert.equal(mistakes({ members: [ada], labels: mistaken }).length, 2);
    const isSecret = ([key]: readonly PropertyKey[]) => key === "labels";
    assert.deepEqual(mistakes({ members: [ada], labels: { course: { onCluster: true } } }, { isSecret }), [
      "labels: can't be encrypted; set it without --secret",
    ]);
  });
});
