import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as aws from "@aws-sdk/client-s3";
import { withAccess } from "../../../buckets/bucket/access.ts";
import { type Keys, useS3 } from "../support/s3.ts";
import { failingProxy } from "./failingProxy.ts";
import { type Declared, fine, type Run, useBuckets, usersOf } from "./project.ts";

/** A user of the server before kubecamp, which therefore makes no keys for carol. */
const carolsKeys: Keys = { accessKeyId: "CAROLS-OWN-KEY", secretAccessKey: randomBytes(20).toString("hex") };

const reclaimPolicy = "Delete";
const alice = { bucketName: "alice-data", member: "alice", versioning: true } as const;
/** Alice may read a part of it. */
const bob = {
  bucketName: "bob-data",
  member: "bob",
  reclaimPolicy,
  policy: JSON.stringify({
    Statement: [
      {
        Effect: "Allow",
        Principal: { AWS: "<alice>" },
        Action: "s3:GetObject",
        Resource: "arn:aws:s3:::bob-data/shared/*",
      },
    ],
  }),
} as const;
const carol = {
  bucketName: "carol-data",
  member: "carol",
  reclaimPolicy,
  policy: withAccess("carol-data", carolsKeys.accessKeyId),
} as const;
const open = { bucketName: "open-data", member: "carol", acl: "public-read", reclaimPolicy } as const;
/** Bob may list it, by its ACL. */
const seen = {
  bucketName: "seen-data",
  member: "carol",
  grants: [{ grantee: "<bob>", permission: "READ" }],
  reclaimPolicy,
} as const;
const everyName = ["alice-data", "bob-data", "carol-data", "open-data", "seen-data"];
const many = 10_000;

