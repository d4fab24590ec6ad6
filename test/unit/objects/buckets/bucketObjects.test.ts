import assert from "node:assert/strict";
import type { Member } from "../../../../config/member/member.ts";
import type { S3Settings } from "../../../../config/storage/storage.ts";
import { bucketSecretData } from "../../../../objects/buckets/bucketObjects.ts";
import { bucketObjectsOf } from "../../everyObject.ts";
import { atOnce, configuration, labelsOf, storage, withBuckets } from "../../samples.ts";

const ana = { member: "ana", type: "user", buckets: [{ name: "data", bucketName: "anas-data" }] };
const keys = { accessKeyId: "KC1", secretAccessKey: "very-secret" };

/** The objects of the first member's only bucket. */
function objects(server: object, given: object = {}) {
  const { settings, members } = configuration({ storage: server, members: [ana], ...given });
  const [secret, config] = bucketObjectsOf(members[0] as Member, settings);
  return { secret, config };
}
const given = { bucketKeys: { ana: { accessKeyId: "hers", secretAccessKey: "s" } } };
const dataOf = (server: object) => Reflect.get(objects(server).config ?? {}, "data") as Record<string, string>;

describe("what a bucket comes with in its member's namespace", () => {
  it("makes an immutable Secret and ConfigMap with the bucket's name", () => {
    const { secret, config } = objects(storage);
    const metadata = {
      ...{ name: "data", namespace: "ana" },
      labels: { ...labelsOf("ana"), "kubecamp.dev/bucket": "data" },
      annotations: { ...atOnce, "kubecamp.dev/endpoint": "https://s3.example.org" },
    };
    assert.deepEqual(secret, {
      ...{ part: "secret", apiVersion: "v1", kind: "Secret", metadata, immutable: true, type: "Opaque" },
    });
    const { data, ...rest } = config as unknown as { data: unknown };
    assert.deepEqual(rest, { part: "config", apiVersion: "v1", kind: "ConfigMap", metadata, immutable: true });
    assert.deepEqual(data, {
      BUCKET_HOST: "s3.example.org",
      BUCKET_NAME: "anas-data",
      BUCKET_PORT: "443",
      BUCKET_REGION: "us-east-1",
      BUCKET_SUBREGION: "",
    });
  });

  it("tells apps the address of AWS, or the one for pods", () => {
    const aws = { accessKeyId: "admin", secretAccessKey: "s" };
    const hostOf = (server: object) => Object(objects(server, given).config).data.BUCKET_HOST;
    assert.equal(hostOf({ ...aws, region: "eu-central-1" }), "s3.eu-central-1.amazonaws.com");
    assert.equal(hostOf({ ...aws, region: "cn-north-1" }), "s3.cn-north-1.amazonaws.com.cn");
    const inside = dataOf({ ...storage, appEndpoint: "http://s3.storage.svc:9000" });
    assert.deepEqual([inside.BUCKET_HOST, inside.BUCKET_PORT], ["s3.storage.svc", "9000"]);
    assert.equal(dataOf({ ...storage, appEndpoint: "http://s3.storage.svc" }).BUCKET_PORT, "80");
  });

  it("names given keys of a bucket in an annotation, so that others show as a difference", () => {
    const { secret, config } = objects({ ...storage, users: undefined }, given);
    assert.equal(secret?.metadata.annotations?.["kubecamp.dev/access-key"], "hers");
    assert.equal(config?.metadata.annotations?.["kubecamp.dev/access-key"], undefined);
  });

  it("writes the keys of a bucket's Secret as Rook and COSI do", () => {
    const { settings, members } = withBuckets(ana);
    const [bucket] = members[0]?.buckets ?? [];
    assert.ok(bucket);
    const data = bucketSecretData(bucket, settings.storage as S3Settings, keys);
    const plain = Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, Buffer.from(value, "base64").toString()]),
    );
    const { BucketInfo, ...rook } = plain;
    assert.deepEqual(rook, { AWS_ACCESS_KEY_ID: "KC1", AWS_SECRET_ACCESS_KEY: "very-secret" });
    const endpoint = "https://s3.example.org";
    assert.deepEqual(JSON.parse(BucketInfo ?? ""), {
      metadata: { name: "data" },
      spec: {
        bucketName: "anas-data",
        authenticationType: "Key",
        secretS3: { endpoint, region: "us-east-1", accessKeyID: "KC1", accessSecretKey: "very-secret" },
        secretAzure: null,
        protocols: ["S3"],
      },
    });
  });
});
