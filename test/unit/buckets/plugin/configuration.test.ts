import assert from "node:assert/strict";
import {
  checkConfiguration,
  diffConfiguration,
  serverConfiguration,
} from "../../../../buckets/plugin/configuration.ts";
import { type Props, secret } from "../../../../buckets/protocol/values.ts";
import { unknown } from "../../../../naming/pulumiMarks.ts";

const keys = { accessKeyId: "ROOT", secretAccessKey: "s", stack: "kubecamp/prod" };
const server = { ...keys, endpoint: "https://s3.test:7070" };
const reported = (news: Props) =>
  checkConfiguration(news).failures.map(({ property, reason }) => `${property}: ${reason}`);

describe("the configuration of an S3 server", () => {
  it("is AWS's without an endpoint, and has buckets in the path with one", () => {
    assert.deepEqual(serverConfiguration(keys), { ...keys, region: "us-east-1", forcePathStyle: false });
    const args = { ...server, secretAccessKey: secret("s"), users: "versitygw", region: "eu-1" };
    assert.deepEqual(serverConfiguration(args), {
      ...server,
      region: "eu-1",
      forcePathStyle: true,
      users: "versitygw",
      usersEndpoint: server.endpoint,
    });
    assert.equal(serverConfiguration({ ...server, forcePathStyle: false }).forcePathStyle, false);
    assert.equal(
      serverConfiguration({ ...server, usersEndpoint: "https://admin.test" }).usersEndpoint,
      "https://admin.test",
    );
  });

  it("passes with what is not known yet, and with what Pulumi adds", () => {
    assert.deepEqual(reported({ ...server, endpoint: unknown, secretAccessKey: unknown, version: "0.1.0" }), []);
  });

  const mistakes: [string, Props, string[]][] = [
    [
      "no keys",
      { endpoint: server.endpoint },
      [
        "accessKeyId: S3 server: 'accessKeyId' is missing",
        "secretAccessKey: S3 server: 'secretAccessKey' is missing",
        "stack: S3 server: 'stack' is missing",
      ],
    ],
    ...[
      "s3.test",
      "ftp://s3.test",
      "https://s3.test/path",
      "https://u@s3.test",
      "https://:p@s3.test",
      "https://s3.test?x",
    ].map((endpoint): [string, Props, string[]] => [
      endpoint,
      { ...server, endpoint },
      ["endpoint: S3 server: 'endpoint' is no address; give one such as https://s3.example.org, without a path"],
    ]),
    [
      "another kind of users",
      { ...server, users: "minio" },
      ["users: S3 server: 'users' is one of versitygw, and not \"minio\""],
    ],
    ["users nowhere", { ...keys, users: "versitygw" }, ["users: S3 server: 'users' needs an 'endpoint'"]],
    [
      "a key that there is not",
      { ...server, password: "p" },
      [
        "password: S3 server: 'password' is unknown; known are endpoint, region, forcePathStyle, accessKeyId, secretAccessKey, stack, users, usersEndpoint",
      ],
    ],
  ];
  for (const [what, news, expected] of mistakes) {
    it(`is refused with ${what}`, () => assert.deepEqual(reported(news), expected));
  }

  it("differs by field", () => {
    assert.deepEqual(diffConfiguration(server, { ...server }), []);
    assert.deepEqual(diffConfiguration(server, { ...server, secretAccessKey: "t", endpoint: "https://b.test" }), [
      "endpoint",
      "secretAccessKey",
    ]);
  });
});
