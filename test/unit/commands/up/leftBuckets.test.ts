import assert from "node:assert/strict";
import { markTags } from "../../../../buckets/bucket/mark.ts";
import { keyPrefixOf, newAccessKey } from "../../../../buckets/s3/credentials.ts";
import { endLeft, leftOnServer } from "../../../../commands/up/leftBuckets.ts";
import type { Settings } from "../../../../config/settings.ts";
import type { PlanAndState } from "../../../../plan/decide/differing.ts";
import { knownState } from "../../../../plan/live/knownState.ts";
import { planStack } from "../../../../plan/members/plan.ts";
import { ownMembers } from "../../../../plan/members/shards.ts";
import { warningsOf } from "../../../../plan/words/catalogue.ts";
import { type FakeBucket, FakeS3 } from "../../buckets/fakeS3.ts";
import { FakeUsers } from "../../buckets/fakeUsers.ts";
import { cluster, owned } from "../../cluster/leaving.ts";
import { withBuckets } from "../../samples.ts";

const stack = "kubecamp/dev/1234";
const environment = "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment";
const bucketUrn = (member: string) => `${environment}$kubecamp-buckets:index:Bucket::${member}/bucket/data`;
const userUrn = (member: string) => `${environment}$kubecamp-buckets:index:BucketUser::${member}/bucket-user`;
const prefixOf = (member: string) => keyPrefixOf(stack, userUrn(member));
const { members: list, settings } = withBuckets(
  { member: "ana", type: "user", buckets: [{ name: "data" }] },
  { member: "ben", type: "user" },
);
const { signal } = new AbortController();

