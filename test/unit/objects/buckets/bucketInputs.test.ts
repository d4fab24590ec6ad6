import assert from "node:assert/strict";
import { bucketInputs, bucketUserInputs } from "../../../../objects/buckets/bucketInputs.ts";
import { configuration, storage } from "../../samples.ts";

const Statement = [{ Effect: "Allow", Principal: "*", Action: "s3:GetObject", Resource: "arn:aws:s3:::ana-data/*" }];
const policy = JSON.stringify({ Version: "2012-10-17", Statement });
const grants = [{ grantee: "http://acs.amazonaws.com/groups/global/AllUsers", permission: "READ" }];
const standard = { bucketName: "ana-data", member: "ana", reclaimPolicy: "Retain", versioning: false, adopt: false };

/** The inputs of the one bucket that a member's entry declares. */
function inputs(bucket: object, { key, entry = {}, given }: { key?: string; entry?: object; given?: object } = {}) {
  const raw =
    given === undefined ? { storage } : { storage: { ...storage, users: undefined }, bucketKeys: { ana: given } };
  const buckets = [{ name: "data", ...bucket }];
  const { members } = configuration({ ...raw, members: [{ member: "ana", type: "user", ...entry, buckets }] });
  const [member] = members;
  const [made] = member?.buckets ?? [];
  assert.ok(member && made);
  return { bucket: bucketInputs(member, made, key), user: bucketUserInputs(member) };
}
const principalsIn = (text = "{}") =>
  (JSON.parse(text) as { Statement: { Principal: unknown }[] }).Statement.map(({ Principal }) => Principal);

describe("a bucket as it is declared to the server", () => {
  it("gives a bucket to its member, beside the declared policy", () => {
    const { bucket, user } = inputs({ policy }, { key: "KC1" });
    const { policy: text, ...rest } = bucket;
    assert.deepEqual(rest, { ...standard, acl: "private", bucketOwner: "KC1" });
    assert.deepEqual(principalsIn(text), [{ AWS: ["KC1"] }, { AWS: ["KC1"] }, "*"]);
    assert.deepEqual(user, { member: "ana", generation: 1 });
  });

  it("declares a bucket's grants instead of an ACL, and all other settings", () => {
    const { bucket } = inputs({ grants, versioning: true, adopt: true, reclaimPolicy: "Delete" });
    assert.deepEqual(bucket, { ...standard, grants, versioning: true, adopt: true, reclaimPolicy: "Delete" });
  });

  it("lets the principal of given keys into a bucket, if they name one", () => {
    const given = { accessKeyId: "hers", secretAccessKey: "s" };
    const { bucket, user } = inputs({ policy }, { given });
    assert.deepEqual(bucket, { ...standard, acl: "private", policy });
    assert.equal(user, undefined);
    const named = inputs({}, { given: { ...given, principal: "arn:aws:iam::1:user/ana" } }).bucket;
    assert.deepEqual(principalsIn(named.policy), Array(2).fill({ AWS: ["arn:aws:iam::1:user/ana"] }));
    assert.equal("bucketOwner" in named, false);
  });

  for (const [who, entry] of Object.entries({
    "a suspended member": { suspended: true },
    "an expired member": { expires: "2026-06-14" },
  })) {
    it(`closes the bucket of ${who}, whatever is declared`, () => {
      const closed = { ...standard, acl: "private" };
      assert.deepEqual(inputs({ policy, acl: "public-read" }, { key: "KC1", entry }).bucket, closed);
      assert.deepEqual(inputs({ grants }, { entry }).bucket, closed);
      const given = { accessKeyId: "hers", secretAccessKey: "s", principal: "arn:aws:iam::1:user/ana" };
      assert.deepEqual(inputs({}, { given, entry }).bucket, closed);
      assert.deepEqual(inputs({}, { entry }).user, { member: "ana", generation: 1, status: "Inactive" });
    });
  }
});
