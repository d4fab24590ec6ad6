import assert from "node:assert/strict";
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
import type { Session } from "../../../../buckets/plugin/session.ts";
import { InitFailed } from "../../../../buckets/protocol/messages.ts";
import type { Props } from "../../../../buckets/protocol/values.ts";
import type { LiveAcl } from "../../../../buckets/s3/s3.ts";
import { aclOf, inputsOf, mark, policy, refusal, started, stateOf, tagsOf, urn } from "./bucketSamples.ts";
import { fakeSession } from "./fakeSession.ts";

const everybody = "http://acs.amazonaws.com/groups/global/AllUsers";
const objects = (count: number) => Array.from({ length: count }, (_, index) => ({ key: `${index}`, marker: false }));

describe("a new bucket", () => {
  it("makes a bucket as declared, with its ownership tags", async () => {
    const { session, s3, said } = fakeSession();
    const inputs = inputsOf({ acl: "public-read", policy, versioning: true });
    assert.deepEqual(await createBucket(session, urn, inputs), { id: "alice-data", properties: inputs });
    const { tags, acl, versioning, policy: live } = s3.buckets.get("alice-data") ?? assert.fail();
    assert.deepEqual(tags, tagsOf(inputs));
    assert.deepEqual(acl.grants.at(-1), { grantee: everybody, permission: "READ" });
    assert.equal(versioning, "Enabled");
    assert.equal(live, policy);
    assert.deepEqual(said, []);
  });

  it("writes a bucket's tags after its creation on a server that takes none with it", async () => {
    const { session, s3 } = fakeSession();
    s3.tagsAtCreation = false;
    await createBucket(session, urn, inputsOf());
    assert.deepEqual(s3.writes, ["CreateBucket alice-data", "PutBucketTagging alice-data"]);
    assert.deepEqual(s3.buckets.get("alice-data")?.tags, tagsOf(inputsOf()));
  });

  it("makes a bucket without tags on a server that has none, and warns", async () => {
    const { session, s3, said } = fakeSession();
    s3.failing.set("GetBucketTagging", "NotImplemented");
    await createBucket(session, urn, inputsOf());
    assert.equal(said.length, 1);
    assert.match(said[0] ?? "", /^WARNING bucket 'alice-data' of alice: this S3 server has no tags for buckets/);
  });

  it("finishes a bucket that a killed run has begun", async () => {
    const { session, s3 } = started(inputsOf({ policy }));
    await createBucket(session, urn, inputsOf({ policy }));
    assert.deepEqual(s3.writes, ["PutBucketPolicy alice-data"]);
  });

  it("refuses an existing bucket without 'adopt'", async () => {
    const { session, s3 } = started(inputsOf(), { tags: { team: "blue" } });
    const message = await refusal(createBucket(session, urn, inputsOf()));
    assert.equal(
      message,
      "bucket 'alice-data' of alice: it exists already, and this stack has not made it; choose another bucketName, " +
        "or set 'adopt: true' to take it over with all that is in it",
    );
    assert.equal(await refusal(previewBucket(session, urn, inputsOf())), message);
    assert.deepEqual(s3.writes, []);
  });

  it("brings an adopted bucket to its settings, and keeps its tags and objects", async () => {
    const { session, s3, bucket, said } = started(inputsOf(), {
      tags: { team: "blue" },
      policy,
      versioning: "Enabled",
      versions: objects(3),
    });
    const inputs = inputsOf({ adopt: true });
    await previewBucket(session, urn, inputs);
    assert.deepEqual(said, ["INFO bucket 'alice-data' of alice exists already, and will be taken over"]);
    assert.deepEqual(s3.writes, []);
    await createBucket(session, urn, inputs);
    assert.deepEqual(bucket.tags, { team: "blue", ...tagsOf(inputs) });
    assert.equal(bucket.policy, undefined);
    assert.equal(bucket.versioning, "Suspended");
    assert.equal(bucket.versions.length, 3);
  });

  it("refuses another member's bucket of any stack, even with 'adopt'", async () => {
    const inputs = inputsOf({ adopt: true });
    const dans = settingsIn({ ...inputs, member: "dan" });
    const why = /it exists already, of dan in the stack kubecamp\/(dev|prod); choose another bucketName, [^;]*$/;
    for (const another of [{ stack: "kubecamp/dev" }, { urn: `${urn}-2` }]) {
      const { session, s3 } = started(inputs, { tags: markTags({ ...mark, ...another }, dans) });
      assert.match(await refusal(createBucket(session, urn, inputs)), why);
      assert.deepEqual(s3.writes, []);
    }
  });

  it("records a bucket in the state once it exists, even if the rest fails", async () => {
    const { session, s3 } = fakeSession();
    s3.failing.set("PutBucketPolicy", "MalformedPolicy");
    const inputs = inputsOf({ policy });
    const error = await createBucket(session, urn, inputs).catch((each: unknown) => each);
    assert.ok(error instanceof InitFailed);
    assert.equal(error.id, "alice-data");
    assert.deepEqual(error.state, inputs);
    assert.equal(
      error.message,
      "bucket 'alice-data' of alice: https://s3.test answers 400 to PutBucketPolicy (the fake says MalformedPolicy); " +
        "correct the policy; each principal that it names must exist on that server",
    );
    s3.failing.clear();
    await updateBucket(session, urn, {}, inputs);
    assert.equal(s3.buckets.get("alice-data")?.policy, policy);
  });

  it("writes a bucket's tags in the next run if they could not be written", async () => {
    const { session, s3 } = fakeSession();
    s3.tagsAtCreation = false;
    s3.failing.set("PutBucketTagging", "InternalError");
    const error = await createBucket(session, urn, inputsOf()).catch((each: unknown) => each);
    assert.ok(error instanceof InitFailed);
    s3.failing.clear();
    assert.deepEqual(await updateBucket(session, urn, error.state, inputsOf()), inputsOf());
    assert.deepEqual(s3.buckets.get("alice-data")?.tags, tagsOf(inputsOf()));
  });

  it("takes no bucket for absent while the server does not answer", async () => {
    const { session, s3, said } = fakeSession();
    s3.failing.set("GetBucketLocation", "no answer");
    assert.equal(
      await refusal(createBucket(session, urn, inputsOf())),
      "bucket 'alice-data' of alice: no answer to GetBucketLocation from https://s3.test (connect ECONNREFUSED " +
        "127.0.0.1:9); what was done so far is kept: run again once the server answers",
    );
    assert.deepEqual(s3.writes, []);
    // A preview goes on without it, and says so.
    assert.deepEqual(await previewBucket(session, urn, inputsOf()), { id: "", properties: inputsOf() });
    assert.match(said.join(), /^WARNING could not check whether it exists: bucket 'alice-data' of alice: no answer/);
  });
});

