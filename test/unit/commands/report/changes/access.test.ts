import assert from "node:assert/strict";
import { markdownOf } from "../../../../../commands/report/print/markdown.ts";
import { storage } from "../../../samples.ts";
import { reportOfEdit, reportOn, urn } from "../previews.ts";

const bob = (more: object = {}) => ({ member: "bob", type: "user", ...more });
const stack = (...members: readonly object[]) => ({ members, storage });
const edit = (before: readonly object[], after: readonly object[]) =>
  reportOfEdit({ before: stack(...before), after: stack(...after) });
/** The rows of what is said of access, which come first of all. */
async function rows(before: readonly object[], after: readonly object[]): Promise<string[]> {
  const text = markdownOf(await edit(before, after));
  const [, rest = ""] = text.split("> **Access.** Given by created or changed objects:\n");
  const [section = ""] = rest.split("\n\n");
  return section.split("\n").slice(3);
}
const policy = (...Statement: readonly object[]) => ({ Version: "2012-10-17", Statement });
const toAll = {
  Effect: "Allow",
  Principal: "*",
  Action: "s3:*",
  Resource: ["arn:aws:s3:::bob-data", "arn:aws:s3:::bob-data/*"],
};
const data = (more: object = {}) => ({ buckets: [{ name: "data", ...more }] });

