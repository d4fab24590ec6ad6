import assert from "node:assert/strict";
import { withAccess } from "../../../../buckets/bucket/access.ts";
import { diffBucket } from "../../../../buckets/bucket/check.ts";
import { markTags } from "../../../../buckets/bucket/mark.ts";
import { settingsIn } from "../../../../buckets/bucket/settings.ts";
import {
  createBucket,
  deleteBucket,
  previewBucket,
  readBucket,
  updateBucket,
} from "../../../../buckets/plugin/bucketResource.ts";
import { aclOf, inputsOf, mark, policy, refusal, started, stateOf, tagsOf, urn } from "./bucketSamples.ts";

const tags = markTags({ ...mark, stack: "kubecamp/old" }, settingsIn(inputsOf()));
const adopting = inputsOf({ adopt: true });
const wayOut = /if that is this stack by a former name or cluster, set 'adopt: true' for one run to take it over$/;

describe("a bucket of a stack by its former name", () => {
  it("refuses a former stack's bucket, with the way out", async () => {
    const { session, s3 } = started(inputsOf(), { tags });
    assert.match(await refusal(createBucket(session, urn, inputsOf())), wayOut);
    assert.match(await refusal(previewBucket(session, urn, inputsOf())), wayOut);
    assert.deepEqual(s3.writes, []);
  });

  it("leaves a changed bucket with a former stack's tags alone, and tries again", async () => {
    const { session, s3, said } = started(inputsOf(), { tags, policy });
    const news = inputsOf({ policy, versioning: true });
    assert.deepEqual(await updateBucket(session, urn, inputsOf(), news), inputsOf());
    const [warning = ""] = said;
    assert.match(warning, wayOut);
    assert.match(warning, /^WARNING bucket 'alice-data' of alice is left as it is: its tags say that it is of alice/);
    assert.deepEqual(s3.writes, []);
  });

  it("takes a former stack's bucket over with 'adopt', and warns", async () => {
    const made = started(inputsOf(), { tags });
    await previewBucket(made.session, urn, adopting);
    assert.deepEqual(made.s3.writes, []);
    await createBucket(made.session, urn, adopting);
    const kept = started(inputsOf(), { tags });
    await updateBucket(kept.session, urn, inputsOf(), adopting);
    for (const { bucket } of [made, kept]) {
      assert.deepEqual(bucket.tags, tagsOf(inputsOf()));
    }
    const reported =
      "WARNING bucket 'alice-data' of alice is taken over: its tags say that it is of alice in the stack kubecamp/old (adopt)";
    assert.deepEqual(kept.said, [reported]);
    const [previewed = "", ...then] = made.said;
    assert.match(previewed, /^WARNING .* will be taken over, though its tags say that it is of alice in the stack/);
    assert.deepEqual(then, [reported]);
    await updateBucket(kept.session, urn, adopting, inputsOf({ versioning: true }));
  });

  it("takes 'adopt' for a difference once, even if nothing else changes", () => {
    assert.deepEqual([...diffBucket(inputsOf(), adopting)], [["adopt", "UPDATE"]]);
    // Pulumi keeps what came of the last change, and the inputs of the last run.
    assert.deepEqual([...diffBucket(inputsOf(), adopting, adopting)], []);
    assert.deepEqual([...diffBucket(adopting, inputsOf(), adopting)], []);
    assert.deepEqual([...diffBucket(adopting, adopting, inputsOf())], [["adopt", "UPDATE"]]);
  });

  it("closes an undeclared bucket with a former stack's tags, and deletes nothing", async () => {
    const back = /put its entry back with 'adopt: true' for one run, then remove it$/;
    for (const reclaimPolicy of ["Retain", "Delete"]) {
      const { session, bucket, said } = started(inputsOf(), { tags, policy, versions: [{ key: "a", marker: false }] });
      await deleteBucket(session, urn, inputsOf({ reclaimPolicy, policy }));
      assert.match(said[0] ?? "", back);
      assert.match(said[0] ?? "", /^WARNING /);
      assert.deepEqual([bucket.policy, bucket.tags, bucket.versions.length], [undefined, tags, 1]);
    }
  });

  const theirs = JSON.stringify({
    Statement: [{ Effect: "Allow", Principal: "*", Action: "s3:GetObject", Resource: "arn:aws:s3:::alice-data/*" }],
  });
  const [oldKey, newKey] = ["KCABCDEFGHIJKLMNOPQR", "KCZZZZZZZZZZZZZZZZZZ"];

  it("leaves a bucket alone that another stack has adopted and opened to others", async () => {
    for (const [declared, bucket] of [
      [inputsOf({ policy, bucketOwner: oldKey }), { policy: theirs, acl: aclOf(newKey) }],
      [inputsOf({ policy, bucketOwner: oldKey }), { acl: aclOf(newKey) }],
      [inputsOf({ policy }), { policy: theirs }],
      [inputsOf(), { policy: theirs, acl: aclOf(newKey) }],
    ] as const) {
      const { session, s3, said } = started(inputsOf(), { tags, ...bucket });
      // A refresh notes nothing of what the other has declared.
      const found = await readBucket(session, urn, stateOf(declared));
      assert.deepEqual(found, { id: "alice-data", inputs: declared, properties: declared });
      assert.deepEqual(await updateBucket(session, urn, declared, inputsOf({ reclaimPolicy: "Delete" })), declared);
      await deleteBucket(session, urn, { ...declared, reclaimPolicy: "Delete" });
      assert.deepEqual(s3.writes, []);
      assert.equal(said.length, 3);
      const [refreshed = "", changed = "", deleted = ""] = said;
      const left = "WARNING bucket 'alice-data' of alice is left as it is: ";
      const why =
        "it gives access to others than this stack has declared, and its tags say that it is of alice in the stack";
      assert.ok(refreshed.startsWith(`${left}its tags say that it is of alice in the stack kubecamp/old`));
      assert.ok(changed.startsWith(`${left}${why}`));
      assert.match(changed, wayOut);
      assert.ok(deleted.startsWith(`${left}${why}`));
      assert.match(deleted, /put its entry back with 'adopt: true' for one run, then remove it$/);
    }
  });

  it("closes a bucket whose member may have written another stack's tags", async () => {
    const more = withAccess("alice-data", "KC", theirs);
    for (const [declared, bucket] of [
      [inputsOf({ policy, bucketOwner: oldKey }), { policy: theirs, acl: aclOf(oldKey) }],
      [inputsOf({ policy, bucketOwner: oldKey }), { policy: theirs }],
      [inputsOf({ policy }), { policy: more }],
      // Changes left by a run that failed half-way look the same as access that another stack opened since.
      [inputsOf(), { policy }],
      [inputsOf(), { policy: theirs }],
    ] as const) {
      const changed = started(inputsOf(), { tags, ...bucket });
      await updateBucket(changed.session, urn, declared, inputsOf());
      const left = started(inputsOf(), { tags, ...bucket });
      await deleteBucket(left.session, urn, declared);
      for (const { bucket } of [changed, left]) {
        assert.deepEqual([bucket.policy, bucket.acl.owner, bucket.tags], [undefined, "ROOT", tags]);
      }
    }
  });
});
