import assert from "node:assert/strict";
import { checkBucket } from "../../../../buckets/bucket/check.ts";
import { type Props, secret } from "../../../../buckets/protocol/values.ts";
import { unknown } from "../../../../naming/pulumiMarks.ts";

const server = { givesBuckets: false };
const alices = { bucketName: "alice-data", member: "alice" };
const reasonsOf = (news: Props, olds: Props = {}) =>
  checkBucket(olds, news, server).failures.map(({ property, reason }) => `${property}: ${reason}`);

describe("a declared bucket", () => {
  it("has defaults", () => {
    const defaults = { reclaimPolicy: "Retain", acl: "private", versioning: false, adopt: false };
    assert.deepEqual(checkBucket({}, alices, server), { inputs: { ...alices, ...defaults }, failures: [] });
  });

  it("has no canned ACL beside grants", () => {
    const grants = [{ grantee: "KC", permission: "READ" }];
    const { inputs, failures } = checkBucket({}, { ...alices, grants }, server);
    assert.deepEqual(failures, []);
    assert.equal("acl" in inputs, false);
  });

  it("keeps what is secret, and what is not known yet", () => {
    const news = {
      bucketName: unknown,
      member: secret("alice"),
      policy: unknown,
      grants: [{ grantee: unknown, permission: "READ" }, unknown],
      adopt: unknown,
      versioning: secret(true),
      reclaimPolicy: unknown,
    };
    assert.deepEqual(checkBucket(alices, news, server), { inputs: news, failures: [] });
  });

  it("keeps its name, whatever else changes", () => {
    assert.deepEqual(reasonsOf({ ...alices, reclaimPolicy: "Delete", versioning: true }, alices), []);
    assert.deepEqual(reasonsOf({ ...alices, bucketName: "other-data" }, alices), [
      "bucketName: bucket 'other-data' of alice: its name can't change from 'alice-data' to 'other-data': S3 renames no " +
        "bucket, and a new one would be empty; keep 'alice-data', or declare 'other-data' as a further bucket, copy the " +
        "objects, and then remove this one",
    ]);
  });

  const mistakes: [Props, string][] = [
    [{ member: "alice" }, "bucketName: bucket '?' of alice: 'bucketName' is missing; give the bucket a name"],
    [{ bucketName: "data" }, "member: bucket 'data' of ?: 'member' has to name the bucket's member"],
    ...["Data", "da", "-data", "data-", "a..b", "192.168.1.1", "x".repeat(64)].map((bucketName): [Props, string] => [
      { ...alices, bucketName },
      `bucketName: bucket '${bucketName}' of alice: that is not a valid bucket name; use 3 to 63 small letters, digits, '-' and '.', with a letter or digit at both ends`,
    ]),
    [
      { ...alices, acl: "public" },
      `acl: bucket 'alice-data' of alice: 'acl' is one of private, public-read, public-read-write, authenticated-read, and not "public"`,
    ],
    [
      { ...alices, acl: "private", grants: [] },
      "grants: bucket 'alice-data' of alice: 'acl' and 'grants' exclude each other; keep one of them",
    ],
    [
      { ...alices, grants: [{ grantee: "KC", permission: "ALL" }] },
      `grants: bucket 'alice-data' of alice: grants[0].permission is one of FULL_CONTROL, READ, READ_ACP, WRITE, WRITE_ACP, and not "ALL"`,
    ],
    [
      { ...alices, grants: [{ permission: "READ" }] },
      "grants: bucket 'alice-data' of alice: grants[0] has no 'grantee'; give a canonical user ID or a group's URI",
    ],
    [
      { ...alices, policy: '{"Statement":[]}' },
      "policy: bucket 'alice-data' of alice: the policy has no 'Statement'; give at least one, or leave the policy out",
    ],
    [
      { ...alices, bucketOwner: "KC" },
      "bucketOwner: bucket 'alice-data' of alice: this server can't give a bucket another owner; leave 'bucketOwner' out, and let users in by 'policy'",
    ],
    [
      { ...alices, quotaMiB: 100 },
      "quotaMiB: bucket 'alice-data' of alice: this server has no quotas for buckets; leave 'quotaMiB' out",
    ],
    [
      { ...alices, name: "x" },
      "name: bucket 'alice-data' of alice: 'name' is unknown; known are bucketName, member, reclaimPolicy, acl, grants, policy, versioning, bucketOwner, adopt, quotaMiB",
    ],
  ];
  for (const [news, reported] of mistakes) {
    it(`is refused with ${JSON.stringify(news)}`, () => assert.deepEqual(reasonsOf(news), [reported]));
  }

  it("has no policy with exceptions on a server of users, which leaves them out", () => {
    const all = { Effect: "Deny", Principal: "*", Resource: "arn:aws:s3:::alice-data" };
    const policy = JSON.stringify({ Statement: { ...all, NotAction: "s3:GetObject" } });
    const reasons = checkBucket({}, { ...alices, policy }, { givesBuckets: true }).failures.map(({ reason }) => reason);
    assert.match(
      reasons.join(),
      /^bucket 'alice-data' of alice: the policy Statement\[0\] has 'NotAction', which versitygw/,
    );
    assert.deepEqual(reasonsOf({ ...alices, policy }), []);
  });

  it("has all its mistakes told at once", () => {
    assert.equal(reasonsOf({ bucketName: "X", acl: "x", versioning: 1, reclaimPolicy: "x" }).length, 5);
  });
});
