import assert from "node:assert/strict";
import { serviceAccount } from "../../../objects/serviceAccount.ts";
import { atOnce, bob, labelsOf, settings } from "../samples.ts";

describe("serviceAccount", () => {
  it("declares the ServiceAccount of pods that name none, and gives them no token", () => {
    assert.deepEqual(serviceAccount(bob, settings), {
      metadata: { name: "default", namespace: "bob", labels: labelsOf("bob"), annotations: atOnce },
      automountServiceAccountToken: false,
    });
  });
});