describe("buckets on a real S3 server", () => {
  const server = useS3();
  const project = useBuckets(server, true);
  const everySecret = new Set<string>([carolsKeys.secretAccessKey]);

  /** Users and buckets that the program declares at the moment. */
  let declared: Required<Pick<Declared, "users" | "buckets">> = {
    users: { alice: 1, bob: 1 },
    buckets: { "alice/data": alice, "bob/data": bob, "carol/data": carol, "carol/open": open, "carol/seen": seen },
  };
  const admin = () => server.client();
  const users = () => usersOf(server);
  const failed = ({ exitCode, output }: Run): string => {
    assert.notEqual(exitCode, 0, output);
    return output;
  };
  const keysOf = async (name: string): Promise<Keys> => {
    const keys = await project.keys(name);
    everySecret.add(keys.secretAccessKey);
    return keys;
  };
  const bucketsOf = async (keys?: Keys) =>
    ((await server.client(keys).send(new aws.ListBucketsCommand({}))).Buckets ?? []).map(({ Name }) => Name).sort();
  const put = (keys: Keys, Bucket: string, Key: string) =>
    server.client(keys).send(new aws.PutObjectCommand({ Bucket, Key, Body: "hello" }));
  const get = async (keys: Keys, Bucket: string, Key: string) =>
    (await server.client(keys).send(new aws.GetObjectCommand({ Bucket, Key }))).Body?.transformToString();
  const list = (keys: Keys, Bucket: string) => server.client(keys).send(new aws.ListObjectsV2Command({ Bucket }));
  const versioning = async (Bucket: string) =>
    (await admin().send(new aws.GetBucketVersioningCommand({ Bucket }))).Status;
  const refused = (request: Promise<unknown>) => assert.rejects(request, { name: "AccessDenied" });

  it("makes buckets with their users, who may use their own and no other's", async () => {
    await users().put({ ...carolsKeys, role: "user" });

    fine(await project.preview(declared));
    assert.deepEqual(await bucketsOf(), []);
    fine(await project.up(declared));
    const [hers, his] = [await keysOf("alice"), await keysOf("bob")];

    assert.deepEqual(await bucketsOf(), everyName);
    assert.deepEqual(await bucketsOf(hers), ["alice-data"]);
    assert.deepEqual(await bucketsOf(his), ["bob-data"]);
    for (const [keys, bucket] of [
      [hers, "alice-data"],
      [his, "bob-data"],
      [carolsKeys, "carol-data"],
    ] as const) {
      await put(keys, bucket, "a/note");
      assert.equal(await get(keys, bucket, "a/note"), "hello");
      assert.equal((await list(keys, bucket)).KeyCount, 1);
      for (const other of [hers, his, carolsKeys].filter((each) => each !== keys)) {
        await refused(put(other, bucket, "a/note"));
        await refused(get(other, bucket, "a/note"));
        await refused(list(other, bucket));
      }
    }
    // A bucket's member may work in it, but neither open it to others nor delete it.
    const Policy = JSON.stringify({ Version: "2012-10-17", Statement: [] });
    await refused(server.client(hers).send(new aws.PutBucketPolicyCommand({ Bucket: "alice-data", Policy })));
    await refused(server.client(hers).send(new aws.PutBucketAclCommand({ Bucket: "alice-data", ACL: "public-read" })));
    await refused(server.client(hers).send(new aws.DeleteBucketCommand({ Bucket: "alice-data" })));
    assert.equal(await versioning("alice-data"), "Enabled");
  });

  it("lets in whom a bucket's policy, grants and ACL let in, and only for that", async () => {
    const [hers, his] = [await keysOf("alice"), await keysOf("bob")];
    await put(his, "bob-data", "shared/note");
    assert.equal(await get(hers, "bob-data", "shared/note"), "hello");
    await refused(put(hers, "bob-data", "shared/note"));

    assert.equal((await list(his, "seen-data")).KeyCount, 0);
    await refused(put(his, "seen-data", "note"));
    await refused(list(hers, "seen-data"));

    await put(server, "open-data", "page");
    const status = async (path: string, method: string) =>
      (await fetch(`${server.endpoint}/${path}`, { method })).status;
    assert.deepEqual([await status("open-data/page", "GET"), await status("open-data/page", "PUT")], [200, 403]);
    assert.equal(await status("alice-data/a/note", "GET"), 403);
  });

  it("leaves buckets as they are in a run that changes nothing", async () => {
    fine(await project.preview(declared, "--expect-no-changes", "--refresh"));
  });

  it("restores what somebody has changed of a bucket, and makes a new generation's secret", async () => {
    const before = await keysOf("alice");
    await admin().send(new aws.DeleteBucketPolicyCommand({ Bucket: "alice-data" }));
    const VersioningConfiguration = { Status: "Suspended" as const };
    await admin().send(new aws.PutBucketVersioningCommand({ Bucket: "alice-data", VersioningConfiguration }));
    await admin().send(new aws.PutBucketAclCommand({ Bucket: "open-data", ACL: "public-read-write" }));
    await admin().send(new aws.PutBucketAclCommand({ Bucket: "seen-data", ACL: "private" }));
    // No declared member owns this bucket.
    await users().giveBucket("carol-data", before.accessKeyId);
    assert.deepEqual(await bucketsOf(before), ["alice-data", "carol-data"]);

    declared = { ...declared, users: { ...declared.users, alice: 2 } };
    assert.match(fine(await project.run(declared, "preview", "--json")), /"secretAccessKey": "\[secret\]"/);
    const output = fine(await project.up(declared, "--refresh"));
    assert.match(output, /versioning: false => true/);
    assert.match(output, new RegExp(`- bucketOwner *: "${before.accessKeyId}"`));
    assert.match(output, /acl *: "public-read-write" => "public-read"/);
    const after = await keysOf("alice");
    assert.equal(after.accessKeyId, before.accessKeyId);
    await put(after, "alice-data", "a/note");
    assert.deepEqual(await bucketsOf(after), ["alice-data"]);
    await refused(list(after, "carol-data"));
    await put(carolsKeys, "carol-data", "a/note");
    await assert.rejects(put(before, "alice-data", "a/note"), { name: "SignatureDoesNotMatch" });
    assert.equal(await versioning("alice-data"), "Enabled");
    assert.equal((await list(await keysOf("bob"), "seen-data")).KeyCount, 0);
  });

  it("renames no bucket, adopts one only on demand, and takes a half-way change back", async () => {
    await admin().send(new aws.CreateBucketCommand({ Bucket: "old-data" }));
    await put(server, "old-data", "letter");
    const readable = async () => (await fetch(`${server.endpoint}/carol-data/a/note`)).status === 200;
    const withOld = (adopt: boolean, more: Declared["buckets"] = {}) => {
      const old = { bucketName: "old-data", member: "alice", adopt };
      return { ...declared, buckets: { ...declared.buckets, "alice/old": old, ...more } };
    };
    const renamed = { ...declared.buckets, "alice/data": { ...alice, bucketName: "alices-data" } };
    assert.match(
      failed(await project.up({ ...declared, buckets: renamed })),
      /bucket 'alices-data' of alice: its name can't change from 'alice-data' to 'alices-data'/,
    );
    // The ACL is set first, and the server refuses a policy for a user that it doesn't know.
    const policy = withAccess("carol-data", "NOBODY");
    const half = { ...carol, acl: "public-read", reclaimPolicy: "Retain", policy } as const;
    const output = failed(await project.up(withOld(false, { "carol/data": half }), "--continue-on-error"));
    assert.match(output, /bucket 'old-data' of alice: it exists already, and this stack has not made it;/);
    assert.match(output, /bucket 'carol-data' of carol: .* to PutBucketPolicy/);
    assert.deepEqual(await bucketsOf(), [...everyName, "old-data"].sort());
    assert.equal(await project.state("alice/old"), undefined);
    assert.equal(await readable(), true);
    assert.equal((await project.state("carol/data"))?.reclaimPolicy, "Retain");

    fine(await project.up(withOld(true)));
    assert.equal(await get(await keysOf("alice"), "old-data", "letter"), "hello");
    assert.equal(await readable(), false);
    assert.equal((await project.state("carol/data"))?.reclaimPolicy, "Delete");
    await put(carolsKeys, "carol-data", "a/note");
  });

  it("finishes buckets after the server went down in the middle of an up", async () => {
    // This list no longer declares alice's old bucket.
    const late = { bucketName: "late-data", member: "bob", reclaimPolicy, versioning: true } as const;
    declared = { ...declared, buckets: { ...declared.buckets, "bob/late": late } };
    const proxy = await failingProxy(
      server.endpoint,
      ({ method, url }) => method === "PUT" && new URL(`http://any${url}`).searchParams.has("versioning"),
    );
    const broken = failed(await project.up({ ...declared, endpoint: proxy.endpoint }));
    await proxy.close();
    assert.match(
      broken,
      /bucket 'late-data' of bob: no answer to PutBucketVersioning from http:.*run again once the server answers/,
    );
    assert.match(broken, new RegExp(`the S3 server was ${server.endpoint}, and is ${proxy.endpoint} now: buckets on`));
    assert.equal((await project.state("bob/late"))?.bucketName, "late-data");

    await server.stop();
    const later = { "bob/later": { ...late, bucketName: "later-data" } };
    assert.match(
      failed(await project.up({ ...declared, buckets: { ...declared.buckets, ...later } })),
      /bucket 'later-data' of bob: no answer to GetBucketLocation from http:.*ECONNREFUSED/,
    );
    assert.equal(await project.state("bob/later"), undefined);
    await server.start();

    // The next run also continues with a bucket that a killed run made and Pulumi's state lacks.
    await project.forget("carol/open");
    fine(await project.up(declared));
    assert.equal(await versioning("late-data"), "Enabled");
  });

  it("keeps buckets that are declared no more, with their objects, closed to who had them", async () => {
    const hers = await keysOf("alice");
    assert.equal(await project.state("alice/old"), undefined);
    assert.equal(await get(server, "old-data", "letter"), "hello");
    await refused(get(hers, "old-data", "letter"));
    assert.deepEqual(await bucketsOf(hers), ["alice-data"]);
  });

  it("deletes buckets with all in them if so declared, as a preview tells, also in two goes", async () => {
    const [hers, his] = [await keysOf("alice"), await keysOf("bob")];
    // This server stores objects as files, and writing so many files takes less time than uploading them.
    const folder = join(server.objects, "bob-data", "deep");
    await mkdir(folder);
    for (let index = 2; index < many; index++) {
      await writeFile(join(folder, `${index}`), "");
    }
    const upload = await admin().send(new aws.CreateMultipartUploadCommand({ Bucket: "bob-data", Key: "big" }));
    assert.ok(upload.UploadId);
    for (const _ of [1, 2]) {
      await put(his, "late-data", "a/note");
    }
    await server.client(his).send(new aws.DeleteObjectCommand({ Bucket: "late-data", Key: "a/note" }));

    const preview = fine(await project.preview({}));
    assert.match(preview, new RegExp(`bob-data of bob goes with ${many} objects`));
    assert.match(preview, /late-data of bob goes with 2 objects/);
    assert.doesNotMatch(preview, /alice-data of alice goes/);

    let pages = 0;
    const proxy = await failingProxy(server.endpoint, ({ method, url }) => {
      const { pathname, searchParams } = new URL(`http://any${url}`);
      const isPage = method === "POST" && searchParams.has("delete") && pathname.startsWith("/bob-data");
      return isPage && ++pages > 3;
    });
    assert.match(
      failed(await project.up({ endpoint: proxy.endpoint })),
      /bucket 'bob-data' of bob: no answer to DeleteObjects from http:.*run again once the server answers/,
    );
    await proxy.close();
    const up = fine(await project.up({}));
    assert.match(up, new RegExp(`bucket 'bob-data' of bob is deleted with ${many - 3000} objects in it`));

    assert.deepEqual(await bucketsOf(), ["alice-data", "old-data"]);
    await assert.rejects(put(hers, "alice-data", "x"), { name: "InvalidAccessKeyId" });
    assert.equal(await get(server, "alice-data", "a/note"), "hello");
    await assert.rejects(admin().send(new aws.GetBucketPolicyCommand({ Bucket: "alice-data" })), {
      name: "NoSuchBucketPolicy",
    });
  });

  it("leaves no secret in plain text anywhere", async () => {
    const secrets = [...everySecret, server.secretAccessKey];
    assert.equal(secrets.length, 5);
    const written = await project.everythingWritten();
    assert.ok(written.size > 10);
    const found = [...written].filter(([, text]) => secrets.some((secret) => text.includes(secret)));
    assert.deepEqual(
      found.map(([where]) => where),
      [],
    );
  });
});
