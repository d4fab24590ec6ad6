import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as aws from "@aws-sdk/client-s3";
import { parse } from "yaml";
import { repository } from "../../../../sandbox/paths.ts";
import { kubecamp } from "../../commands/kubecamp.ts";
import { type Keys, useS3 } from "../../support/s3.ts";
import { refusalOf, refusedInProcess } from "../inProcess.ts";
import { type Entry, useStack } from "../stack.ts";

const ana: Entry = { member: "ana", type: "user", buckets: [{ name: "data", reclaimPolicy: "Delete" }] };
const versioned: Entry = { ...ana, buckets: [{ name: "data", reclaimPolicy: "Delete", versioning: true }] };
const ben: Entry = { member: "ben", type: "user", buckets: [{ name: "files", bucketName: "bens-files" }] };

interface Live {
  readonly metadata: { readonly uid: string; readonly labels: Readonly<Record<string, string>> };
  readonly data: Readonly<Record<string, string>>;
  readonly immutable: boolean;
}

const atLatin1 = (base64: string) => Buffer.from(base64, "base64").toString("latin1");

describe("members' buckets", () => {
  const server = useS3();
  const stack = useStack("buckets");
  /** Everything that was printed; no secret may be in it. */
  let printed = "";
  const secrets = new Set<string>();
  let encrypted: unknown;

  const configure = (members: readonly Entry[], apps = "localhost") =>
    stack.configure(members, {
      storage: {
        endpoint: server.endpoint,
        appEndpoint: server.endpoint.replace("127.0.0.1", apps),
        users: "versitygw",
        accessKeyId: server.accessKeyId,
        ...(encrypted === undefined ? {} : { secretAccessKey: encrypted }),
      },
    });
  const noted = <R extends { readonly output: string }>(run: R): R => {
    printed += run.output;
    return run;
  };
  /** @param cwd the stack's folder, where the plugin is warm, or the repository, whose plugin is a process of its own */
  const fine = async (args: readonly string[], cwd = stack.folder) => {
    const run = noted(await stack.run(args, {}, cwd));
    assert.equal(run.exitCode, 0, run.output);
    return run;
  };
  const up = (...flags: string[]) => fine(["up", "--yes", "--skip-preview", ...flags]);
  const preview = async (...flags: string[]) => (await fine(["preview", ...flags])).output;
  const command = async (...args: string[]) => {
    const run = await kubecamp(["up", "--stack", "buckets", ...args], { cwd: stack.folder, env: stack.sandbox.env });
    printed += run.stdout + run.stderr;
    return run;
  };
  const planned = async () => {
    const { stdout, stderr } = await command("-o", "json");
    const [result] = (JSON.parse(stdout) as { stacks: { result: string; plan: string; reason: string | null }[] })
      .stacks;
    assert.ok(result, stderr);
    return [result.result, result.plan, result.reason];
  };
  const get = (kind: string, name: string, namespace: string) => stack.sandbox.get<Live>(kind, name, namespace);
  /** Values of a Secret, decoded as an app gets them. */
  const secret = async (member: string, bucket: string) => {
    const { data } = await get("secret", bucket, member);
    const values = Object.entries(data).map(([key, value]) => [key, Buffer.from(value, "base64").toString()]);
    const all = Object.fromEntries(values) as Record<
      "AWS_ACCESS_KEY_ID" | "AWS_SECRET_ACCESS_KEY" | "BucketInfo",
      string
    >;
    secrets.add(all.AWS_SECRET_ACCESS_KEY);
    return all;
  };
  const keysOf = async (member: string, bucket: string): Promise<Keys> => {
    const all = await secret(member, bucket);
    return { accessKeyId: all.AWS_ACCESS_KEY_ID, secretAccessKey: all.AWS_SECRET_ACCESS_KEY };
  };
  const put = (client: aws.S3Client, Bucket: string, Key: string) =>
    client.send(new aws.PutObjectCommand({ Bucket, Key, Body: "hello" }));
  const bucketsOf = async (client: aws.S3Client) =>
    ((await client.send(new aws.ListBucketsCommand({}))).Buckets ?? []).map(({ Name }) => Name);
  const refused = (request: Promise<unknown>) => assert.rejects(request, { name: "AccessDenied" });

  before(async () => {
    await stack.makeProject();
    await configure([ana, ben]);
    const set = ["config", "set", "--stack", "buckets", "--secret", "--path", "kubecamp:storage.secretAccessKey"];
    const { exitCode, stderr } = await stack.manage(...set, server.secretAccessKey);
    assert.equal(exitCode, 0, stderr);
    const file = parse(await readFile(join(stack.folder, "Pulumi.buckets.yaml"), "utf8"));
    encrypted = file.config["kubecamp:storage"].secretAccessKey;
    secrets.add(server.secretAccessKey);
  });

  it("makes buckets with one up, each for its own member alone, reached by what is at home", async () => {
    const toAll = { Sid: "toAll", Effect: "Allow", Principal: "*", Action: "s3:GetObject" };
    const policy = { Statement: [{ ...toAll, Resource: "arn:aws:s3:::bens-files/*" }] };
    await configure([ana, { ...ben, buckets: [{ name: "files", bucketName: "bens-files", policy }] }]);
    const shown = await preview("--diff");
    assert.match(shown, /bens-files/);
    // Even before the member's key is made.
    assert.match(shown, /toAll/);
    await configure([ana, ben]);
    await fine(["up", "--yes", "--skip-preview"], repository);
    const { data, immutable } = await get("configmap", "data", "ana");
    const port = new URL(server.endpoint).port;
    const where = { BUCKET_HOST: "localhost", BUCKET_PORT: port, BUCKET_NAME: "ana-data" };
    assert.deepEqual(data, { ...where, BUCKET_REGION: "us-east-1", BUCKET_SUBREGION: "" });
    assert.equal(immutable, true);

    const [hers, his] = [await keysOf("ana", "data"), await keysOf("ben", "files")];
    const [anas, bens] = [server.client(hers), server.client(his)];
    await put(anas, "ana-data", "note");
    assert.deepEqual(await bucketsOf(anas), ["ana-data"]);
    assert.deepEqual(await bucketsOf(bens), ["bens-files"]);
    await refused(put(bens, "ana-data", "note"));
    await refused(anas.send(new aws.ListObjectsV2Command({ Bucket: "bens-files" })));

    const { spec } = JSON.parse((await secret("ana", "data")).BucketInfo);
    const { endpoint, region, accessKeyID: accessKeyId, accessSecretKey: secretAccessKey } = spec.secretS3;
    const credentials = { accessKeyId, secretAccessKey };
    const byInfo = new aws.S3Client({ endpoint, region, forcePathStyle: true, credentials });
    const got = await byInfo.send(new aws.GetObjectCommand({ Bucket: spec.bucketName, Key: "note" }));
    assert.equal(await got.Body?.transformToString(), "hello");
    assert.deepEqual(Object((await stack.outputs()) as object).members.ben.buckets, ["bens-files"]);
  });

  it("leaves buckets alone with the next up, until one is edited", async () => {
    assert.deepEqual((await up("--expect-no-changes")).steps, []);
    assert.deepEqual(await planned(), ["unchanged", "nothing differs", null]);
    await configure([versioned, ben], "s3.localhost");
    assert.match(await preview(), /Secret +data\/secret|ana\/bucket\/data\/secret +replace/);
    await configure([versioned, ben]);
    assert.deepEqual(await planned(), ["succeeded", "only ana", null]);
    const { Status } = await server.client().send(new aws.GetBucketVersioningCommand({ Bucket: "ana-data" }));
    assert.equal(Status, "Enabled");
  });

  it("restores a bucket's Secret, and closes the buckets of a suspended member", async () => {
    const [before, keys] = [await get("secret", "data", "ana"), await keysOf("ana", "data")];
    const his = server.client(await keysOf("ben", "files"));
    await put(his, "bens-files", "note");
    await stack.delete("secret", "data", "ana");
    assert.match(await preview(), /Deleted by hand.*\n.*Secret ana\/data/);
    await configure([versioned, { ...ben, suspended: true }]);
    assert.deepEqual(await planned(), ["succeeded", "only ana, ben, looking at the cluster first", null]);
    assert.notEqual((await get("secret", "data", "ana")).metadata.uid, before.metadata.uid);
    assert.deepEqual(await keysOf("ana", "data"), keys);
    // The key is no longer valid, even where a policy still names it.
    for (const Bucket of ["bens-files", "ana-data"]) {
      const inactive = { name: "SignatureDoesNotMatch" };
      await assert.rejects(his.send(new aws.GetObjectCommand({ Bucket, Key: "note" })), inactive);
      await assert.rejects(his.send(new aws.ListObjectsV2Command({ Bucket })), inactive);
    }
  });

  it("lets no member delete, change or make a bucket's ConfigMap or Secret", async () => {
    const asAna = ["-n", "ana", "--as", "oidc:ana"];
    for (const [args, words] of [
      [
        ["delete", "configmap/data"],
        /ConfigMap 'data' belongs to the platform, and only the platform can create, change or delete it/,
      ],
      [["delete", "secret/data"], /Secret 'data' belongs to the platform/],
      [["label", "secret/data", "kubecamp.dev/bucket-"], /Secret 'data' belongs to the platform/],
    ] as const) {
      const { exitCode, stderr } = await stack.sandbox.kubectl([...args, ...asAna]);
      assert.notEqual(exitCode, 0, args.join(" "));
      assert.match(stderr, words);
    }
    const metadata = { name: "mine", labels: { "kubecamp.dev/bucket": "mine" } };
    const { stderr } = await stack.sandbox.kubectl(["create", "-f", "-", ...asAna], {
      input: JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata }),
    });
    assert.match(stderr, /ConfigMap 'mine' has 'kubecamp.dev\/bucket=mine', which only the platform may set/);
  });

  it("leaves a member's object in the place of a bucket's ConfigMap, and goes on for others", async () => {
    const asAna = ["-n", "ana", "--as", "oidc:ana"];
    // Deleting and replacing it was possible before there was a policy.
    await stack.delete("configmap", "data", "ana");
    await stack.kubectl("create", "configmap", "data", "--from-literal=mine=yes", ...asAna);
    await configure([versioned, ben]);
    const { output, steps } = await up("--refresh");
    assert.match(output, /ana: ConfigMap 'ana\/data' is there, and not kubecamp's; call the bucket otherwise/);
    assert.ok(
      steps.some((step) => step.endsWith(" ben/bucket/files")),
      steps.join("\n"),
    );
    assert.deepEqual((await get("configmap", "data", "ana")).data, { mine: "yes" });
    assert.deepEqual(await planned(), ["unchanged", "nothing differs", null]);
    await stack.kubectl("delete", "configmap/data", ...asAna);
    assert.deepEqual(await planned(), ["succeeded", "only ana, looking at the cluster first", null]);
    assert.equal((await get("configmap", "data", "ana")).data.BUCKET_NAME, "ana-data");
    await put(server.client(await keysOf("ben", "files")), "bens-files", "note");
  });

  it("keeps buckets where settings name their server no more", async () => {
    await stack.configure([
      { member: "ana", type: "user" },
      { member: "ben", type: "user" },
    ]);
    const { folder } = stack;
    await refusedInProcess(
      stack,
      ["ana, ben have buckets on an S3 server, and kubecamp:storage no longer names it; set it as it was"],
      { folder },
    );
    printed += await refusalOf(stack, true, { folder });
  });

  it("closes buckets whose members left while the state was lost, and deletes none by its tags alone", async () => {
    const his = server.client(await keysOf("ben", "files"));
    await configure([{ member: "ben", type: "user" }]);
    const { deployment, ...rest } = await stack.backend.export("buckets");
    await stack.backend.import("buckets", { ...rest, deployment: { ...deployment, resources: [] } });
    const shown = await preview("--json");
    for (const said of [
      /ana: 'ana-data' is deleted with 1 object \(Delete\)/,
      /ben: 'bens-files' stays on the server/,
    ]) {
      assert.match(shown, said);
    }
    const { exitCode, stdout, stderr } = await command();
    assert.equal(exitCode, 0, stdout + stderr);
    assert.match(stdout + stderr, /Deleted, since neither the list nor Pulumi's state has it:\n(.*\n)* +Namespace ana/);
    assert.match(
      stdout + stderr,
      /left there .*\n +bucket 'ana-data' of ana: stays .*; its tags say Delete and Pulumi's state/,
    );
    assert.match(stdout + stderr, /\n +bucket 'bens-files' of ben: stays .*\(reclaimPolicy Retain\)/);
    assert.match(stdout + stderr, /:\n +S3 user of ana\n +S3 user of ben\n/);
    assert.deepEqual(await bucketsOf(server.client()), ["ana-data", "bens-files"]);
    // ben's keys are deleted with his last bucket.
    const again = his.send(new aws.GetObjectCommand({ Bucket: "bens-files", Key: "note" }));
    await assert.rejects(again, { name: "InvalidAccessKeyId" });
    await server.client().send(new aws.GetObjectCommand({ Bucket: "bens-files", Key: "note" }));
  });

  it("prints, keeps and shows no bucket's secret in plain text", async () => {
    const texts = new Map([["what was printed", printed]]);
    texts.set("outputs", JSON.stringify(await stack.outputs()));
    const { pulumiHome, pulumiState } = stack.sandbox.sandbox;
    for (const folder of [stack.folder, pulumiHome, pulumiState]) {
      for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
        const file = join(entry.parentPath, entry.name);
        if (entry.isFile()) {
          texts.set(file, await readFile(file, "latin1"));
        }
      }
    }
    assert.equal(secrets.size, 3);
    const shows = (text: string) => [...secrets].some((each) => text.includes(each));
    // A secret may be anywhere in base64 text.
    const decoded = (text: string) => (text.match(/[A-Za-z0-9+/]{24,}/g) ?? []).map(atLatin1).join(" ");
    const found = [...texts].filter(([, text]) => shows(text) || shows(decoded(text))).map(([place]) => place);
    assert.deepEqual(found, []);
  });
});
