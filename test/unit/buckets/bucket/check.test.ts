import assert from "node:assert/strict";
import { checkBucket } from "../../../../buckets/bucket/check.ts";
import { secret } from "../../../../buckets/protocol/values.ts";
import { unknown } from "../../../../config/names/pulumiMarks.ts";

const server = { givesBuckets: false };
const alices = { bucketName: "alice-data", member: "alice" };
const defaults = { reclaimPolicy: "Retain", versioning: false, adopt: false };

describe("a declared bucket", () => {
  it("fills in a bucket's defaults, and no canned ACL beside grants", () => {
    const inputs = { ...alices, ...defaults, acl: "private" };
    assert.deepEqual(checkBucket({}, alices, server), { inputs, failures: [] });
    const grants = [{ grantee: "KC", permission: "READ" }];
    const granted = checkBucket({}, { ...alices, grants, acl: null }, server);
    assert.deepEqual(granted, { inputs: { ...alices, ...defaults, grants }, failures: [] });
  });

  it("keeps a bucket's secret and unknown values as they are", () => {
    const news = { ...defaults, acl: unknown, bucketName: unknown, member: secret("alice"), versioning: secret(true) };
    assert.deepEqual(checkBucket(alices, news, server), { inputs: news, failures: [] });
  });

  it("refuses another name for a bucket", () => {
    assert.deepEqual(checkBucket(alices, { ...alices, versioning: true }, server).failures, []);
    const renamed = checkBucket(alices, { ...alices, bucketName: "other-data" }, server).failures;
    const reason =
      "bucket 'other-data' of alice: its name can't change from 'alice-data' to 'other-data': S3 renames no bucket, and a " +
      "new one would be empty; keep 'alice-data', or declare 'other-data' as a further bucket, copy the objects, and then " +
      "remove this one";
    assert.deepEqual(renamed, [{ property: "bucketName", reason }]);
  });
});
