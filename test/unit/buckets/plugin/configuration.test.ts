import assert from "node:assert/strict";
import { diffConfiguration, s3Configuration } from "../../../../buckets/plugin/configuration.ts";
import { secret } from "../../../../buckets/protocol/values.ts";

const keys = { accessKeyId: "ROOT", secretAccessKey: "s", stack: "kubecamp/prod" };
const server = { ...keys, endpoint: "https://s3.test:7070" };

describe("the configuration of an S3 server", () => {
  it("takes AWS without an endpoint, and buckets in the path with one", () => {
    assert.deepEqual(s3Configuration(keys), { ...keys, region: "us-east-1", forcePathStyle: false });
    const args = { ...server, secretAccessKey: secret("s"), users: "versitygw", region: "eu-1" };
    const full = {
      ...server,
      region: "eu-1",
      forcePathStyle: true,
      users: "versitygw",
      usersEndpoint: server.endpoint,
    };
    assert.deepEqual(s3Configuration(args), full);
    const given = { forcePathStyle: false, usersEndpoint: "https://admin.test" };
    assert.deepEqual(s3Configuration({ ...server, ...given }), { ...server, region: "us-east-1", ...given });
  });

  it("names the fields of the S3 server that differ", () => {
    assert.deepEqual(diffConfiguration(server, { ...server }), []);
    const other = { ...server, secretAccessKey: "t", endpoint: "https://b.test" };
    assert.deepEqual(diffConfiguration(server, other), ["endpoint", "secretAccessKey"]);
  });
});
