import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import * as aws from "@aws-sdk/client-s3";
import { withAccess } from "../../../buckets/bucket/access.ts";
import { markTags } from "../../../buckets/bucket/mark.ts";
import { type Keys, useS3 } from "../support/s3.ts";
import { type Declared, type DeclaredBucket, fine, useBuckets, usersOf } from "./project.ts";

const reclaimPolicy = "Delete";
const secretOf = () => randomBytes(20).toString("hex");
/** Users of the server before kubecamp, who may also write their bucket's tags. */
const carolsKeys: Keys = { accessKeyId: "CAROLS-OWN-KEY", secretAccessKey: secretOf() };
const corasKeys: Keys = { accessKeyId: "CORAS-OWN-KEY", secretAccessKey: secretOf() };
/** Another tenant of the server, who may make buckets. */
const mallorysKeys: Keys = { accessKeyId: "MALLORYS-KEY", secretAccessKey: secretOf() };

const bucketOf = (member: string, more: Partial<DeclaredBucket> = {}): DeclaredBucket => ({
  ...{ bucketName: `${member}-data`, member, reclaimPolicy },
  ...more,
});
const letsIn = (bucketName: string, key: string) =>
  JSON.stringify({
    Statement: [
      { Effect: "Allow", Principal: { AWS: key }, Action: "s3:GetObject", Resource: `arn:aws:s3:::${bucketName}/*` },
    ],
  });
const taggedBy = (member: string, { accessKeyId }: Keys) => {
  const bucketName = `${member}-data`;
  const tagging = {
    Effect: "Allow",
    Principal: { AWS: accessKeyId },
    Action: ["s3:PutBucketTagging", "s3:GetBucketTagging"],
    Resource: `arn:aws:s3:::${bucketName}`,
  };
  return bucketOf(member, { policy: withAccess(bucketName, accessKeyId, JSON.stringify({ Statement: [tagging] })) });
};

