import assert from "node:assert/strict";
import { checkBucket, diffBucket } from "../../../../buckets/bucket/check.ts";
import type { Props } from "../../../../buckets/protocol/values.ts";
import { unknown } from "../../../../config/names/pulumiMarks.ts";

const inputsOf = (args: Props): Props =>
  checkBucket({}, { bucketName: "data", member: "alice", ...args }, { givesBuckets: true }).inputs;
const diff = (before: Props, after: Props) => Object.fromEntries(diffBucket(inputsOf(before), inputsOf(after)));
const statement = { Effect: "Allow", Principal: "*", Action: "s3:GetObject", Resource: "arn:aws:s3:::data/*" };
const policy = (...statements: object[]) => JSON.stringify({ Statement: statements });
const everybody = "http://acs.amazonaws.com/groups/global/AllUsers";

describe("the difference between two declarations of a bucket", () => {
  const cases: [string, Props, Props, Record<string, string>][] = [
    ["equal declarations", { policy: policy(statement) }, { policy: policy(statement) }, {}],
    [
      "changed fields",
      { versioning: true },
      { reclaimPolicy: "Delete" },
      { reclaimPolicy: "UPDATE", versioning: "UPDATE" },
    ],
    ["another member", {}, { member: "bob" }, { member: "UPDATE" }],
    ["a policy that comes", {}, { policy: policy(statement) }, { policy: "ADD" }],
    [
      "a policy in other words",
      { policy: policy(statement) },
      { policy: policy({ ...statement, Action: ["s3:GetObject"] }) },
      {},
    ],
    [
      "grants instead of a canned ACL",
      { acl: "public-read" },
      { grants: [{ grantee: "KC", permission: "READ" }] },
      { acl: "DELETE", grants: "ADD" },
    ],
    [
      "the same grants as a canned ACL",
      { acl: "public-read" },
      { grants: [{ grantee: everybody, permission: "READ" }] },
      {},
    ],
    ["a bucket to take over, also if it is there", {}, { adopt: true }, { adopt: "UPDATE" }],
    ["a bucket to take over no more", { adopt: true }, { adopt: false }, {}],
    [
      "settings not known yet",
      { policy: policy(statement) },
      { policy: unknown, grants: [{ grantee: unknown, permission: "READ" }], versioning: unknown },
      { acl: "DELETE", grants: "ADD", policy: "UPDATE", versioning: "UPDATE" },
    ],
  ];
  for (const [what, before, after, expected] of cases) {
    it(`finds ${Object.keys(expected).join(", ") || "nothing"} to update in a bucket for ${what}`, () => {
      assert.deepEqual(diff(before, after), expected);
    });
  }
});