describe("a bucket that changes", () => {
  it("writes only the settings of a bucket that differ", async () => {
    const { session, s3, bucket } = started(inputsOf({ policy, versioning: true }), { policy, versioning: "Enabled" });
    const grants = [{ grantee: "KC", permission: "READ" }];
    const inputs = inputsOf({ versioning: true, reclaimPolicy: "Delete", grants });
    assert.deepEqual(await updateBucket(session, urn, {}, inputs), inputs);
    // Access is granted first.
    assert.deepEqual(s3.writes, [
      "DeleteBucketPolicy alice-data",
      "PutBucketOwnershipControls alice-data",
      "PutBucketAcl alice-data",
      "PutBucketTagging alice-data",
    ]);
    assert.deepEqual(bucket.acl.grants, [...aclOf("ROOT").grants, ...grants]);
    assert.deepEqual(bucket.tags, tagsOf(inputs));
    s3.writes.length = 0;
    await updateBucket(session, urn, {}, inputs);
    assert.deepEqual(s3.writes, []);
  });

  it("gives a bucket to its user, and back to the administrator", async () => {
    const { session, s3, bucket } = started(inputsOf({ policy }), { policy, acls: true });
    const owned = inputsOf({ policy, acl: "public-read", bucketOwner: "KCALICE" });
    await updateBucket(session, urn, inputsOf({ policy }), owned);
    // All of it under the administrator first; and again, since ACL and policy end with the owner, the policy at once.
    assert.deepEqual(s3.writes, [
      "PutBucketOwnershipControls alice-data",
      "PutBucketAcl alice-data",
      "ChangeBucketOwner alice-data",
      "PutBucketPolicy alice-data",
      "PutBucketOwnershipControls alice-data",
      "PutBucketAcl alice-data",
    ]);
    assert.equal(bucket.acl.owner, "KCALICE");
    assert.deepEqual((await readBucket(session, urn, stateOf(owned)))?.inputs, owned);
    s3.writes.length = 0;
    await updateBucket(session, urn, owned, owned);
    assert.deepEqual(s3.writes, []);
    await updateBucket(session, urn, owned, inputsOf({ policy }));
    assert.deepEqual(s3.writes, ["ChangeBucketOwner alice-data", "PutBucketPolicy alice-data"]);
    assert.equal(bucket.acl.owner, "ROOT");
  });

  it("knows a bucket in another shard, and under another resource name", async () => {
    const shard = urn.replace("urn:pulumi:prod", "urn:pulumi:prod-2");
    assert.notEqual(shard, urn);
    const { session, s3, bucket } = started(inputsOf());
    await updateBucket(session, shard, {}, inputsOf());
    assert.deepEqual(s3.writes, []);
    const renamed = `${urn}-2`;
    await updateBucket(session, renamed, {}, inputsOf());
    assert.deepEqual(bucket.tags, markTags({ ...mark, urn: renamed }, settingsIn(inputsOf())));
    await updateBucket(session, urn, {}, inputsOf({ reclaimPolicy: "Delete" }));
    await deleteBucket(session, renamed, inputsOf({ reclaimPolicy: "Delete" }));
    assert.equal(s3.buckets.size, 0);
  });

  it("records the requested settings of a bucket's failed update, which the next run mends", async () => {
    const before = inputsOf({ reclaimPolicy: "Delete" });
    const { session, s3, bucket } = started(before, { acls: true });
    const opened = inputsOf({ acl: "public-read", policy });
    s3.failing.set("PutBucketPolicy", "MalformedPolicy");
    const error = await updateBucket(session, urn, before, opened).catch((each: unknown) => each);
    assert.ok(error instanceof InitFailed);
    assert.deepEqual([error.id, error.state], ["alice-data", opened]);
    assert.match(error.message, /^bucket 'alice-data' of alice: .*answers 400 to PutBucketPolicy/);
    assert.deepEqual(bucket.acl.grants.at(-1), { grantee: everybody, permission: "READ" });

    // Put back in the file, it differs from what was noted.
    assert.deepEqual([...diffBucket(opened, before).keys()].sort(), ["acl", "policy", "reclaimPolicy"]);
    await updateBucket(session, urn, error.state, before);
    assert.deepEqual(bucket.acl, aclOf("ROOT"));
  });
});

