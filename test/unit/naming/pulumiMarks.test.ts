import assert from "node:assert/strict";
import { specialSecretSig, specialSigKey, unknownValue } from "@pulumi/pulumi/runtime/index.js";
import { secretSignature, signatureKey, unknown } from "../../../naming/pulumiMarks.ts";

describe("the marks of Pulumi's values", () => {
  it("are those of its SDK", () => {
    assert.deepEqual(
      { signatureKey, secretSignature, unknown },
      { signatureKey: specialSigKey, secretSignature: specialSecretSig, unknown: unknownValue },
    );
  });
});
