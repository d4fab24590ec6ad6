import assert from "node:assert/strict";
import { undeclaredBuckets } from "../../../../buckets/bucket/leaving.ts";
import { markTags } from "../../../../buckets/bucket/mark.ts";
import { leaving } from "../../../../buckets/plugin/service.ts";
import { FakeS3, failure, root } from "../fakeS3.ts";
import { FakeUsers } from "../fakeUsers.ts";
import { fakeSession } from "../plugin/fakeSession.ts";

const ours = "kubecamp/prod";
const tagsOf = (member: string, reclaimPolicy: "Retain" | "Delete", stack = ours) =>
  markTags(
    { stack, urn: `urn::${member}/bucket/data` },
    { bucketName: "", member, reclaimPolicy, versioning: false, adopt: false },
  );
const objects = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ key: `${index}`, marker: index === 0 }));

const stocked = (s3: FakeS3): void => {
  s3.add("declared", { tags: tagsOf("alice", "Delete"), versions: objects(9) });
  s3.add("goes", { tags: tagsOf("bob", "Delete"), versions: objects(2346) });
  s3.add("stays", { tags: tagsOf("bob", "Retain"), versions: objects(9) });
  s3.add("other-stacks", { tags: tagsOf("bob", "Delete", "kubecamp/dev") });
  s3.add("nobodys");
};
const looked = (s3: FakeS3, ...declared: string[]) =>
  undeclaredBuckets({ s3, users: new FakeUsers(s3) }, { stack: ours, administrator: root, declared });
const own = { member: "bob", name: "bob/bucket/data" };
const expected = [
  { bucketName: "goes", ...own, reclaimPolicy: "Delete", deletes: { objects: 2345, more: false } },
  { bucketName: "stays", ...own, reclaimPolicy: "Retain" },
];

describe("buckets that leave", () => {
  it("lists the stack's undeclared buckets with the number of objects that go", async () => {
    const s3 = new FakeS3();
    stocked(s3);
    assert.deepEqual(await looked(s3, "declared"), { buckets: expected, unseen: [] });
    assert.deepEqual(s3.writes, []);
  });

  it("leaves out a stranger's bucket with copied tags", async () => {
    const s3 = new FakeS3();
    stocked(s3);
    const users = new FakeUsers(s3);
    await users.put({ accessKeyId: "MALLORY", secretAccessKey: "s", role: "userplus" });
    s3.add("strangers", { tags: tagsOf("bob", "Delete"), acl: { owner: "MALLORY", grants: [] } });
    const of = { stack: ours, administrator: root, declared: ["declared"] };
    assert.deepEqual((await undeclaredBuckets({ s3, users }, of)).buckets, expected);
    assert.deepEqual((await undeclaredBuckets({ s3, users: undefined }, of)).buckets, expected);
  });

  it("counts objects up to 100 pages, so that no preview waits longer", async () => {
    const s3 = new FakeS3();
    s3.add("goes", { tags: tagsOf("bob", "Delete"), versions: objects(100_001) });
    assert.deepEqual((await looked(s3)).buckets[0]?.deletes, { objects: 99_999, more: true });
    assert.equal(s3.pages, 100);
  });

  it("tells the program the buckets that leave, and warns of those that can't be read", async () => {
    const { session, s3, said } = fakeSession();
    stocked(s3);
    s3.add("far");
    const refused = { nobodys: "InternalError", "other-stacks": "InvalidTag", far: "AuthorizationHeaderMalformed" };
    const ask = s3.getBucketTagging.bind(s3);
    s3.getBucketTagging = async (name) => {
      const why = refused[name as keyof typeof refused];
      if (why !== undefined) {
        throw failure("GetBucketTagging", why);
      }
      return ask(name);
    };
    const token = "kubecamp-buckets:index:leaving";
    assert.deepEqual(await leaving(session, token, { declared: ["declared"] }), { buckets: expected });
    s3.failing.set("ListBuckets", "no answer");
    assert.deepEqual(await leaving(session, token, { declared: [] }), { buckets: [] });
    const [unseen = "", silent = "", ...more] = said;
    assert.match(
      unseen,
      /^WARNING 2 buckets on the server could not be looked at, and may be among those that go, such as '(nobodys|other-stacks)': /,
    );
    assert.match(
      silent,
      /^WARNING what will be deleted can't be counted: buckets that leave: no answer to ListBuckets/,
    );
    assert.deepEqual(more, []);
    await assert.rejects(leaving(session, "kubecamp-buckets:index:arriving", {}), /has no function/);
  });
});