describe("a bucket that is looked at", () => {
  const read = (session: Session, inputs: Props) => readBucket(session, urn, stateOf(inputs));

  it("reads an unchanged bucket in the words of its declaration", async () => {
    const inputs = inputsOf({ policy, acl: "public-read" });
    const { session, s3, bucket } = started(inputs, { acls: true });
    await updateBucket(session, urn, {}, inputs);
    bucket.policy = JSON.stringify(JSON.parse(policy), null, 2);
    assert.deepEqual(await read(session, inputs), { id: "alice-data", inputs, properties: inputs });
    assert.ok(s3.writes.length > 0);
  });

  it("shows a refresh what somebody has changed on the bucket", async () => {
    const inputs = inputsOf({ policy });
    const acl: LiveAcl = { owner: "ROOT", grants: [{ grantee: "somebody", permission: "WRITE" }] };
    const { session } = started(inputs, { versioning: "Enabled", acl });
    const { acl: _, policy: __, ...rest } = inputs;
    const found = { ...rest, versioning: true, grants: acl.grants };
    assert.deepEqual((await read(session, inputs))?.inputs, found);
  });

  it("takes a bucket for gone only if the server says so", async () => {
    const { session, s3 } = fakeSession();
    assert.equal(await read(session, inputsOf()), undefined);
    s3.failing.set("GetBucketLocation", "no answer");
    assert.match(await refusal(read(session, inputsOf())), /no answer to GetBucketLocation/);
    s3.failing.set("GetBucketLocation", "AccessDenied");
    s3.add("alice-data");
    assert.match(await refusal(read(session, inputsOf())), /answers 403 to GetBucketLocation/);
  });
});

