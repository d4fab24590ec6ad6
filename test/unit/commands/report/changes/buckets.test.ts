import assert from "node:assert/strict";
import { markdownOf } from "../../../../../commands/report/print/markdown.ts";
import { summaryOf } from "../../../../../commands/report/print/summary.ts";
import { jsonOf, textOf } from "../../../../../commands/report/show.ts";
import { differenceText } from "../../../../../objects/shown/differences.ts";
import type { Finding } from "../../../../../plan/words/finding.ts";
import { storage } from "../../../samples.ts";
import { error, reportOfEdit, reportOn, type SampleStep, urn } from "../previews.ts";

const user = (member: string, buckets: readonly object[], more: object = {}) => ({
  member,
  type: "user",
  ...(buckets.length === 0 ? {} : { buckets }),
  ...more,
});
const data = { name: "data" };
const site = { name: "site", reclaimPolicy: "Delete" };
const stack = (...members: readonly object[]) => ({ members, storage });
const edit = (before: readonly object[], after: readonly object[], ...warnings: readonly Finding[]) =>
  reportOfEdit({ before: stack(...before), after: stack(...after), warnings });
/** What becomes of a bucket: it is deleted with as many objects, or stays. */
const goes = (member: string, bucket: string, objects?: number): Finding<"buckets"> => ({
  ...{ code: "buckets", member },
  facts: { bucket, deletes: objects === undefined ? undefined : { objects, more: false } },
});
/** Changes reported of a member who stays. */
const changes = async (before: object, after: object) =>
  (await edit([before], [after])).changing.flatMap(({ differences }) => differences.map(differenceText));

