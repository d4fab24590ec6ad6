import assert from "node:assert/strict";
import { namespace } from "../../../../components/objects/namespace.ts";
import { bob, labelsOf, settings } from "../../samples.ts";

describe("namespace", () => {
  it("has the member's name, the ownership labels and a pinned Pod Security Standard", () => {
    assert.deepEqual(namespace(bob, settings), {
      metadata: {
        name: "bob",
        labels: {
          ...labelsOf("bob"),
          "pod-security.kubernetes.io/enforce": "baseline",
          "pod-security.kubernetes.io/enforce-version": "v1.36",
          "pod-security.kubernetes.io/warn": "restricted",
          "pod-security.kubernetes.io/warn-version": "v1.36",
        },
      },
    });
  });

  it("says that its member is protected, for the run after they have left the list", () => {
    const { labels } = namespace({ ...bob, protect: true }, settings).metadata;
    assert.deepEqual(labels, { ...namespace(bob, settings).metadata.labels, "kubecamp.dev/protected": "true" });
  });
});
