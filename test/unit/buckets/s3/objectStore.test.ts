import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { objectStore } from "../../../../buckets/s3/objectStore.ts";
import { HeldTime } from "../../heldTime.ts";
import { useHttpServer } from "../../httpServer.ts";

const mebi = 1024 ** 2;

describe("the store of objects", () => {
  const answers: ServerResponse[] = [];
  const server = useHttpServer((_, response) => answers.push(response));
  beforeEach(() => {
    answers.length = 0;
  });

  const keys = { region: "us-east-1", forcePathStyle: true, accessKeyId: "ROOT", secretAccessKey: "root-secret" };
  const open = () => objectStore({ ...keys, endpoint: server.url }, "kept", new AbortController().signal);
  /** Until that many requests have arrived. */
  const arrived = async (count: number) => {
    while (answers.length < count) {
      await new Promise(setImmediate);
    }
  };

  it("waits longer for a larger upload", async () => {
    const time = new HeldTime();
    try {
      const small = open().put("small", "x");
      await arrived(1);
      await time.pass(31_000);
      // The client tries again.
      await time.pass(5_000);
      await arrived(2);
      answers[1]?.end();
      await small;
      const large = open().put("large", "x".repeat(16 * mebi));
      await arrived(3);
      await time.pass(90_000);
      await time.rest();
      assert.equal(answers.length, 3);
      answers[2]?.end();
      await large;
    } finally {
      time.release();
    }
  });

  it("takes no page of HTML for an empty bucket", async () => {
    const listed = open().list("prod/bob/");
    await arrived(1);
    answers[0]?.writeHead(200, { "content-type": "text/html" }).end("<html><body>Sign in</body></html>");
    await assert.rejects(listed, {
      message:
        `bucket 'kept' for archives: ${server.url} answers 200 to ListObjectsV2 (it doesn't answer as S3 does); ` +
        "is the S3 endpoint right, and no page to sign in at before it? Then run again",
    });
    const empty = open().list("prod/bob/");
    await arrived(2);
    answers[1]?.end("<ListBucketResult><Name>kept</Name><KeyCount>0</KeyCount></ListBucketResult>");
    assert.deepEqual(await empty, []);
  });
});
