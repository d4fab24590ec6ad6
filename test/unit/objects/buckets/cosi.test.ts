import assert from "node:assert/strict";
import type { CosiSettings } from "../../../../config/storage/storage.ts";
import { cosiObjects } from "../../../../objects/buckets/bucketObjects.ts";
import { atOnce, bob, labelsOf, settings } from "../../samples.ts";

const storage = (version: CosiSettings["version"]): CosiSettings => ({
  kind: "cosi",
  version,
  bucketClassName: "standard",
  bucketAccessClassName: "keys",
});

describe("what asks a driver for a bucket", () => {
  it("asks a driver for a bucket and its keys, in either version of the API", () => {
    const metadata = {
      name: "data",
      namespace: "bob",
      labels: { ...labelsOf("bob"), "kubecamp.dev/bucket": "data" },
      annotations: { ...atOnce, "pulumi.com/skipAwait": "true" },
    };
    const spec = { bucketClassName: "standard", protocols: ["S3"] };
    const access = { bucketAccessClassName: "keys", serviceAccountName: "default", protocol: "S3" };
    const expected = {
      v1alpha1: { bucketClaimName: "data", credentialsSecretName: "data" },
      v1alpha2: { bucketClaims: [{ bucketClaimName: "data", accessMode: "ReadWrite", accessSecretName: "data" }] },
    };
    for (const version of ["v1alpha1", "v1alpha2"] as const) {
      const apiVersion = `objectstorage.k8s.io/${version}`;
      assert.deepEqual(cosiObjects(bob, { name: "data" }, storage(version), settings), [
        { part: "claim", apiVersion, kind: "BucketClaim", metadata, spec },
        { part: "access", apiVersion, kind: "BucketAccess", metadata, spec: { ...access, ...expected[version] } },
      ]);
    }
  });

  it("asks for a suspended member's bucket without keys", () => {
    const objects = cosiObjects({ ...bob, standing: "suspended" }, { name: "data" }, storage("v1alpha1"), settings);
    const kinds = objects.map(({ kind }) => kind);
    assert.deepEqual(kinds, ["BucketClaim"]);
  });
});
