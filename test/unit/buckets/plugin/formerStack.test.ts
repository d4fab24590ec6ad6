import assert from "node:assert/strict";
import { diffBucket } from "../../../../buckets/bucket/diff.ts";
import { markTags } from "../../../../buckets/bucket/mark.ts";
import { settingsOf } from "../../../../buckets/bucket/settings.ts";
import { createBucket, deleteBucket, previewBucket, updateBucket } from "../../../../buckets/plugin/bucketResource.ts";
import { inputsOf, mark, refusal, request, started, tagsOf } from "./bucketSamples.ts";

const tags = markTags({ ...mark, stack: "kubecamp/old" }, settingsOf(inputsOf()));
const adopting = inputsOf({ adopt: true });
const wayOut = /if that is this stack by a former name or cluster, set 'adopt: true' for one run to take it over$/;

describe("a bucket of a stack by its former name", () => {
  it("is refused with the way out, unless it is asked for", async () => {
    const { session, s3 } = started(inputsOf(), { tags });
    assert.match(await refusal(createBucket(session, request, inputsOf())), wayOut);
    assert.match(await refusal(previewBucket(session, request, inputsOf())), wayOut);
    assert.match(await refusal(updateBucket(session, request, inputsOf(), inputsOf({ versioning: true }))), wayOut);
    assert.deepEqual(s3.writes, []);
  });

  it("is taken over if it is asked for, which is said", async () => {
    const made = started(inputsOf(), { tags });
    await previewBucket(made.session, request, adopting);
    assert.deepEqual(made.s3.writes, []);
    await createBucket(made.session, request, adopting);
    const kept = started(inputsOf(), { tags });
    await updateBucket(kept.session, request, inputsOf(), adopting);
    for (const { bucket } of [made, kept]) assert.deepEqual(bucket.tags, tagsOf(inputsOf()));
    const told =
      "WARNING bucket 'alice-data' of alice is taken over: its tags said that it is of alice in the stack kubecamp/old (adopt)";
    assert.deepEqual(kept.said, [told]);
    assert.match(
      made.said[0] ?? "",
      /^WARNING .* will be taken over, though its tags say that it is of alice in the stack/,
    );
    assert.deepEqual(made.said.slice(1), [told]);
    await updateBucket(kept.session, request, adopting, inputsOf({ versioning: true }));
  });

  it("is asked for by an entry that changes in nothing else, once", () => {
    assert.deepEqual([...diffBucket(inputsOf(), adopting)], [["adopt", "UPDATE"]]);
    // Pulumi keeps what came of the last change, and the inputs of the last run.
    assert.deepEqual([...diffBucket(inputsOf(), adopting, adopting)], []);
    assert.deepEqual([...diffBucket(adopting, inputsOf(), adopting)], []);
    assert.deepEqual([...diffBucket(adopting, adopting, inputsOf())], [["adopt", "UPDATE"]]);
  });

  it("is left open, or not deleted, which is said with the way out", async () => {
    const back = /put its entry back with 'adopt: true' for one run, and take it out then$/;
    const { session, s3, said } = started(inputsOf(), { tags });
    await deleteBucket(session, request, inputsOf());
    assert.match(said[0] ?? "", back);
    assert.match(await refusal(deleteBucket(session, request, inputsOf({ reclaimPolicy: "Delete" }))), back);
    assert.deepEqual(s3.writes, []);
  });
});
