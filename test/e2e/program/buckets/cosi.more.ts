import assert from "node:assert/strict";
import { installCosi } from "../../support/definitions/cosi.ts";
import { refusedInProcess } from "../inProcess.ts";
import { type Entry, useStack } from "../stack.ts";

const settings = (version: string) => ({
  storage: { kind: "cosi", version, bucketClassName: "standard", bucketAccessClassName: "keys" },
});
const dan = (...names: readonly string[]): Entry => ({
  member: "dan",
  type: "user",
  buckets: names.map((name) => ({ name })),
});
/** Stays, without buckets. */
const eve: Entry = { member: "eve", type: "user" };

/** Specs that make the Secret `data`, by the version of COSI's CustomResourceDefinitions. */
const accesses: Readonly<Record<"v1alpha1" | "v1alpha2", object>> = {
  v1alpha1: { bucketClaimName: "data", credentialsSecretName: "data" },
  v1alpha2: { bucketClaims: [{ bucketClaimName: "data", accessMode: "ReadWrite", accessSecretName: "data" }] },
};

/** Leaves out the quota, which grows with a member's buckets. */
const ofDrivers = (steps: readonly string[]) => steps.filter((line) => line.includes("objectstorage"));

describe("buckets from a driver of the cluster's", () => {
  const stack = useStack("cosi");
  let forget = async () => undefined as unknown;
  /** Reads by path, since the sandbox's client keeps to the version that it first met. */
  const spec = async (version: string, kind: string) => {
    const path = `/apis/objectstorage.k8s.io/${version}/namespaces/dan/${kind}/data`;
    return Object(JSON.parse(await stack.sandbox.read(path))).spec as object;
  };

  after(() => forget());

  for (const version of ["v1alpha1", "v1alpha2"] as const) {
    const step = (operation: string, kind: string, name: string) =>
      `${operation} kubernetes:objectstorage.k8s.io/${version}:${kind} dan/bucket/${name}`;

    it(`refuses buckets of COSI ${version} where the cluster does not know it`, async () => {
      await stack.configure([dan("data"), eve], settings(version));
      await refusedInProcess(stack, [
        `objectstorage.k8s.io/${version}, which 'storage.kind: cosi' takes`,
        "Install its CustomResourceDefinitions and a driver, or set storage.version",
      ]);
    });

    it(`asks a driver for buckets by a claim and an access of ${version}`, async () => {
      await stack.configure([dan("data"), eve], settings(version));
      forget = await installCosi(stack.sandbox, version);
      const { steps } = await stack.up();
      const made = [step("create", "BucketClaim", "data/claim"), step("create", "BucketAccess", "data/access")];
      assert.deepEqual(ofDrivers(steps), made);
      assert.deepEqual(await spec(version, "bucketclaims"), { bucketClassName: "standard", protocols: ["S3"] });
      assert.deepEqual(await spec(version, "bucketaccesses"), {
        bucketAccessClassName: "keys",
        serviceAccountName: "default",
        protocol: "S3",
        ...accesses[version],
      });
    });

    it(`deletes claims of ${version} that nobody declares, and lets no member change them`, async () => {
      for (const kind of ["bucketclaims", "bucketaccesses"]) {
        for (const verb of ["create", "update", "delete"]) {
          const resource = `${kind}.objectstorage.k8s.io`;
          assert.equal(await stack.sandbox.may("oidc:dan", verb, resource, "dan"), false, `${verb} ${kind}`);
        }
      }
      await stack.configure([{ member: "dan", type: "user" }, eve], settings(version));
      const { steps } = await stack.up();
      const gone = [step("delete", "BucketAccess", "data/access"), step("delete", "BucketClaim", "data/claim")];
      assert.deepEqual(ofDrivers(steps), gone);
      await forget();
      forget = async () => undefined;
    });
  }
});
