import assert from "node:assert/strict";
import { changedServer } from "../../../../buckets/plugin/configuration.ts";
import { secret } from "../../../../buckets/protocol/values.ts";
import { unknown } from "../../../../config/names/pulumiMarks.ts";

const keys = { accessKeyId: "ROOT", secretAccessKey: secret("s"), stack: "camp/prod/1" };
const server = { ...keys, endpoint: "https://a.test", users: "versitygw" };

describe("a change of the S3 server", () => {
  it("warns of another S3 server with both addresses, and of what stays open", () => {
    const reported = changedServer(server, { ...server, endpoint: "https://b.test", usersEndpoint: "https://a.test" });
    assert.equal(reported.length, 1);
    assert.match(
      reported[0] ?? "",
      /^the S3 server was https:\/\/a\.test, and is https:\/\/b\.test now: .*open to their members/,
    );
    const aws = changedServer(keys, server);
    assert.match(aws[0] ?? "", /was AWS S3 in us-east-1, and is https:\/\/a\.test now/);
  });

  it("warns of another S3 region where that is another server", () => {
    const moved = (endpoint?: string) => {
      const former = { ...keys, ...(endpoint === undefined ? {} : { endpoint }) };
      return changedServer(former, { ...former, region: "eu-central-1" });
    };
    assert.match(
      moved().join(),
      /^the S3 server was AWS S3 in us-east-1, and is AWS S3 in eu-central-1 now: buckets on AWS S3 in us-east-1 stay/,
    );
    const global = "https://s3.amazonaws.com";
    assert.match(moved(global).join(), /was https:\S+ in us-east-1, and is https:\S+ in eu-central-1 now/);
    assert.deepEqual(moved("https://s3.example.org"), []);
    assert.deepEqual(changedServer(keys, { ...keys, region: "us-east-1" }), []);
  });

  it("warns of another stack name, with the way out", () => {
    const [reported = "", ...others] = changedServer(server, { ...server, stack: "camp/prod/2" });
    assert.deepEqual(others, []);
    assert.match(
      reported,
      /^the stack was 'camp\/prod\/1' to the S3 server, and is 'camp\/prod\/2' now: .*set 'adopt: true'/,
    );
  });

  it("warns of no other keys, other spelling or unknown stack of an S3 server", () => {
    for (const change of [
      { accessKeyId: "B", secretAccessKey: secret("t") },
      { endpoint: "https://A.test/", usersEndpoint: "https://a.test:443" },
      { stack: unknown },
    ]) {
      assert.deepEqual(changedServer(server, { ...server, ...change }), [], JSON.stringify(change));
      assert.deepEqual(changedServer({ ...server, ...change }, server), [], JSON.stringify(change));
    }
  });
});