describe("who is let in, in a report", () => {
  it("reports first of all who gets in by a new member's bindings", async () => {
    const groups = Array.from({ length: 12 }, (_, at) => `class-${at}`);
    const all = groups.map((name) => `group oidc:${name}`);
    assert.deepEqual(await rows([], [bob({ subject: "mallory", groups })]), [
      `> | bob | role 'edit' at home, role 'view' elsewhere | oidc:mallory, ${all.slice(0, 9).join(", ")} |`,
      `> | bob | role 'edit' at home, role 'view' elsewhere | ${all.slice(9).join(", ")} |`,
    ]);
  });

  it("reports every CI job that gets in for a member, and who may request tokens", async () => {
    const main = { issuer: "github", repository: "bob/site", ref: "refs/heads/main" };
    const withCi = (entries: readonly object[], more: object = {}) => ({
      members: [bob({ ...more, ci: entries })],
      ci: { audience: "https://k8s.example.org" },
    });
    const told = async (before: Record<string, unknown>, after: Record<string, unknown>) =>
      (await reportOfEdit({ before, after })).access.map(({ member, where, who }) => [member, where, who]);
    const job = "github:repo:bob/site:ref:refs/heads/main";
    assert.deepEqual(await told(withCi([]), withCi([main])), [["bob", ["role at home, for CI jobs"], [job]]]);
    assert.deepEqual(await told(withCi([main]), withCi([main, { token: true }])), [
      ["bob", ["role at home, for CI jobs"], ["serviceaccount kubecamp-ci"]],
      ["bob", ["tokens for CI jobs"], ["oidc:bob"]],
    ]);
    const suspended = { suspended: true };
    assert.deepEqual(await told(withCi([], suspended), withCi([main], suspended)), [
      ["bob", ["role 'edit' at home, once they are active again"], [job]],
    ]);
    assert.deepEqual(await told(withCi([main]), withCi([main], suspended)), []);
  });

  it("reports until when staff get in, and why; and nobody anew whose end alone is another", async () => {
    const withStaff = (...staff: readonly object[]) => ({ members: [bob()], staff });
    const lent = (until: string) => ({ group: "tas", role: "assist", until, reason: "exam week" });
    const reported = (before: readonly object[], after: readonly object[]) =>
      reportOfEdit({ before: withStaff(...before), after: withStaff(...after) });
    const given = await reported([], [lent("2099-12-20")]);
    assert.deepEqual(
      given.access.map(({ where, who }) => [where, who]),
      [[["staff's role 'assist'"], ["group oidc:tas (until 2099-12-20, exam week)"]]],
    );
    assert.match(markdownOf(given), /staff none → assist; group oidc:tas until 2099-12-20, exam week/);
    const later = await reported([lent("2099-12-20")], [lent("2099-12-24T18:00Z")]);
    assert.deepEqual(later.access, []);
    assert.match(markdownOf(later), /ends of access: \+ group oidc:tas until 2099-12-24T18:00Z, exam week/);
  });

  it("reports who gets in again after a suspension, also under another subject", async () => {
    for (const before of [{ subject: "mallory" }, {}]) {
      const row = "> | bob | role 'edit' at home, role 'view' elsewhere | oidc:mallory |";
      assert.deepEqual(await rows([bob({ ...before, suspended: true })], [bob({ subject: "mallory" })]), [row]);
    }
  });

  it("reports who will get in when a suspended member's entry is edited, not by a suspension", async () => {
    const suspended = { suspended: true };
    const row = (who: string) => `> | bob | role 'edit' at home, once they are active again | ${who} |`;
    const mallory = bob({ ...suspended, subject: "mallory", groups: ["red"] });
    const { changing } = await edit([bob(suspended)], [mallory]);
    assert.deepEqual(changing[0]?.differences, [
      {
        what: "user names, once they are active again",
        added: ["oidc:mallory", "group oidc:red"],
        removed: ["oidc:bob"],
      },
    ]);
    for (const [before, after, told] of [
      [[bob(suspended)], mallory, [row("oidc:mallory, group oidc:red")]],
      [[bob()], mallory, [row("oidc:mallory, group oidc:red")]],
      [[], mallory, [row("oidc:mallory, group oidc:red")]],
      [[mallory], bob(suspended), [row("oidc:bob")]],
      [[mallory], bob({ expires: "2026-06-14", subject: "mallory", groups: ["red"] }), []],
      [[bob()], bob(suspended), []],
    ] as const) {
      assert.deepEqual(await rows(before, [after]), told);
    }
  });

  it("reports who gets in for staying members first: joiners may fill a comment", async () => {
    const ann = { member: "ann", type: "user" };
    const { access } = await edit([bob()], [ann, bob({ groups: ["red"] })]);
    assert.deepEqual(
      access.map(({ member }) => member),
      ["bob", "ann"],
    );
  });

  it("reports who else gets into a new bucket", async () => {
    const open = { acl: "public-read-write", policy: policy(toAll) };
    const row = "> | bob | bucket bob-data | ACL public-read-write, Allow s3:\\* to \\* |";
    assert.deepEqual(await rows([bob()], [bob(data(open))]), [row]);
    assert.deepEqual((await rows([], [bob(data(open))])).at(-1), row);
    const { changing } = await edit([bob()], [bob(data(open))]);
    assert.deepEqual(changing[0]?.differences, [
      { what: "bucket bob-data", from: undefined, to: "there; ACL public-read-write; Allow s3:* to *" },
    ]);
    assert.deepEqual(await rows([bob()], [bob(data())]), []);
  });

  it("reports who else gets into a changed bucket, also by a lifted prohibition", async () => {
    const deny = { ...toAll, Effect: "Deny" };
    const row = "> | bob | bucket bob-data | Allow s3:\\* to \\* |";
    assert.deepEqual(await rows([bob(data())], [bob(data({ policy: policy(toAll) }))]), [row]);
    assert.deepEqual(await rows([bob(data({ policy: policy(toAll, deny) }))], [bob(data({ policy: policy(toAll) }))]), [
      row,
    ]);
    const versioned = data({ policy: policy(toAll), versioning: true });
    assert.deepEqual(await rows([bob(data({ policy: policy(toAll) }))], [bob(versioned)]), []);
    const inputs = { bucketName: "bob-data", member: "bob", acl: "private" };
    const { acl: _, ...granting } = { ...inputs, grants: [{ grantee: "somebody", permission: "WRITE" }] };
    const step = { op: "update", urn: urn("kubecamp-buckets:index:Bucket", "bob/bucket/data") };
    const { access } = reportOn([{ ...step, old: { inputs }, new: { inputs: granting } }]);
    assert.deepEqual(access, [{ member: "bob", where: ["bucket bob-data"], who: ["WRITE to somebody"] }]);
  });

  it("takes nobody for a bucket's member by the names of kubecamp's statements alone", async () => {
    const posing = ["kubecampBucket", "kubecampObjects"].map((Sid) => ({ ...toAll, Sid, Principal: { AWS: [Sid] } }));
    const row = "> | bob | bucket bob-data | Allow s3:\\* to kubecampBucket, Allow s3:\\* to kubecampObjects |";
    assert.deepEqual(await rows([bob(data())], [bob(data({ policy: policy(...posing) }))]), [row]);
  });

  it("reports the owner of given keys as who gets into a bucket", async () => {
    const { users: _, ...server } = storage;
    const keys = { accessKeyId: "a", secretAccessKey: "top-secret", principal: "arn:aws:iam::1:user/eve" };
    const given = { storage: server, bucketKeys: { bob: keys } };
    const { access } = await reportOfEdit({
      before: { members: [bob()] },
      after: { ...given, members: [bob(data())] },
    });
    assert.deepEqual(access, [
      { member: "bob", where: ["bucket bob-data"], who: ["what a member may, to arn:aws:iam::1:user/eve"] },
    ]);
  });
});