describe("a bucket that is declared no more", () => {
  const retained = inputsOf({ policy, acl: "public-read" });
  const deleted = inputsOf({ reclaimPolicy: "Delete", policy });

  it("retains an undeclared bucket, closed and without its stack's tags", async () => {
    const { session, s3, bucket, said } = started(retained, { acls: true, versions: objects(5) });
    bucket.tags = { ...bucket.tags, team: "blue" };
    await updateBucket(session, urn, {}, retained);
    await deleteBucket(session, urn, retained);
    assert.equal(bucket.versions.length, 5);
    assert.equal(bucket.policy, undefined);
    assert.deepEqual(bucket.acl, aclOf("ROOT"));
    assert.deepEqual(bucket.tags, { team: "blue", "kubecamp.dev/left-by": "kubecamp/prod alice" });
    assert.match(said.join(), /^INFO bucket 'alice-data' of alice stays on the server with all that is in it, closed/);
    // A later member with the same name does not get it.
    assert.match(await refusal(createBucket(session, urn, retained)), /this stack has not made it/);
    assert.ok(s3.buckets.has("alice-data"));
  });

  it("deletes a bucket with all versions, markers and uploads, in pages, with progress", async () => {
    const version = (index: number) => ({ key: `${index % 1500}`, versionId: `v${index}`, marker: index % 10 === 0 });
    const { session, s3, said } = started(deleted, {
      policy,
      versioning: "Suspended",
      versions: Array.from({ length: 2500 }, (_, index) => version(index)),
      uploads: Array.from({ length: 3200 }, (_, index) => ({ key: "big", uploadId: `u${index}` })),
    });
    await deleteBucket(session, urn, deleted);
    assert.equal(s3.buckets.size, 0);
    assert.deepEqual(said, [
      ...[900, 1800, 2250].map((count) => `STATUS bucket 'alice-data' of alice: ${count} objects deleted`),
      "INFO bucket 'alice-data' of alice is deleted with 2250 objects in it",
    ]);
    assert.equal(s3.writes[0], "DeleteBucketPolicy alice-data");
    assert.equal(s3.writes.filter((write) => write === "DeleteObjects alice-data").length, 3);
  });

  it("retains a bucket unless its tags and the state both say Delete", async () => {
    for (const [tagged, known] of [
      [retained, deleted],
      [deleted, retained],
    ] as const) {
      const { session, bucket, said } = started(tagged, { policy, versions: objects(1) });
      await deleteBucket(session, urn, known);
      assert.equal(bucket.versions.length, 1);
      assert.equal(bucket.policy, undefined);
      assert.deepEqual(bucket.tags, { "kubecamp.dev/left-by": "kubecamp/prod alice" });
      assert.equal(
        said.join(),
        "WARNING bucket 'alice-data' of alice stays on the server with all that is in it, closed to all but the server's " +
          `administrators (reclaimPolicy Retain); its tags say ${tagged.reclaimPolicy} and Pulumi's state does not, ` +
          "as after an up that failed half-way or with a lost state, so nothing in it is deleted; if it should be deleted, delete it " +
          "yourself, or put its entry back with 'adopt: true' for one run, then remove it",
      );
    }
  });

  it("deletes a bucket by the state on a server without tags", async () => {
    const { session, s3 } = started(deleted, { versions: objects(1) });
    s3.failing.set("GetBucketTagging", "NotImplemented");
    await deleteBucket(session, urn, deleted);
    assert.equal(s3.buckets.size, 0);
  });
});
