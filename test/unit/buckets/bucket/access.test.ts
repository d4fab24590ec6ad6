import assert from "node:assert/strict";
import { partitionOf, withAccess } from "../../../../buckets/bucket/access.ts";
import { policyMistakes } from "../../../../config/storage/bucketPolicy.ts";

const further = { Effect: "Deny", Principal: "*", Action: "s3:PutObject", Resource: "arn:aws:s3:::data/*" };

describe("access to a bucket of one's own", () => {
  it("lets a member at the bucket's objects, and at nothing that decides who gets in", () => {
    const policy = withAccess("data", "KCALICE");
    assert.deepEqual(policyMistakes(policy, "data"), []);
    const { Statement } = JSON.parse(policy) as { Statement: { Action: string[]; Principal: unknown }[] };
    const principals = Statement.map(({ Principal }) => Principal);
    assert.deepEqual(principals, [{ AWS: ["KCALICE"] }, { AWS: ["KCALICE"] }]);
    const actions = Statement.flatMap(({ Action }) => Action);
    assert.ok(actions.includes("s3:PutObject") && actions.includes("s3:ListBucket"));
    assert.deepEqual(
      actions.filter((action) => /\*|Policy|Acl|Ownership|DeleteBucket|PutBucket|Retention|LegalHold/.test(action)),
      [],
    );
  });

  it("puts the member's statements before those of a declared policy", () => {
    for (const Statement of [further, [further]]) {
      const policy = withAccess("data", "KCALICE", JSON.stringify({ Version: "2008-10-17", Id: "x", Statement }));
      const made = JSON.parse(policy) as { Version: string; Id: string; Statement: object[] };
      assert.deepEqual([made.Version, made.Id, made.Statement.length], ["2008-10-17", "x", 3]);
      assert.deepEqual(made.Statement.at(-1), further);
    }
  });

  it("names a bucket in the partition of its region on AWS", () => {
    for (const [region, partition] of [
      ["eu-central-1", "aws"],
      ["cn-north-1", "aws-cn"],
      ["us-gov-west-1", "aws-us-gov"],
      ["eusc-de-east-1", "aws-eusc"],
    ] as const) {
      assert.equal(partitionOf({ region }), partition);
      assert.equal(partitionOf({ region, endpoint: "https://s3.cn-north-1.amazonaws.com.cn" }), partition);
      assert.equal(partitionOf({ region, endpoint: "https://s3.example.org" }), "aws");
      const { Statement } = JSON.parse(withAccess("data", "KC", undefined, partition)) as { Statement: object[] };
      const resources = Statement.map((each) => Object(each).Resource);
      assert.deepEqual(resources, [`arn:${partition}:s3:::data`, `arn:${partition}:s3:::data/*`]);
    }
    assert.equal(partitionOf({}), "aws");
  });
});
