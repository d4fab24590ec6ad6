import assert from "node:assert/strict";
import { checkBucket } from "../../../../buckets/bucket/check.ts";
import { diffBucket } from "../../../../buckets/bucket/diff.ts";
import { createBucket, deleteBucket, readBucket } from "../../../../buckets/plugin/bucketResource.ts";
import type { Session } from "../../../../buckets/plugin/session.ts";
import { updateBucket } from "../../../../buckets/plugin/updateBucket.ts";
import type { Props } from "../../../../buckets/protocol/values.ts";
import { inputsOf, policy, refusal, started, urn } from "./bucketSamples.ts";

describe("a bucket that a user owns", () => {
  const made = "KCABCDEFGHIJKLMNOPQR";
  const owner = (key: string) => ({ owner: key, grants: [{ grantee: key, permission: "FULL_CONTROL" as const }] });
  const wayOut = /and without the API for users it can't be taken back; set 'users' as it was, then run again$/;
  const withoutUsers = (session: Session): Session => ({
    ...session,
    server: { ...session.server, users: () => undefined },
  });

  it("makes the administrator the owner before the policy that limited the user goes", async () => {
    // As after a lost state, while its member is suspended; and one that is adopted; and one that is known.
    for (const [tags, adopt] of [
      [undefined, false],
      [{}, true],
    ] as const) {
      const inputs = inputsOf({ adopt });
      const fake = started(inputs, { acl: owner(made), policy, ...(tags === undefined ? {} : { tags }) });
      await createBucket(fake.session, urn, inputs);
      assert.equal(fake.bucket.acl.owner, "ROOT");
      assert.equal(fake.bucket.policy, undefined);
      assert.equal(fake.s3.writes.at(-1), "ChangeBucketOwner alice-data");
      assert.ok(!fake.s3.writes.includes("DeleteBucketPolicy alice-data"));
    }
    const { session, s3, bucket } = started(inputsOf(), { acl: owner(made), policy });
    await updateBucket(session, urn, inputsOf(), inputsOf());
    assert.deepEqual(s3.writes, ["ChangeBucketOwner alice-data"]);
    assert.equal(bucket.acl.owner, "ROOT");
  });

  it("keeps the policy that limits the user where the bucket can't be taken back", async () => {
    const { session, users, bucket } = started(inputsOf(), { acl: owner(made), policy });
    users.isDown = true;
    await refusal(createBucket(session, urn, inputsOf()));
    await refusal(updateBucket(session, urn, inputsOf(), inputsOf()));
    await refusal(deleteBucket(session, urn, inputsOf()));
    assert.deepEqual([bucket.acl.owner, bucket.policy], [made, policy]);
  });

  it("shows a bucket's undeclared owner, and a declared one that is gone, in a refresh", async () => {
    const { session, bucket } = started(inputsOf(), { acl: owner("KCBOB") });
    const owned = inputsOf({ bucketOwner: "KCBOB" });
    const read = async (inputs: Props) =>
      (await readBucket(session, urn, { id: "alice-data", inputs, state: inputs }))?.inputs;
    assert.deepEqual(await read(inputsOf()), owned);
    assert.deepEqual([...diffBucket(owned, inputsOf())], [["bucketOwner", "DELETE"]]);
    bucket.acl = owner("ROOT");
    assert.deepEqual(await read(owned), inputsOf());
  });

  it("leaves a user's bucket untouched without the API for users", async () => {
    const owned = inputsOf({ bucketOwner: made });
    for (const [before, acl] of [
      [owned, owner(made)],
      [owned, owner("ROOT")],
      [inputsOf(), owner(made)],
    ] as const) {
      const { session, s3 } = started(inputsOf({ reclaimPolicy: "Delete" }), { acl, policy });
      const without = withoutUsers(session);
      assert.match(await refusal(updateBucket(without, urn, before, inputsOf())), wayOut);
      assert.match(await refusal(deleteBucket(without, urn, before)), wayOut);
      assert.match(await refusal(deleteBucket(without, urn, { ...before, reclaimPolicy: "Delete" })), wayOut);
      assert.deepEqual(s3.writes, []);
    }
    const { session, s3 } = started(inputsOf(), { tags: {}, acl: owner(made), policy });
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
