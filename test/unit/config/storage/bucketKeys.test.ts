import assert from "node:assert/strict";
import { mistakes } from "../../samples.ts";

const storage = { accessKeyId: "admin", secretAccessKey: "top-secret" };
const keys = (accessKeyId: string, more: object = {}) => ({ accessKeyId, secretAccessKey: "s", ...more });
const withBucket = (member: string) => ({ member, type: "user", buckets: [{ name: "data" }] });

const reported = (
  bucketKeys: unknown,
  members: readonly object[] = ["alice", "bob"].map(withBucket),
  more: object = {},
) => mistakes({ storage: { ...storage, users: "versitygw", endpoint: "http://s3", ...more }, bucketKeys, members });

describe("mistakes in given keys", () => {
  it("refuses invalid keys to buckets without showing them", () => {
    assert.deepEqual(reported({ alice: "top-secret" }), [
      "bucketKeys.alice: [secret] must be a map with accessKeyId and secretAccessKey",
    ]);
    assert.deepEqual(reported("top-secret"), ["bucketKeys: [secret] must be a map of keys by members' names"]);
    assert.deepEqual(reported({ alice: { accessKeyId: "a b", secretAccessKey: "top secret", principal: "" } }), [
      `bucketKeys.alice.accessKeyId: "a b" must be an access key, without blanks, commas and slashes`,
      "bucketKeys.alice.secretAccessKey: [secret] must be a secret key, without blanks",
      `bucketKeys.alice.principal: "" must not be empty`,
    ]);
    assert.deepEqual(reported({ alice: { secretAcessKey: "top-secret" } }), [
      "bucketKeys.alice.accessKeyId: is missing: must be a text",
      "bucketKeys.alice.secretAccessKey: is missing: must be a text",
      "bucketKeys.alice.secretAcessKey: is no setting here; did you mean 'secretAccessKey'?",
    ]);
  });

  it("refuses given keys for nobody, and for a member without buckets", () => {
    const out = "remove them: pulumi config rm --path kubecamp:bucketKeys";
    assert.deepEqual(reported({ alcie: keys("A"), bob: keys("B") }), [
      `bucketKeys.alcie: has keys for no member of the list; did you mean 'alice'?; ${out}.alcie`,
    ]);
    const bare = [withBucket("alice"), { member: "bob", type: "user" }];
    assert.deepEqual(reported({ alice: keys("A"), bob: keys("B") }, bare), [
      `bucketKeys.bob: has keys, but the member has no buckets; give them some, or ${out}.bob`,
    ]);
    assert.deepEqual(
      reported({ bob: keys("B") }, [{ member: "bob", type: "user", buckets: 5 }]).map((line) => line.split(":")[0]),
      ["members[0].buckets"],
    );
  });

  it("refuses given keys that open more than one member's buckets", () => {
    const own = "give the member another";
    assert.deepEqual(reported({ alice: keys("A"), bob: keys("A") }), [
      `bucketKeys.bob.accessKeyId: is that of bucketKeys.alice, too: each could open the other's buckets; ${own}`,
    ]);
    assert.deepEqual(reported({ alice: keys("A", { principal: "p" }), bob: keys("B", { principal: "p" }) }), [
      `bucketKeys.bob.principal: is that of bucketKeys.alice, too: each could open the other's buckets; ${own}`,
    ]);
    assert.deepEqual(reported({ alice: keys("admin") }), [
      `bucketKeys.alice.accessKeyId: is the administrator's (storage.accessKeyId), which opens everybody's buckets; ${own}`,
    ]);
    assert.deepEqual(reported({ alice: keys("A", { principal: "A" }), bob: keys("B", { principal: "B" }) }), []);
  });

  it("refuses given keys beside a COSI driver, which makes its own", () => {
    const cosi = { kind: "cosi", version: "v1alpha1", bucketClassName: "gold", bucketAccessClassName: "key" };
    assert.deepEqual(mistakes({ storage: cosi, bucketKeys: { alice: keys("A") }, members: [withBucket("alice")] }), [
      "bucketKeys: is for storage of kind: s3; leave it out: with cosi the driver makes members' keys",
    ]);
  });
});
