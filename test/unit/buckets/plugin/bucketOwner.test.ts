import assert from "node:assert/strict";
import { checkBucket, diffBucket } from "../../../../buckets/bucket/check.ts";
import { createBucket, deleteBucket, readBucket, updateBucket } from "../../../../buckets/plugin/bucketResource.ts";
import type { Props } from "../../../../buckets/protocol/values.ts";
import { aclOf, inputsOf, policy, refusal, started, stateOf, urn, withoutUsers } from "./bucketSamples.ts";

describe("a bucket that a user owns", () => {
  const made = "KCABCDEFGHIJKLMNOPQR";
  const wayOut = /and without the API for users it can't be taken back; set 'users' as it was, then run again$/;

  it("makes the administrator the owner before the policy that limited the user goes", async () => {
    // As after a lost state, while its member is suspended; and one that is adopted; and one that is known.
    for (const adopt of [false, true]) {
      const inputs = inputsOf({ adopt });
      const fake = started(inputs, { acl: aclOf(made), policy, ...(adopt && { tags: {} }) });
      await createBucket(fake.session, urn, inputs);
      assert.equal(fake.bucket.acl.owner, "ROOT");
      assert.equal(fake.bucket.policy, undefined);
      assert.equal(fake.s3.writes.at(-1), "ChangeBucketOwner alice-data");
      assert.ok(!fake.s3.writes.includes("DeleteBucketPolicy alice-data"));
    }
    const { session, s3, bucket } = started(inputsOf(), { acl: aclOf(made), policy });
    await updateBucket(session, urn, inputsOf(), inputsOf());
    assert.deepEqual(s3.writes, ["ChangeBucketOwner alice-data"]);
    assert.equal(bucket.acl.owner, "ROOT");
  });

  it("keeps the policy that limits the user where the bucket can't be taken back", async () => {
    const { session, users, bucket } = started(inputsOf(), { acl: aclOf(made), policy });
    users.isDown = true;
    await refusal(createBucket(session, urn, inputsOf()));
    await refusal(updateBucket(session, urn, inputsOf(), inputsOf()));
    await refusal(deleteBucket(session, urn, inputsOf()));
    assert.deepEqual([bucket.acl.owner, bucket.policy], [made, policy]);
  });

  it("shows a bucket's undeclared owner, and a declared one that is gone, in a refresh", async () => {
    const { session, bucket } = started(inputsOf(), { acl: aclOf("KCBOB") });
    const owned = inputsOf({ bucketOwner: "KCBOB" });
    const read = async (inputs: Props) => (await readBucket(session, urn, stateOf(inputs)))?.inputs;
    assert.deepEqual(await read(inputsOf()), owned);
    assert.deepEqual([...diffBucket(owned, inputsOf())], [["bucketOwner", "DELETE"]]);
    bucket.acl = aclOf("ROOT");
    assert.deepEqual(await read(owned), inputsOf());
  });

  it("leaves a user's bucket untouched without the API for users", async () => {
    const owned = inputsOf({ bucketOwner: made });
    for (const [before, acl] of [
      [owned, aclOf(made)],
      [owned, aclOf("ROOT")],
      [inputsOf(), aclOf(made)],
    ] as const) {
      const { session, s3 } = started(inputsOf({ reclaimPolicy: "Delete" }), { acl, policy });
      const without = withoutUsers(session);
      assert.match(await refusal(updateBucket(without, urn, before, inputsOf())), wayOut);
      assert.match(await refusal(deleteBucket(without, urn, before)), wayOut);
      assert.match(await refusal(deleteBucket(without, urn, { ...before, reclaimPolicy: "Delete" })), wayOut);
      assert.deepEqual(s3.writes, []);
    }
    const { session, s3 } = started(inputsOf(), { tags: {}, acl: aclOf(made), policy });
    assert.match(await refusal(createBucket(withoutUsers(session), urn, inputsOf({ adopt: true }))), wayOut);
    assert.deepEqual(s3.writes, []);
  });

  it("refuses a user's bucket in a preview too without the API for users", () => {
    const olds = inputsOf({ bucketOwner: made });
    for (const news of [olds, inputsOf()]) {
      const { failures } = checkBucket(olds, news, { givesBuckets: false });
      const properties = failures.map(({ property }) => property);
      assert.deepEqual(properties, ["bucketOwner"]);
      assert.match(failures[0]?.reason ?? "", wayOut);
    }
  });
});