describe("buckets of hostile members and strangers, on a real S3 server", () => {
  const server = useS3();
  const project = useBuckets(server);

  /** Users and buckets that the program declares at the moment. */
  let declared: Declared = {};
  const users = () => usersOf(server);
  const up = async (next: Declared) => {
    declared = next;
    return fine(await project.up(declared));
  };
  const put = (keys: Keys, Bucket: string, Key: string) =>
    server.client(keys).send(new aws.PutObjectCommand({ Bucket, Key, Body: "hello" }));
  const get = (keys: Keys, Bucket: string, Key: string) =>
    server.client(keys).send(new aws.GetObjectCommand({ Bucket, Key }));
  const list = (keys: Keys, Bucket: string) => server.client(keys).send(new aws.ListObjectsV2Command({ Bucket }));
  const refused = (request: Promise<unknown>) => assert.rejects(request, { name: "AccessDenied" });
  const bucketsOf = async () =>
    ((await server.client().send(new aws.ListBucketsCommand({}))).Buckets ?? []).map(({ Name }) => Name).sort();
  const tagsOf = async (Bucket: string) => {
    const { TagSet = [] } = await server.client().send(new aws.GetBucketTaggingCommand({ Bucket }));
    return Object.fromEntries(TagSet.map(({ Key, Value }) => [Key, Value]));
  };

  before(async () => {
    for (const keys of [carolsKeys, corasKeys]) {
      await users().put({ ...keys, role: "user" });
    }
    await users().put({ ...mallorysKeys, role: "userplus" });
  });

  it("closes buckets to a copied key of a suspended member, also where others let it in", async () => {
    const buckets = {
      "alice/data": bucketOf("alice"),
      "bob/data": bucketOf("bob", { policy: letsIn("bob-data", "<alice>") }),
    };
    await up({ users: { alice: 1, bob: 1 }, buckets });
    const [hers, his] = [await project.keys("alice"), await project.keys("bob")];
    await put(his, "bob-data", "note");
    await put(hers, "alice-data", "note");
    await get(hers, "bob-data", "note");

    await up({ ...declared, inactive: ["alice"] });
    for (const bucket of ["bob-data", "alice-data"]) {
      await assert.rejects(get(hers, bucket, "note"), { name: "SignatureDoesNotMatch" });
    }
    await get(his, "bob-data", "note");
    fine(await project.preview(declared, "--expect-no-changes", "--refresh"));

    await up({ ...declared, inactive: [] });
    assert.deepEqual(await project.keys("alice"), hers);
    await get(hers, "bob-data", "note");
    await get(hers, "alice-data", "note");
  });

  it("lets no later member of the same name in where others had let in the former", async () => {
    const former = await project.keys("alice");
    const bobs = { "bob/data": bucketOf("bob", { policy: letsIn("bob-data", former.accessKeyId) }) };
    await up({ users: { bob: 1 }, buckets: bobs });
    await assert.rejects(get(former, "bob-data", "note"), { name: "InvalidAccessKeyId" });
    // The next test needs another one of his.
    const strange = { "bob/strange": bucketOf("bob", { bucketName: "bob-strange" }) };
    await up({ users: { alice: 1, bob: 1 }, buckets: { ...bobs, ...strange, "alice/data": bucketOf("alice") } });
    const later = await project.keys("alice");
    assert.notEqual(later.accessKeyId, former.accessKeyId);
    await put(later, "alice-data", "note");
    await refused(get(later, "bob-data", "note"));
  });

  it("closes and keeps a bucket with what the server does not delete, and removes the others", async () => {
    const his = await project.keys("bob");
    for (const name of ["a\u0001b", "plain"]) {
      await put(his, "bob-strange", name);
    }
    // An unfinished upload with such a name is no reason to keep a bucket.
    const upload = new aws.CreateMultipartUploadCommand({ Bucket: "bob-data", Key: "a\u0001b" });
    assert.ok((await server.client(his).send(upload)).UploadId);

    const output = await up({});
    assert.match(output, /bucket 'bob-strange' of bob is not deleted, and stays on the server, closed to all but/);
    assert.match(output, /with 1 object deleted in it: the server keeps objects in it, such as 'a/);
    assert.match(output, /bucket 'bob-data' of bob is deleted with 1 object/);
    assert.deepEqual(await bucketsOf(), ["bob-strange"]);
    assert.deepEqual(await tagsOf("bob-strange"), {
      "kubecamp.dev/left-by": "kubecamp/test bob",
      "kubecamp.dev/reclaim-policy": "Delete",
    });
    await assert.rejects(list(his, "bob-strange"), { name: "InvalidAccessKeyId" });
    await assert.rejects(server.client().send(new aws.GetBucketPolicyCommand({ Bucket: "bob-strange" })));
  });

  it("closes buckets to members who have cleared their tags or made them another stack's", async () => {
    const [carol, cora, dan] = [taggedBy("carol", carolsKeys), taggedBy("cora", corasKeys), bucketOf("dan")];
    await up({ users: { dan: 1 }, buckets: { "carol/data": carol, "cora/data": cora, "dan/data": dan } });
    const theirs = [
      ["carol-data", carolsKeys],
      ["cora-data", corasKeys],
    ] as const;
    const his = await project.keys("dan");
    for (const [bucket, keys] of [...theirs, ["dan-data", his]] as const) {
      await put(keys, bucket, "note");
    }
    await server.client(carolsKeys).send(new aws.DeleteBucketTaggingCommand({ Bucket: "carol-data" }));
    const TagSet = [
      { Key: "kubecamp.dev/stack", Value: "kubecamp/dev" },
      { Key: "kubecamp.dev/member", Value: "dan" },
    ];
    await server.client(corasKeys).send(new aws.PutBucketTaggingCommand({ Bucket: "cora-data", Tagging: { TagSet } }));

    const output = await up({ ...declared, inactive: ["carol", "cora", "dan"] });
    assert.match(output, /bucket 'carol-data' of carol: it does not have this stack's tags; they are restored/);
    assert.match(
      output,
      /bucket 'cora-data' of cora lets nobody in any more, and is left as it is otherwise: its tags say that it is of dan in/,
    );
    for (const [bucket, keys] of theirs) {
      await refused(get(keys, bucket, "note"));
    }
    await assert.rejects(get(his, "dan-data", "note"), { name: "SignatureDoesNotMatch" });

    // Nothing is said of the deletion of one that an earlier run has left.
    assert.doesNotMatch(await up({}), /bob-strange/);
    assert.deepEqual(await bucketsOf(), ["bob-strange", "cora-data"]);
    await server.client().send(new aws.DeleteObjectCommand({ Bucket: "cora-data", Key: "note" }));
    await server.client().send(new aws.DeleteBucketCommand({ Bucket: "cora-data" }));
  });

  it("shows why policies with exceptions are refused: the server would open the bucket to all", async () => {
    const all = { Principal: "*", Resource: ["arn:aws:s3:::gus-data", "arn:aws:s3:::gus-data/*"] };
    const policy = JSON.stringify({
      Version: "2012-10-17",
      Statement: [
        { Effect: "Allow", Action: "s3:*", ...all },
        { Effect: "Deny", NotAction: "s3:GetObject", ...all },
      ],
    });
    // The configuration refuses it: with this policy, anybody can write and delete.
    await server.client().send(new aws.CreateBucketCommand({ Bucket: "gus-data" }));
    await server.client().send(new aws.PutBucketPolicyCommand({ Bucket: "gus-data", Policy: policy }));
    const asAnybody = async (method: string) => (await fetch(`${server.endpoint}/gus-data/note`, { method })).status;
    assert.deepEqual([await asAnybody("PUT"), await asAnybody("DELETE")], [200, 204]);
    await server.client().send(new aws.DeleteBucketCommand({ Bucket: "gus-data" }));
  });

  it("gives no user a bucket while the server does not take what limits them", async () => {
    const gone = bucketOf("bob", { policy: letsIn("bob-data", "KCGONEGONEGONEGONEGO") });
    const next = { users: { bob: 1 }, buckets: { "bob/data": gone } };
    const { exitCode, output } = await project.up(next);
    assert.notEqual(exitCode, 0);
    assert.match(output, /answers 400 to PutBucketPolicy \(MalformedPolicy: .*correct the policy/);
    const his = await project.keys("bob");
    await refused(list(his, "bob-data"));
    await refused(put(his, "bob-data", "note"));
    await refused(server.client(his).send(new aws.DeleteBucketCommand({ Bucket: "bob-data" })));
    await up({ ...next, buckets: { "bob/data": bucketOf("bob") } });
    await put(his, "bob-data", "note");
  });

  it("takes no stranger's bucket with this stack's tags for its own", async () => {
    const tags = markTags(
      { stack: "kubecamp/test", urn: "urn:pulumi:any::any::kubecamp-buckets:index:Bucket::eve/data" },
      { ...bucketOf("eve"), reclaimPolicy, versioning: false, adopt: false },
    );
    const TagSet = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
    const mallory = server.client(mallorysKeys);
    await mallory.send(new aws.CreateBucketCommand({ Bucket: "eve-data" }));
    await mallory.send(new aws.PutBucketTaggingCommand({ Bucket: "eve-data", Tagging: { TagSet } }));
    const withEves = (adopt: boolean): Declared => ({
      users: { ...declared.users, eve: 1 },
      buckets: { ...declared.buckets, "eve/data": bucketOf("eve", { adopt }) },
    });
    const reported = /this stack's tags, but it belongs to 'MALLORYS-KEY' on the server; choose another bucketName/;
    for (const run of [await project.preview(withEves(false)), await project.up(withEves(false))]) {
      assert.notEqual(run.exitCode, 0, run.output);
      assert.match(run.output, reported);
    }
    assert.equal(await project.state("eve/data"), undefined);
    // The preview does not announce its deletion.
    assert.doesNotMatch(fine(await project.preview(declared)), /eve-data/);
    await put(mallorysKeys, "eve-data", "theirs");

    assert.match(await up(withEves(true)), /is taken over: it belongs to 'MALLORYS-KEY' on the server \(adopt\)/);
    await refused(get(mallorysKeys, "eve-data", "theirs"));
  });
});
