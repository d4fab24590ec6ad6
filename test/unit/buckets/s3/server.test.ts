import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { mock } from "node:test";
import { S3Failure } from "../../../../buckets/s3/failures.ts";
import { openServer } from "../../../../buckets/s3/server.ts";
import { restore } from "../../cluster/fakeApiServer.ts";
import { useHttpServer } from "../../httpServer.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

const xml =
  (body: string, status = 200): Answer =>
  (_, response) =>
    response.writeHead(status, { "content-type": "application/xml" }).end(`<?xml version="1.0"?>${body}`);
const error = (code: string, status: number) =>
  xml(`<Error><Code>${code}</Code><Message>says ${code}</Message></Error>`, status);

describe("the way to a real S3 server", () => {
  let answer: Answer;
  const asked: string[] = [];
  const headers: IncomingMessage["headers"][] = [];
  const server = useHttpServer((request, response, body) => {
    asked.push(`${request.method} ${request.url} ${body}`.trim());
    headers.push(request.headers);
    answer(request, response);
  });
  beforeEach(() => {
    asked.length = 0;
    headers.length = 0;
  });

  const open = (signal = new AbortController().signal, at = server.url, region = "us-east-1") => {
    const keys = { accessKeyId: "ROOT", secretAccessKey: "root-secret" };
    const users = { users: "versitygw", usersEndpoint: at } as const;
    const opened = openServer({ endpoint: at, region, forcePathStyle: true, stack: "test", ...keys, ...users });
    return { s3: opened.s3(signal), users: opened.users(signal) ?? assert.fail() };
  };
  const failure = async (act: Promise<unknown>): Promise<S3Failure> => {
    const failed = await act.then(
      () => assert.fail("it did not fail"),
      (each: unknown) => each,
    );
    assert.ok(failed instanceof S3Failure, String(failed));
    return failed;
  };

  it("makes a bucket with tags in one request, and names a region other than AWS's first", async () => {
    answer = xml("");
    await open().s3.createBucket("data", { tags: { "kubecamp.dev/member": "alice" }, acls: true });
    await open(undefined, undefined, "jp-1").s3.createBucket("data", { tags: {}, acls: false });
    const tag = "<Tag><Key>kubecamp.dev/member</Key><Value>alice</Value></Tag>";
    assert.ok(asked[0]?.startsWith("PUT /data") && asked[0].includes(tag), asked[0]);
    assert.ok(!asked[0]?.includes("LocationConstraint"));
    assert.equal(headers[0]?.["x-amz-object-ownership"], "BucketOwnerPreferred");
    assert.match(asked[1] ?? "", /<LocationConstraint>jp-1<\/LocationConstraint>/);
    assert.ok(!asked[1]?.includes("Tag"));
  });

  it("lists a bucket's versions, markers and the start of the next page", async () => {
    answer = xml(
      "<ListVersionsResult><IsTruncated>true</IsTruncated><NextKeyMarker>b</NextKeyMarker><NextVersionIdMarker>2</NextVersionIdMarker>" +
        "<Version><Key>a</Key><VersionId>1</VersionId><LastModified>2026-01-02T03:04:05Z</LastModified></Version><DeleteMarker><Key>b</Key><VersionId>2</VersionId></DeleteMarker></ListVersionsResult>",
    );
    assert.deepEqual(await open().s3.listObjectVersions("data", { key: "0" }), {
      versions: [
        { key: "a", versionId: "1", lastModified: new Date("2026-01-02T03:04:05Z"), marker: false },
        { key: "b", versionId: "2", marker: true },
      ],
      next: { key: "b", versionId: "2" },
    });
    assert.match(asked[0] ?? "", /key-marker=0/);
  });

  it("asks the S3 server for encoded names of objects, and decodes them", async () => {
    const key = "<Key>a%01b+c%2Bd%C3%A9</Key>";
    const version = `<Version>${key}<VersionId>1</VersionId></Version>`;
    const names = ["a\u0001b c+d\u00e9", "%01", "100%"];
    const url = "<EncodingType>url</EncodingType>";
    const isTruncated = "<IsTruncated>true</IsTruncated>";
    answer = xml(
      `<ListVersionsResult>${url}${isTruncated}<NextKeyMarker>%01</NextKeyMarker>${version}</ListVersionsResult>`,
    );
    assert.deepEqual(await open().s3.listObjectVersions("data"), {
      versions: [{ key: names[0], versionId: "1", marker: false }],
      next: { key: "\u0001" },
    });
    answer = xml(`<ListBucketResult>${url}${isTruncated}<Contents>${key}</Contents></ListBucketResult>`);
    const objects = await open().s3.listObjects("data", { key: "0" });
    assert.deepEqual(objects, { versions: [{ key: names[0], marker: false }], next: { key: names[0] } });
    const upload = `<Upload>${key}<UploadId>u</UploadId></Upload>`;
    answer = xml(`<ListMultipartUploadsResult>${url}${upload}</ListMultipartUploadsResult>`);
    assert.deepEqual(await open().s3.listMultipartUploads("data"), [{ key: names[0], uploadId: "u" }]);
    for (const request of asked) {
      assert.match(request, /encoding-type=url/);
    }
    assert.match(asked[1] ?? "", /start-after=0/);
    // Not every server does so.
    const contents = names.slice(1).map((name) => `<Contents><Key>${name}</Key></Contents>`);
    answer = xml(`<ListBucketResult>${contents.join("")}</ListBucketResult>`);
    const plain = (await open().s3.listObjects("data")).versions.map(({ key }) => key);
    assert.deepEqual(plain, names.slice(1));
    answer = xml(`<ListBucketResult>${url}<Contents><Key>100%</Key></Contents></ListBucketResult>`);
    const undecoded = (await open().s3.listObjects("data")).versions.map(({ key }) => key);
    assert.deepEqual(undecoded, ["100%"]);
  });

  it("deletes objects by their URL whose names XML can't contain", async () => {
    const [denied, deleted] = [error("AccessDenied", 405), xml("<DeleteResult></DeleteResult>")];
    answer = (request, response) => (request.url?.startsWith("/data/b") ? denied : deleted)(request, response);
    const versions = ["a\u0001", "b\u0001", "c\n"].map((key) => ({ key, versionId: "1", marker: false }));
    const refusals = await open().s3.deleteObjects("data", versions);
    assert.deepEqual(refusals, [{ key: "b\u0001", reason: "says AccessDenied" }]);
    const requests = asked.map((request) => request.split(" ").slice(0, 2).join(" "));
    const singly = ["a", "b"].map((name) => `DELETE /data/${name}%01?versionId=1&x-id=DeleteObject`);
    assert.deepEqual(requests, ["POST /data/?delete=", ...singly]);
    assert.match(asked[0] ?? "", /<Key>c(&#10;|&#x0?A;)<\/Key>/i);
  });

  it("takes nothing in S3 for absent by an answer that is not S3's", async () => {
    const { s3 } = open();
    for (const body of ["", "<html><body>Welcome</body></html>"]) {
      answer = (_, response) => response.writeHead(200, { "content-type": "text/html" }).end(body);
      for (const ask of [
        () => s3.listBuckets(),
        () => s3.getBucketTagging("data"),
        () => s3.listObjectVersions("data"),
        () => s3.listObjects("data"),
        () => s3.listMultipartUploads("data"),
      ]) {
        const failed = await failure(ask());
        assert.deepEqual([failed.status, failed.message], [200, "it doesn't answer as S3 does"]);
      }
    }
    answer = xml("<ListAllMyBucketsResult><Buckets></Buckets></ListAllMyBucketsResult>");
    assert.deepEqual(await s3.listBuckets(), []);
    answer = xml("<Tagging><TagSet/></Tagging>");
    assert.deepEqual(await s3.getBucketTagging("data"), {});
    answer = xml("<ListVersionsResult><Name>data</Name></ListVersionsResult>");
    assert.deepEqual(await s3.listObjectVersions("data"), { versions: [] });
    answer = xml("<ListBucketResult><Name>data</Name><KeyCount>0</KeyCount></ListBucketResult>");
    assert.deepEqual(await s3.listObjects("data"), { versions: [] });
    answer = xml("<ListMultipartUploadsResult><Bucket>data</Bucket></ListMultipartUploadsResult>");
    assert.deepEqual(await s3.listMultipartUploads("data"), []);
  });

  it("names a failure by S3's operation and code", async () => {
    answer = error("NoSuchBucket", 404);
    const { operation, code, status, message } = await failure(open().s3.getBucketLocation("data"));
    const found = [operation, code, status, message];
    assert.deepEqual(found, ["GetBucketLocation", "NoSuchBucket", 404, "says NoSuchBucket"]);
  });

  it("tries a request to the S3 server again after a passing failure", async () => {
    answer = error("SlowDown", 503);
    // Between two tries the client waits for a second or two; only its limits for an answer are longer.
    const real = setTimeout;
    const quick = mock.method(globalThis, "setTimeout", (act: () => void, ms = 0) => real(act, ms < 5000 ? 0 : ms));
    const failed = await failure(open().s3.getBucketPolicy("data")).finally(() => quick.mock.restore());
    assert.deepEqual([failed.code, failed.status], ["SlowDown", 503]);
    assert.equal(asked.length, 4);
  });

  it("ends an S3 request at the operation's time limit, and when Pulumi is stopped", async () => {
    answer = () => undefined;
    const late = await failure(open(AbortSignal.timeout(50)).s3.getBucketLocation("data"));
    assert.deepEqual([late.code, late.status], ["Timeout", undefined]);
    const stopped = new AbortController();
    const waiting = failure(open(stopped.signal).s3.getBucketLocation("data"));
    stopped.abort();
    assert.equal((await waiting).code, "Cancelled");
  });

  it("reaches the S3 server through the environment's proxy, unless NO_PROXY names it", async () => {
    const { HTTP_PROXY, NO_PROXY } = process.env;
    answer = xml("<LocationConstraint/>");
    process.env.HTTP_PROXY = server.url;
    try {
      const { s3, users } = open(undefined, "http://s3.test");
      await s3.getBucketLocation("data");
      await users.put({ accessKeyId: "KC", secretAccessKey: "s", role: "user" });
      assert.match(asked[0] ?? "", /^GET http:\/\/s3\.test\/data\/\?location/);
      assert.match(asked[1] ?? "", /^PATCH http:\/\/s3\.test\/update-user\?access=KC /);
      process.env.NO_PROXY = ".test";
      const failed = await failure(open(undefined, "http://s3.test").users.remove("KC"));
      assert.match(failed.code, /^(ENOTFOUND|EAI_AGAIN)$/);
      assert.equal(asked.length, 2);
    } finally {
      restore("HTTP_PROXY", HTTP_PROXY);
      restore("NO_PROXY", NO_PROXY);
    }
  });

  it("signs requests to the API for users, and sends no secret of its own", async () => {
    answer = xml("");
    await open().users.put({ accessKeyId: "KC ALICE", secretAccessKey: "s", role: "user" });
    assert.match(asked[0] ?? "", /^PATCH \/update-user\?access=KC%20ALICE <MutableProps>/);
    const [sent] = headers;
    assert.match(
      sent?.authorization ?? "",
      /^AWS4-HMAC-SHA256 Credential=ROOT\/\d{8}\/us-east-1\/s3\/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=[0-9a-f]{64}$/,
    );
    assert.match(String(sent?.["x-amz-content-sha256"]), /^[0-9a-f]{64}$/);
    assert.ok(!JSON.stringify(headers).includes("root-secret"));
  });

  it("follows no redirect with a user's secret", async () => {
    answer = (_, response) => response.writeHead(307, { location: `${server.url}/elsewhere` }).end();
    const user = { accessKeyId: "KCX", secretAccessKey: "secret", role: "user" };
    await failure(open().users.put(user));
    assert.ok(
      asked.every((request) => !request.includes("/elsewhere")),
      asked.join("\n"),
    );
  });
});
