import assert from "node:assert/strict";
import { markTags } from "../../../../buckets/bucket/mark.ts";
import { keyPrefixOf, newAccessKey } from "../../../../buckets/users/credentials.ts";
import { orphanedResources } from "../../../../commands/up/leftBuckets.ts";
import { orphansOnServer } from "../../../../commands/up/orphansOnServer.ts";
import type { StateResource } from "../../../../runs/state/deployment.ts";
import { FakeS3 } from "../../buckets/fakeS3.ts";
import { FakeUsers } from "../../buckets/fakeUsers.ts";
import { configuration, withBuckets } from "../../samples.ts";

const clusterId = "0b9c";
const stack = `kubecamp/dev/${clusterId}`;
const environment = "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment";
const bucketUrn = (name: string) => `${environment}$kubecamp-buckets:index:Bucket::${name}`;
const userUrn = (member: string) => `${environment}$kubecamp-buckets:index:BucketUser::${member}/bucket-user`;
const ana = { member: "ana", type: "user", buckets: [{ name: "data" }] };
const ben = { member: "ben", type: "user" };

/** A server where runs have made these, by the logical names of the resources. */
async function server(...names: readonly (readonly [name: string, bucketName: string])[]) {
  const s3 = new FakeS3();
  const users = new FakeUsers(s3);
  for (const [name, bucketName] of names) {
    const [member = ""] = name.split("/");
    const settings = { bucketName, member, reclaimPolicy: "Delete", versioning: false, adopt: false } as const;
    s3.add(bucketName, { tags: markTags({ stack, urn: bucketUrn(name) }, settings) });
    const prefix = keyPrefixOf(stack, userUrn(member));
    const [accessKeyId = newAccessKey(prefix)] = await users.keysBeginning(prefix);
    await users.put({ accessKeyId, secretAccessKey: `secret of ${member}`, role: "user" });
  }
  const onCluster = ["ana", "ben", "eve"];
  const look = (of = withBuckets(ana, ben), elsewhere: readonly string[] = []) =>
    orphansOnServer(of, { clusterId, names: onCluster, elsewhere: new Set(elsewhere) }, () => ({
      s3: () => s3,
      users: () => users,
    }));
  const keyOf = async (member: string) => (await users.keysBeginning(keyPrefixOf(stack, userUrn(member))))[0] ?? "?";
  return { s3, users, look, keyOf };
}
const deleted = (member: string, name: string, bucketName: string) => ({
  member,
  name: `${member}/bucket/${name}`,
  bucketName,
  reclaimPolicy: "Delete",
});

describe("what the list has no more on the server of buckets", () => {
  it("is found by its tags and keys: of who has left, and of who stays", async () => {
    const { look, s3, keyOf } = await server(
      ["ana/bucket/data", "ana-data"],
      ["ben/bucket/files", "bens-files"],
      ["eve/bucket/data", "eve-data"],
    );
    const { buckets, users, leftOut } = await look();
    assert.deepEqual(buckets, [deleted("ben", "files", "bens-files"), deleted("eve", "data", "eve-data")]);
    const user = async (member: string) => ({
      member,
      accessKeyId: await keyOf(member),
      secretAccessKey: `secret of ${member}`,
      role: "user",
    });
    assert.deepEqual(users, [await user("ben"), await user("eve")]);
    assert.deepEqual([leftOut, s3.writes], [[], []]);
  });

  it("is told as unknown where somebody has taken its name off the tags", async () => {
    const { look, s3 } = await server(["eve/bucket/data", "eve-data"]);
    for (const bucket of s3.buckets.values()) {
      const { "kubecamp.dev/name": _, ...tags } = bucket.tags;
      bucket.tags = tags;
    }
    const { buckets, leftOut } = await look();
    assert.deepEqual(buckets, []);
    assert.equal(leftOut[0]?.object, "bucket 'eve-data' of eve");
    assert.match(
      leftOut[0]?.why ?? "",
      /^does not name its entry; no run will close it: put its entry back, run, then/,
    );
  });

  it("is of one shard where the cluster says that it had somebody, and else told of by each", async () => {
    const { look } = await server(["eve/bucket/data", "eve-data"], ["fay/bucket/data", "fay-data"]);
    const sharded = withBuckets(ana, ben);
    const shards = { family: "dev", count: 2, index: 0 } as never;
    const { buckets, users, leftOut } = await look({ ...sharded, settings: { ...sharded.settings, shards } });
    assert.deepEqual([buckets.map(({ member }) => member), users.map(({ member }) => member)], [["eve"], ["eve"]]);
    assert.match(leftOut[0]?.why ?? "", /^belongs to a member of no shard; no run will close it: put/);
  });

  it("is told as not looked for where the server does not answer, and is none without one", async () => {
    const { look, s3 } = await server(["eve/bucket/data", "eve-data"]);
    s3.failing.set("ListBuckets", "no answer");
    const { buckets, leftOut } = await look();
    assert.deepEqual(buckets, []);
    assert.match(leftOut[0]?.why ?? "", /^could not be found, so no run will close it: .*no answer to ListB/);
    assert.deepEqual(await look(configuration({ members: [ben] })), { buckets: [], users: [], leftOut: [] });
  });

  it("takes orphaned buckets into the state, with their keys and components", async () => {
    const { look, keyOf } = await server(["eve/bucket/data", "eve-data"]);
    const root = {
      stack: "urn:pulumi:dev::kubecamp::pulumi:pulumi:Stack::kubecamp-dev",
      provider: { urn: "", id: "" },
      storage: { urn: "urn:pulumi:dev::kubecamp::pulumi:providers:kubecamp-buckets::storage", id: "7" },
    };
    const left = await look();
    const component: StateResource = {
      urn: `${environment}::eve`,
      custom: false,
      type: "kubecamp:index:MemberEnvironment",
      parent: root.stack,
    };
    const common = { custom: true, parent: component.urn, provider: `${root.storage.urn}::7` };
    const user = { member: "eve", generation: 1, role: "user" };
    const accessKeyId = await keyOf("eve");
    const secretAccessKey = {
      "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
      plaintext: '"secret of eve"',
    };
    const bucket = { bucketName: "eve-data", member: "eve", reclaimPolicy: "Delete", acl: "private" };
    const inputs = { ...bucket, versioning: false, adopt: false };
    const resources = [
      {
        ...{ ...common, urn: userUrn("eve"), id: accessKeyId, type: "kubecamp-buckets:index:BucketUser" },
        ...{ inputs: user, outputs: { ...user, accessKeyId, secretAccessKey } },
        additionalSecretOutputs: ["secretAccessKey"],
      },
      {
        ...{ ...common, urn: bucketUrn("eve/bucket/data"), id: "eve-data", type: "kubecamp-buckets:index:Bucket" },
        ...{ inputs, outputs: inputs, dependencies: [userUrn("eve")] },
      },
    ];
    assert.deepEqual(orphanedResources(left, [], root), [component, ...resources]);
    assert.deepEqual(orphanedResources(left, [component], root), resources);
  });
});
