import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as aws from "@aws-sdk/client-s3";
import { type Keys, useS3 } from "../support/s3.ts";
import { failingProxy } from "./failingProxy.ts";
import { type Declared, useBuckets } from "./project.ts";

const alice = { bucketName: "alice-data", member: "alice", versioning: true };
const bob = { bucketName: "bob-data", member: "bob", reclaimPolicy: "Delete" as const };
const open = {
  bucketName: "open-data",
  member: "carol",
  acl: "public-read" as const,
  reclaimPolicy: "Delete" as const,
};
const many = 10_000;

describe("buckets on a real S3 server", function () {
  this.timeout(120_000);
  const server = useS3();
  const project = useBuckets(server);
  const everySecret = new Set<string>();

  /** What stands in the program as the suite goes on. */
  let both: Required<Pick<Declared, "users" | "buckets">> = {
    users: { alice: 1, bob: 1 },
    buckets: { "alice/data": alice, "bob/data": bob, "carol/open": open },
  };
  const admin = () => server.client();
  const keysOf = async (name: string): Promise<Keys> => {
    const keys = await project.keys(name);
    everySecret.add(keys.secretAccessKey);
    return keys;
  };
  const bucketsOf = async (keys?: Keys) =>
    ((await server.client(keys).send(new aws.ListBucketsCommand({}))).Buckets ?? []).map(({ Name }) => Name);
  const put = (keys: Keys, Bucket: string, Key: string) =>
    server.client(keys).send(new aws.PutObjectCommand({ Bucket, Key, Body: "hello" }));
  const refused = (request: Promise<unknown>) => assert.rejects(request, { name: "AccessDenied" });

  it("are made with their users, who may use their own and no other's", async () => {
    const preview = await project.preview(both);
    assert.equal(preview.exitCode, 0, preview.output);
    assert.deepEqual(await bucketsOf(), []);
    const up = await project.up(both);
    assert.equal(up.exitCode, 0, up.output);
    const [hers, his] = [await keysOf("alice"), await keysOf("bob")];
    // The key that the preview has shown in the policy is the one that was made.
    assert.ok(preview.output.includes(hers.accessKeyId), preview.output);

    assert.deepEqual((await bucketsOf()).sort(), ["alice-data", "bob-data", "open-data"]);
    assert.deepEqual(await bucketsOf(hers), ["alice-data"]);
    assert.deepEqual(await bucketsOf(his), ["bob-data"]);
    await put(hers, "alice-data", "a/note");
    const got = await server.client(hers).send(new aws.GetObjectCommand({ Bucket: "alice-data", Key: "a/note" }));
    assert.equal(await got.Body?.transformToString(), "hello");

    await refused(put(his, "alice-data", "a/note"));
    await refused(server.client(his).send(new aws.GetObjectCommand({ Bucket: "alice-data", Key: "a/note" })));
    await refused(server.client(his).send(new aws.ListObjectsV2Command({ Bucket: "alice-data" })));
    // Whose bucket it is may work in it, and not open it to others or take it away.
    const Policy = JSON.stringify({ Version: "2012-10-17", Statement: [] });
    await refused(server.client(hers).send(new aws.PutBucketPolicyCommand({ Bucket: "alice-data", Policy })));
    await refused(server.client(hers).send(new aws.PutBucketAclCommand({ Bucket: "alice-data", ACL: "public-read" })));
    await refused(server.client(hers).send(new aws.DeleteBucketCommand({ Bucket: "alice-data" })));

    await put(server, "open-data", "page");
    assert.equal(await (await fetch(`${server.endpoint}/open-data/page`)).text(), "hello");
    assert.equal((await fetch(`${server.endpoint}/alice-data/a/note`)).status, 403);
    const { Status } = await admin().send(new aws.GetBucketVersioningCommand({ Bucket: "alice-data" }));
    assert.equal(Status, "Enabled");
  });

  it("are left as they are by a run that changes nothing", async () => {
    const { exitCode, output } = await project.preview(both, "--expect-no-changes", "--refresh");
    assert.equal(exitCode, 0, output);
  });

  it("keep their names", async () => {
    const renamed = { ...both, buckets: { ...both.buckets, "alice/data": { ...alice, bucketName: "alices-data" } } };
    for (const run of [await project.preview(renamed), await project.up(renamed)]) {
      assert.notEqual(run.exitCode, 0);
      assert.match(
        run.output,
        /bucket 'alices-data' of alice: its name can't change from 'alice-data' to 'alices-data'/,
      );
    }
    assert.ok((await bucketsOf()).includes("alice-data"));
    assert.ok(!(await bucketsOf()).includes("alices-data"));
  });

  it("have put back what somebody has changed, and another secret with another generation", async () => {
    const before = await keysOf("alice");
    await admin().send(new aws.DeleteBucketPolicyCommand({ Bucket: "alice-data" }));
    const VersioningConfiguration = { Status: "Suspended" as const };
    await admin().send(new aws.PutBucketVersioningCommand({ Bucket: "alice-data", VersioningConfiguration }));
    await admin().send(new aws.PutBucketAclCommand({ Bucket: "open-data", ACL: "public-read-write" }));
    await admin().send(new aws.DeleteObjectCommand({ Bucket: "open-data", Key: "page" }));

    const rotated = { ...both, users: { ...both.users, alice: 2 } };
    const run = await project.up(rotated, "--refresh");
    assert.equal(run.exitCode, 0, run.output);
    assert.match(run.output, /versioning: false => true/);
    assert.match(run.output, /acl *: "public-read-write" => "public-read"/);
    const after = await keysOf("alice");
    assert.equal(after.accessKeyId, before.accessKeyId);
    await put(after, "alice-data", "a/note");
    await assert.rejects(put(before, "alice-data", "a/note"), { name: "SignatureDoesNotMatch" });
    const { Status } = await admin().send(new aws.GetBucketVersioningCommand({ Bucket: "alice-data" }));
    assert.equal(Status, "Enabled");
    both = rotated;
  });

  it("are adopted only if that is asked for, with what is in them", async () => {
    await admin().send(new aws.CreateBucketCommand({ Bucket: "old-data" }));
    await put(server, "old-data", "letter");
    const old = { bucketName: "old-data", member: "alice" };
    const declared = (adopt: boolean) => ({ ...both, buckets: { ...both.buckets, "alice/old": { ...old, adopt } } });
    const refusal = await project.up(declared(false));
    assert.notEqual(refusal.exitCode, 0);
    assert.match(refusal.output, /bucket 'old-data' of alice: there is one already that this stack has not made;/);
    assert.equal(await project.state("alice/old"), undefined);
    const adopted = await project.up(declared(true));
    assert.equal(adopted.exitCode, 0, adopted.output);
    await server.client(await keysOf("alice")).send(new aws.GetObjectCommand({ Bucket: "old-data", Key: "letter" }));
    both = declared(true);
  });

  it("are finished after a server that went down in the middle of an up", async () => {
    const late = {
      ...both,
      buckets: { ...both.buckets, "bob/late": { ...bob, bucketName: "late-data", versioning: true } },
    };
    const proxy = await failingProxy(
      server.endpoint,
      ({ method, url }) => method === "PUT" && new URL(`http://any${url}`).searchParams.has("versioning"),
    );
    const broken = await project.up({ ...late, endpoint: proxy.endpoint });
    await proxy.close();
    assert.notEqual(broken.exitCode, 0);
    assert.match(
      broken.output,
      /bucket 'late-data' of bob: no answer to PutBucketVersioning from http:.*run again once the server answers/,
    );
    assert.equal((await project.state("bob/late"))?.bucketName, "late-data");

    await server.stop();
    const down = await project.up({
      ...late,
      buckets: { ...late.buckets, "bob/later": { ...bob, bucketName: "later-data" } },
    });
    assert.notEqual(down.exitCode, 0);
    assert.match(down.output, /bucket 'later-data' of bob: no answer to GetBucketLocation from http:.*ECONNREFUSED/);
    assert.equal(await project.state("bob/later"), undefined);
    await server.start();

    // What a killed run has made, and Pulumi knows nothing of, is gone on with too.
    const forgotten = await project.run("state", "delete", await project.urn("carol/open"), "--yes");
    assert.equal(forgotten.exitCode, 0, forgotten.output);
    const again = await project.up(late);
    assert.equal(again.exitCode, 0, again.output);
    const { Status } = await admin().send(new aws.GetBucketVersioningCommand({ Bucket: "late-data" }));
    assert.equal(Status, "Enabled");
    both = late;
  });

  it("stay, closed, or are deleted with all that is in them, which a preview tells", async () => {
    const hers = await keysOf("alice");
    // Files are objects to this server, and so many are sooner written than sent.
    const folder = join(server.objects, "bob-data", "deep");
    await mkdir(folder);
    for (let index = 0; index < many; index++) await writeFile(join(folder, `${index}`), "");
    const upload = await admin().send(new aws.CreateMultipartUploadCommand({ Bucket: "bob-data", Key: "big" }));
    assert.ok(upload.UploadId);

    const preview = await project.preview({});
    assert.equal(preview.exitCode, 0, preview.output);
    assert.match(preview.output, new RegExp(`bob-data of bob goes with ${many} objects`));
    assert.doesNotMatch(preview.output, /alice-data of alice goes/);
    const up = await project.up({});
    assert.equal(up.exitCode, 0, up.output);
    assert.match(up.output, new RegExp(`bucket 'bob-data' of bob is deleted with ${many} objects in it`));
    assert.match(up.output, /bucket 'alice-data' of alice stays on the server with all that is in it/);

    assert.deepEqual((await bucketsOf()).sort(), ["alice-data", "old-data"]);
    await assert.rejects(put(hers, "alice-data", "x"), { name: "InvalidAccessKeyId" });
    await admin().send(new aws.GetObjectCommand({ Bucket: "alice-data", Key: "a/note" }));
    await assert.rejects(admin().send(new aws.GetBucketPolicyCommand({ Bucket: "alice-data" })), {
      name: "NoSuchBucketPolicy",
    });
  });

  it("have left no secret in plain text anywhere", async () => {
    const secrets = [...everySecret, server.secretAccessKey];
    assert.equal(secrets.length, 4);
    const written = await project.everythingWritten();
    assert.ok(written.size > 10);
    const found = [...written].filter(([, text]) => secrets.some((secret) => text.includes(secret)));
    assert.deepEqual(
      found.map(([where]) => where),
      [],
    );
  });
});