describe("buckets in a report", () => {
  it("reports a quota's further room for new buckets' objects in one line", async () => {
    assert.deepEqual(await changes(user("ann", []), user("ann", [data, site], { maxObjects: 200 })), [
      "objects of each kind 100 → 200",
      "bucket ann-data none → there",
      "bucket ann-site none → there",
    ]);
  });

  it("reports what changes of buckets, by the buckets' names", async () => {
    const opened = {
      ...data,
      versioning: true,
      acl: "public-read",
      reclaimPolicy: "Delete",
      policy: {
        Version: "2012-10-17",
        Statement: [
          {
            Effect: "Allow",
            Principal: "*",
            Action: ["s3:GetObject", "s3:ListBucket"],
            Resource: ["arn:aws:s3:::ann-data", "arn:aws:s3:::ann-data/*"],
            Condition: { StringEquals: { "aws:Referer": "hunter2" } },
          },
        ],
      },
    };
    assert.deepEqual(await changes(user("ann", [data, site]), user("ann", [opened, site])), [
      "bucket ann-data: ACL private → public-read",
      "bucket ann-data: lets in the member → the member; Allow s3:GetObject,s3:ListBucket to *",
      "bucket ann-data: reclaimPolicy Retain → Delete",
      "bucket ann-data: versioning off → on",
    ]);
    const grants = [{ grantee: "http://acs.amazonaws.com/groups/global/AllUsers", permission: "READ" }];
    assert.deepEqual(await changes(user("ann", [data]), user("ann", [{ ...data, grants }])), [
      "bucket ann-data: ACL private → none",
      "bucket ann-data: grants: + READ to http://acs.amazonaws.com/groups/global/AllUsers",
    ]);
  });

  it("reports that buckets no longer let a suspended member in", async () => {
    const reported = await changes(user("ann", [data]), user("ann", [data], { suspended: true }));
    assert.deepEqual(
      reported.filter((line) => /^(bucket|keys)/.test(line)),
      [
        "keys to buckets open → closed",
        "bucket ann-data: owner on the server the member → none",
        "bucket ann-data: lets in the member → none",
      ],
    );
  });

  it("reports new keys to buckets, and takes the Secret that is made anew for no defect", async () => {
    const keys = (bucketKeyGeneration: number) =>
      changes(user("ann", [data]), user("ann", [data], { bucketKeyGeneration }));
    assert.deepEqual(await keys(2), ["generation of the keys to buckets 1 → 2"]);
    const inputs = (value: string) => ({
      inputs: { kind: "Secret", metadata: { name: "data", namespace: "ann" }, data: { KEY: value } },
    });
    const step = { op: "replace", urn: urn("kubernetes:core/v1:Secret", "ann/bucket/data/secret") };
    const replaced = reportOn([{ ...step, old: inputs("hunter2"), new: inputs("hunter3") }]);
    const differences = [{ what: "Secret ann/data", from: "there", to: "made anew" }];
    assert.deepEqual([replaced.replacements, replaced.changing], [[], [{ member: "ann", differences }]]);
  });

  it("reports buckets that go first of all, with what is lost, of members who stay or leave", async () => {
    const report = await edit(
      [user("ann", [data, site]), user("bob", [data, site])],
      [user("ann", [])],
      goes("ann", "ann-data"),
      goes("ann", "ann-site", 10_000),
      goes("bob", "bob-data"),
    );
    assert.deepEqual(
      report.buckets.map(({ bucket, fate, what }) => [bucket, fate, what]),
      [
        ["ann-site", "deleted", "is deleted with 10,000 objects (Delete)"],
        ["bob-site", "deleted", "is deleted with all that is in it, not counted (Delete)"],
        ["ann-data", "kept", "stays on the server with all that is in it, closed to everybody (Retain)"],
        ["bob-data", "kept", "stays on the server with all that is in it, closed to everybody (Retain)"],
      ],
    );
    assert.equal(summaryOf(report), "1 leaves, 2 buckets are deleted, 2 buckets are kept on the server");
    assert.deepEqual([report.changing, report.warnings], [[], []]);
    // Eight that everybody has, a Secret and a ConfigMap for each bucket: a bucket itself is no object of the cluster.
    assert.equal(report.leaving[0]?.objects, 12);
    const red =
      /> \[!CAUTION\]\n> \*\*Buckets that go: 2 buckets are deleted, with everything in them\. That can't be undone\.\*\*/;
    assert.match(markdownOf(report), red);
    assert.match(textOf(report, 80), /!! BUCKETS THAT GO\n1? ?2 buckets are deleted/);
    assert.deepEqual(jsonOf(report).found, ["removal", "bucket"]);
  });

  it("reports buckets that would go only where a preview failed before deletions", () => {
    const warnings = [goes("ann", "ann-site", 3)];
    const lost = { bucket: "ann-site", member: "ann", fate: "deleted", what: "is deleted with 3 objects (Delete)" };
    assert.deepEqual(reportOn([], { warnings, ...error("no") }).buckets, [lost]);
    assert.deepEqual(reportOn([], { warnings }).buckets, []);
  });

  describe("of a driver", () => {
    const type = "kubernetes:objectstorage.k8s.io/v1alpha1:Bucket";
    const state = { inputs: { kind: "BucketClaim", metadata: { name: "data", namespace: "ann" }, spec: {} } };
    const claimAnd = (op: string): SampleStep[] =>
      ["Claim", "Access"].map((part) => ({
        ...{ op, urn: urn(`${type}${part}`, `ann/bucket/data/${part.toLowerCase()}`) },
        ...(op === "delete" ? { old: state } : { new: state }),
      }));

    it("reports each bucket of a driver in one line", () => {
      const { changing } = reportOn(claimAnd("create"));
      assert.deepEqual(changing, [
        { member: "ann", differences: [{ what: "bucket data", from: undefined, to: "there" }] },
      ]);
    });

    it("reports that a driver's buckets may be lost with their claims", () => {
      const report = reportOn(claimAnd("delete"));
      const what = "is the driver's to keep or delete, by its BucketClass's deletionPolicy";
      assert.deepEqual(report.buckets, [{ bucket: "data", member: "ann", fate: "driver", what }]);
      assert.equal(summaryOf(report), "1 bucket is left to its driver");
      assert.match(markdownOf(report), /> \[!CAUTION\]\n> \*\*Buckets that go\*\*/);
      assert.deepEqual(jsonOf(report).found, ["bucket"]);
    });
  });
});