describe("what neither the list nor Pulumi's state has on the S3 server", () => {
  let s3: FakeS3;
  let users: FakeUsers;
  beforeEach(() => {
    s3 = new FakeS3();
    users = new FakeUsers(s3);
  });

  /** Makes a member's bucket and keys, as a run does. */
  async function made(member: string, reclaimPolicy: "Retain" | "Delete" = "Delete"): Promise<FakeBucket> {
    const settings = { bucketName: `${member}-data`, member, reclaimPolicy, versioning: false, adopt: false };
    const accessKeyId = newAccessKey(prefixOf(member));
    await users.put({ accessKeyId, secretAccessKey: "secret", role: "user" });
    return s3.add(settings.bucketName, {
      tags: markTags({ stack, urn: bucketUrn(member) }, settings),
      acl: { owner: accessKeyId, grants: [] },
      policy: "{}",
      versions: [{ key: "note", marker: false }],
    });
  }
  /** Members with keys. */
  const keyHolders = () =>
    ["ana", "ben", "eve"].filter((name) => [...users.all.keys()].join().includes(prefixOf(name)));
  const snapshot = cluster({ namespaces: new Map(["ana", "ben", "eve"].map((name) => [name, owned(name)])) });
  const look = (of: Settings = settings, ...urns: string[]): PlanAndState => ({
    ...planStack(list, ownMembers(list, of, snapshot), of, snapshot),
    state: knownState({ deployment: { resources: urns.map((urn) => ({ urn })) } }),
    digest: "",
    hasProgram: false,
  });
  /** Finds it and ends it. @returns what was told */
  const ended = async (of = look()) => {
    const { storage } = of.settings;
    assert.equal(storage?.kind, "s3");
    const left = await leftOnServer(storage, of, signal, () => ({ s3: () => s3, users: () => users }));
    assert.deepEqual(s3.writes, []);
    return warningsOf(await endLeft(left, signal)).map(({ text }) => text);
  };

  it("is closed whatever its tags say, of who has left and of who stays, and loses its keys", async () => {
    await made("ana");
    const bens = await made("ben", "Retain");
    const eves = await made("eve");
    assert.deepEqual(await ended(), [
      `Deleted, since neither the list nor Pulumi's state has it:
  S3 user of ben
  S3 user of eve`,
      `On the S3 server, and left there (docs/run/bucket-server.md#the-state-is-lost):
  bucket 'ben-data' of ben: stays on the server with all that is in it, closed to all but the server's administrators (reclaimPolicy Retain)
  bucket 'eve-data' of eve: stays on the server with all that is in it, closed to all but the server's administrators (reclaimPolicy Retain); its tags say Delete and Pulumi's state does not, as after an up that failed half-way or with a lost state, so nothing in it is deleted; if it should be deleted, delete it yourself, or put its entry back with 'adopt: true' for one run, then remove it`,
    ]);
    assert.deepEqual([[...s3.buckets.keys()], keyHolders()], [["ana-data", "ben-data", "eve-data"], ["ana"]]);
    for (const [member, { policy, acl, tags, versions }] of [
      ["ben", bens],
      ["eve", eves],
    ] as const) {
      const left = { "kubecamp.dev/left-by": `${stack} ${member}` };
      assert.deepEqual([policy, acl.owner, tags, versions.length], [undefined, "admin", left, 1]);
    }
  });

  it("is only told of where its tags do not name its entry: it may be one that stays", async () => {
    const eves = await made("eve");
    const { "kubecamp.dev/name": _, ...tags } = eves.tags;
    eves.tags = tags;
    const [left] = await ended();
    assert.match(left ?? "", /^ {2}bucket 'eve-data' of eve: does not name its entry; no run will close it: put its/m);
    assert.deepEqual([eves.policy, eves.tags], ["{}", tags]);
  });

  it("stays if a stranger has made it, or if it is in Pulumi's state", async () => {
    const evils = await made("eve");
    await users.put({ accessKeyId: "MALLORY", secretAccessKey: "s", role: "userplus" });
    evils.acl = { owner: "MALLORY", grants: [] };
    await made("ben");
    // Its tags name the resource of another bucket.
    const fays = await made("fay");
    fays.tags = { ...fays.tags, "kubecamp.dev/name": "ana/bucket/data" };
    await ended(look(settings, bucketUrn("ana"), bucketUrn("ben"), userUrn("ben")));
    const open = [...s3.buckets].flatMap(([name, { policy }]) => (policy === undefined ? [] : [name]));
    assert.deepEqual([open, keyHolders()], [["eve-data", "ben-data"], ["ben"]]);
  });

  it("is told with the reason where the server refuses to end it, and stops nothing else", async () => {
    await made("ben");
    await made("eve");
    users.remove = async () => {
      throw new Error("no");
    };
    s3.failing.set("PutBucketTagging", "InternalError");
    const [text = "", ...more] = await ended();
    assert.deepEqual(more, []);
    assert.match(text, /^ {2}S3 user of ben: no\n {2}S3 user of eve: no$/m);
    for (const name of ["ben", "eve"]) {
      assert.match(
        text,
        new RegExp(`^ {2}bucket '${name}-data' of ${name}: stays .* it still has this stack's tags`, "m"),
      );
    }
    assert.deepEqual(
      [...s3.buckets.values()].map(({ policy }) => policy),
      [undefined, undefined],
    );
  });

  it("is of one shard where the cluster says that it had somebody, and else told of by each", async () => {
    await made("eve");
    await made("fay");
    const [left, deleted] = await ended(look({ ...settings, shards: { family: "dev", count: 2 } }));
    assert.match(
      left ?? "",
      /^ {2}bucket 'fay-data' of fay: belongs to a member of no shard; no run will close it: put/m,
    );
    assert.match(left ?? "", /^ {2}bucket 'eve-data' of eve: stays/m);
    assert.match(deleted ?? "", /:\n {2}S3 user of eve$/);
  });

  it("is told as not looked for where the server does not answer", async () => {
    await made("eve");
    s3.failing.set("ListBuckets", "no answer");
    const [text = "", ...more] = await ended();
    assert.match(
      text,
      /^ {2}buckets and keys on .*: could not be found, so no run will close it: .*no answer to ListB/m,
    );
    assert.deepEqual([more, keyHolders()], [[], ["eve"]]);
  });
});
