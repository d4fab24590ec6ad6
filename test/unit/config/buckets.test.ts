import assert from "node:assert/strict";
import { unread } from "../../../config/values/maps.ts";
import { configuration, cosi, mistakes, storage } from "../samples.ts";

const { users: _, endpoint: __, ...admin } = storage;
const alice = { member: "alice", type: "user" };
const data = { name: "data" };

/** Mistakes in one member's entry. */
const reportedOf = (entry: object, settings: object = { storage }) =>
  mistakes({ ...settings, members: [{ ...alice, ...entry }] });

/** Mistakes in one bucket, without the member's name at the end of each line. */
const reportedOfBucket = (bucket: object, settings: object = { storage }) =>
  reportedOf({ buckets: [bucket] }, settings).map((line) => line.replace(/ \(member 'alice'\)$/, ""));

describe("settings of buckets", () => {
  it("configures no storage and no buckets by default", () => {
    const { settings, members } = configuration({ members: [alice, { ...alice, member: "bob", buckets: [] }] });
    assert.equal("storage" in settings, false);
    assert.deepEqual(
      members.map((member) => Object.keys(member).filter((key) => key.startsWith("bucket"))),
      [[], []],
    );
  });

  it("fills in the defaults of an S3 server", () => {
    assert.deepEqual(configuration({ members: [], storage: admin }).settings.storage, {
      kind: "s3",
      region: "us-east-1",
      forcePathStyle: false,
      ...admin,
    });
    assert.deepEqual(configuration({ members: [], storage }).settings.storage, {
      kind: "s3",
      region: "us-east-1",
      forcePathStyle: true,
      ...storage,
    });
    const all = {
      ...{ ...storage, region: "eu-1", forcePathStyle: false },
      ...{ appEndpoint: "http://s3:7070", usersEndpoint: "http://s3:7071" },
    };
    assert.deepEqual(configuration({ members: [], storage: all }).settings.storage, { kind: "s3", ...all });
  });

  it("takes the classes of a COSI driver", () => {
    assert.deepEqual(configuration({ members: [], storage: cosi }).settings.storage, cosi);
  });

  it("names a bucket after its member, and fills in defaults", () => {
    const site = {
      ...{ name: "site", bucketName: "www.example.org", reclaimPolicy: "Delete", acl: "public-read" },
      ...{ versioning: true, adopt: true },
    };
    const { members } = configuration({
      storage,
      members: [{ ...alice, buckets: [data, site], bucketKeyGeneration: 2 }],
    });
    const standard = { reclaimPolicy: "Retain", versioning: false, adopt: false };
    assert.deepEqual(members[0]?.buckets, [{ ...standard, name: "data", bucketName: "alice-data" }, site]);
    assert.equal(members[0]?.bucketKeyGeneration, 2);
    assert.equal("bucketKeys" in (members[0] ?? {}), false);
  });

  it("takes a bucket's policy as a map or as JSON, with a Version that YAML reads as a date", () => {
    const statement = {
      ...{ Effect: "Allow", Principal: "*", Action: "s3:GetObject" },
      Resource: "arn:aws:s3:::alice-data/*",
    };
    const policyOf = (policy: unknown) =>
      configuration({ storage, members: [{ ...alice, buckets: [{ ...data, policy }] }] }).members[0]?.buckets?.[0]
        ?.policy;
    const text = JSON.stringify({ Version: "2012-10-17", Statement: [statement] });
    assert.equal(policyOf(text), text);
    assert.equal(policyOf({ Version: "2012-10-17", Statement: [statement] }), text);
    assert.equal(policyOf({ Version: "2012-10-17 00:00:00 +0000 UTC", Statement: [statement] }), text);
  });

  it("takes a member's given keys, even where kubecamp makes others'", () => {
    const bucketKeys = {
      alice: { accessKeyId: "A1", secretAccessKey: "s1", principal: "arn:aws:iam::1:user/alice" },
      bob: { accessKeyId: "B1", secretAccessKey: "s2" },
    };
    const members = ["alice", "bob", "carol"].map((member) => ({ ...alice, member, buckets: [data] }));
    const givenKeys = configuration({ storage, bucketKeys, members }).members.map((member) => member.bucketKeys);
    assert.deepEqual(givenKeys, [bucketKeys.alice, bucketKeys.bob, undefined]);
  });
});

describe("keys of who is suspended or expired", () => {
  const { users: _, ...given } = storage;
  const arn = (name: string) => `arn:aws:iam::1:user/${name}`;
  const statement = (more: object) => ({
    ...{ Effect: "Allow", Principal: { AWS: [arn("alice"), arn("carol")] }, Action: "s3:GetObject" },
    ...{ Resource: "arn:aws:s3:::bob-data/*", ...more },
  });
  const bucketKeys = {
    alice: { accessKeyId: "A1", secretAccessKey: "s1", principal: arn("alice") },
    bob: { accessKeyId: "B1", secretAccessKey: "s2" },
  };
  /** Bob's bucket, with a policy that names alice, as her entry is. */
  const bobs = (entry: object, bucket: object) => {
    const members = [
      { ...alice, ...entry, buckets: [data] },
      { ...alice, member: "bob", buckets: [{ ...data, ...bucket }] },
    ];
    return configuration({ storage: given, bucketKeys, members }).members[1]?.buckets?.[0];
  };

  it("leaves suspended members' keys out of all policies and grants", () => {
    const policy = { Statement: [statement({}), statement({ Principal: arn("alice") })] };
    const left = JSON.stringify({ Statement: [statement({ Principal: { AWS: [arn("carol")] } })] });
    for (const entry of [{ suspended: true }, { expires: "2026-06-14" }]) {
      assert.equal(bobs(entry, { policy })?.policy, left);
      const none = bobs(entry, { policy: { Statement: statement({ Principal: { AWS: "A1" } }) } });
      assert.equal("policy" in (none ?? {}), false);
    }
    assert.equal(bobs({}, { policy })?.policy, JSON.stringify(policy));
    const grants = ["A1", "C1"].map((grantee) => ({ grantee, permission: "READ" }));
    assert.deepEqual(bobs({ suspended: true }, { grants })?.grants, grants.slice(1));
    assert.deepEqual(bobs({}, { grants })?.grants, grants);
  });
});

describe("mistakes in a member's buckets", () => {
  it("refuses invalid values of a bucket with what is allowed", () => {
    const rule = "3 to 63 of a-z, 0-9, '-' and '.', with a letter or figure at both ends, no '..', and no IP address";
    assert.deepEqual(reportedOfBucket({ name: "Data", bucketName: "a..b", reclaimPolicy: "Keep", acl: "public" }), [
      `members[0].buckets[0].name: "Data" must be a DNS label: a-z, 0-9 and '-', at most 63 characters`,
      `members[0].buckets[0].bucketName: "a..b" must be a bucket's name: ${rule}`,
      `members[0].buckets[0].reclaimPolicy: "Keep" must be one of Retain, Delete`,
      `members[0].buckets[0].acl: "public" must be one of private, public-read, public-read-write, authenticated-read; did you mean 'public-read'?`,
    ]);
    assert.deepEqual(reportedOfBucket({ ...data, policy: 5, grants: [{ permission: "LOOK" }] }), [
      "members[0].buckets[0].policy: 5 must be a policy document, as a map or as JSON text",
      "members[0].buckets[0].grants[0].grantee: is missing: must be a text",
      `members[0].buckets[0].grants[0].permission: "LOOK" must be one of FULL_CONTROL, READ, READ_ACP, WRITE, WRITE_ACP`,
    ]);
    assert.deepEqual(reportedOf({ buckets: [{}], bucketKeyGeneration: 0 }), [
      "members[0].buckets[0].name: is missing: must be a text (member 'alice')",
      "members[0].bucketKeyGeneration: 0 must be at least 1 (member 'alice')",
    ]);
    assert.deepEqual(reportedOf({ buckets: Array.from({ length: 101 }, (_, at) => ({ name: `b${at}` })) }).length, 1);
  });

  it("refuses a bucket's quota, which no server has", () => {
    const reported = reportedOfBucket({ ...data, quotaMiB: 100 });
    assert.deepEqual(reported, [
      "members[0].buckets[0].quotaMiB: 100 is nothing that kubecamp can set: no server whose API it knows has quotas for " +
        "buckets (AWS and versitygw have none); leave it out, and set it on the server if that has any",
    ]);
  });

  it("refuses buckets without a server", () => {
    assert.deepEqual(reportedOf({ buckets: [data] }, {}), [
      "members[0].buckets: needs a server, and none is set; set kubecamp:storage, or leave buckets out (member 'alice')",
    ]);
    assert.deepEqual(reportedOf({ buckets: [] }, {}), []);
  });

  it("refuses buckets without keys, if it is known that there are none", () => {
    const aws = { storage: admin };
    const reported =
      "members[0].buckets: needs keys; set storage.users if the server is versitygw, or give keys: " +
      "pulumi config set --path kubecamp:bucketKeys.alice.accessKeyId KEY, and " +
      "pulumi config set --secret --path kubecamp:bucketKeys.alice.secretAccessKey (member 'alice')";
    assert.deepEqual(reportedOf({ buckets: [data] }, aws), [reported]);
    const alices = { accessKeyId: "A1", secretAccessKey: "s1" };
    assert.deepEqual(reportedOf({ buckets: [data] }, { ...aws, bucketKeys: { alice: alices } }), []);
    assert.deepEqual(reportedOf({ buckets: [data] }, { storage: cosi }), []);
    assert.deepEqual(reportedOf({ buckets: [data] }, { storage: { ...admin, users: "ceph" } }), [
      `storage.users: "ceph" must be one of versitygw`,
    ]);
  });

  it("refuses a bucket's name that is there twice, or that is one of kubecamp's own ConfigMaps", () => {
    assert.deepEqual(reportedOf({ buckets: [data, { name: "x" }, { ...data, bucketName: "other" }] }), [
      `members[0].buckets[2].name: "data" is the name of buckets[0] already; names must differ (member 'alice')`,
    ]);
    assert.equal(reportedOf({ buckets: [data, data] }).length, 1);
    for (const name of ["starter-pages", "kubecamp-backend-ca"]) {
      assert.deepEqual(reportedOfBucket({ name }), [
        `members[0].buckets[0].name: "${name}" is the name of another ConfigMap of kubecamp's there; choose another name`,
      ]);
    }
    assert.deepEqual(reportedOfBucket({ name: "starter" }), []);
  });

  it("refuses two buckets with one name on the server", () => {
    const members = [
      { ...alice, member: "a", buckets: [{ name: "b-c" }, { name: "x", bucketName: "shared" }] },
      { ...alice, member: "a-b", buckets: [{ name: "c" }, { name: "y", bucketName: "shared" }] },
    ];
    assert.deepEqual(mistakes({ storage, members }), [
      `members[1].buckets[0].name: "a-b-c" is the name on the server of buckets[0] of members[0] (a) already; set another bucketName (member 'a-b')`,
      `members[1].buckets[1].bucketName: "shared" is the name on the server of buckets[1] of members[0] (a) already; set another bucketName (member 'a-b')`,
    ]);
    assert.deepEqual(mistakes({ storage: cosi, members: members.map((each) => ({ ...each, buckets: [data] })) }), []);
  });

  it("refuses a bucket's name that is too long on the server", () => {
    const name = "d".repeat(58);
    const reported = reportedOfBucket({ name });
    assert.equal(reported.length, 1);
    assert.match(
      reported[0] ?? "",
      /^members\[0\]\.buckets\[0\]\.name: "alice-d+\.\.\. can't be the bucket's name on the server: .*; set bucketName$/,
    );
    assert.deepEqual(reportedOfBucket({ name: "d".repeat(57) }), []);
    assert.deepEqual(reportedOfBucket({ name, bucketName: "short" }), []);
    assert.deepEqual(reportedOfBucket({ name }, { storage: cosi }), []);
  });

  it("refuses a bucket's acl beside grants", () => {
    const grants = [{ grantee: "http://acs.amazonaws.com/groups/global/AllUsers", permission: "READ" }];
    assert.deepEqual(reportedOfBucket({ ...data, grants }), []);
    assert.deepEqual(reportedOfBucket({ ...data, acl: "private", grants }), [
      "members[0].buckets[0].grants: is set beside acl; keep one of the two",
    ]);
  });

  it("refuses grants and ACLs that a versitygw ignores", () => {
    const grants = [{ grantee: "carol", permission: "READ" }];
    const why =
      "would let nobody in: for users who sign in, versitygw uses only the bucket's policy; set policy instead";
    assert.deepEqual(reportedOfBucket({ ...data, grants }), [`members[0].buckets[0].grants: ${why}`]);
    const acl = "authenticated-read";
    assert.deepEqual(reportedOfBucket({ ...data, acl }), [`members[0].buckets[0].acl: "${acl}" ${why}`]);
    assert.deepEqual(reportedOfBucket({ ...data, acl: "public-read" }), []);
    const bucketKeys = { alice: { accessKeyId: "hers", secretAccessKey: "s" } };
    assert.deepEqual(reportedOfBucket({ ...data, acl }, { storage, bucketKeys }), []);
    const { members } = configuration({ storage, bucketKeys, members: [{ ...alice, buckets: [{ ...data, grants }] }] });
    assert.deepEqual(members[0]?.buckets?.[0]?.grants, grants);
  });

  it("refuses a bucket's policy with exceptions on a versitygw, which ignores them", () => {
    const all = { Principal: "*", Resource: ["arn:aws:s3:::alice-data", "arn:aws:s3:::alice-data/*"] };
    const bucket = { ...data, policy: { Statement: [{ Effect: "Deny", NotAction: "s3:GetObject", ...all }] } };
    const bucketKeys = { alice: { accessKeyId: "hers", secretAccessKey: "s" } };
    const { users: _, ...another } = storage;
    const why = /^members\[0\]\.buckets\[0\]\.policy: Statement\[0\] has 'NotAction', which versitygw ignores: /;
    assert.match(reportedOfBucket(bucket).join(), why);
    assert.match(reportedOfBucket(bucket, { storage, bucketKeys }).join(), why);
    assert.deepEqual(reportedOfBucket(bucket, { storage: another, bucketKeys }), []);
  });

  it("refuses a bucket's policy that is no JSON, or about another bucket", () => {
    const [reported = ""] = reportedOfBucket({ ...data, policy: "{\n nonsense" });
    const noJson = /^members\[0\]\.buckets\[0\]\.policy: is no JSON \(.*\); give the policy document as JSON text$/;
    assert.match(reported, noJson);
    const Statement = { Effect: "Allow", Principal: "*", Action: "s3:GetObject", Resource: "arn:aws:s3:::bob-data/*" };
    const why =
      `members[0].buckets[0].policy: Statement[0] has the Resource "arn:aws:s3:::bob-data/*", which is not in this bucket: ` +
      `use "arn:aws:s3:::alice-data" and "arn:aws:s3:::alice-data/*"`;
    for (const policy of [{ Statement }, JSON.stringify({ Statement })]) {
      assert.deepEqual(reportedOfBucket({ ...data, policy }), [why]);
      assert.deepEqual(reportedOfBucket({ ...data, bucketName: "bob-data", policy }), []);
    }
  });

  it("shows nothing of a bucket's encrypted policy that is refused", () => {
    const raw = { storage, members: [{ ...alice, buckets: [{ ...data, policy: '{"top-secret": 1}' }] }] };
    assert.deepEqual(mistakes(raw, { isSecret: () => true }), [
      "members[0].buckets[0].policy: [secret] is no bucket policy for this bucket; write it as plain text to see why",
    ]);
  });

  it("refuses a bucket's settings that a COSI claim has no place for", () => {
    const more = { reclaimPolicy: "Delete", bucketName: "x-y-z", acl: "private", policy: "?", versioning: true };
    const reported = "is for storage of kind: s3; leave it out: with cosi";
    assert.deepEqual(reportedOfBucket({ ...data, ...more, adopt: true }, { storage: cosi }), [
      `members[0].buckets[0].reclaimPolicy: ${reported} that is the BucketClass's deletionPolicy`,
      ...["bucketName", "acl", "policy", "versioning", "adopt"].map(
        (key) => `members[0].buckets[0].${key}: ${reported} the driver decides that`,
      ),
    ]);
  });

  it("refuses takeovers of buckets that only the members file asks for", () => {
    const buckets = [
      { ...data, adopt: true },
      { name: "old", bucketName: "backups", adopt: true },
    ];
    const reported = (adopt: readonly unknown[] | undefined) =>
      mistakes(
        { storage: { ...storage, ...(adopt && { adopt }) }, membersFile: "members.yaml" },
        { members: [{ ...alice, buckets }] },
      );
    const [ofData = "", ofOld = ""] = ["alice-data", "backups"].map(
      (name, at) =>
        `members[0].buckets[${at}].adopt: would take over bucket '${name}' with everything in it, and whoever edits the members file can't decide that: leave it out, or name the bucket in kubecamp:storage.adopt too (member 'alice')`,
    );
    assert.deepEqual(reported(undefined), [ofData, ofOld]);
    assert.deepEqual(reported(["alice-data"]), [ofOld]);
    assert.deepEqual(reported(["alice-data", "backups"]), []);
    // A wrong name, or one that can't be read, hides no other.
    assert.deepEqual(reported(["alice-data", "BAD_NAME"]).slice(1), [ofOld]);
    assert.deepEqual(reported(["alice-data", unread]), [ofOld]);
    assert.deepEqual(reportedOf({ buckets }), []);
  });

  it("refuses a generation of bucket keys that kubecamp does not make", () => {
    const generation = { bucketKeyGeneration: 2 };
    const buckets = { ...generation, buckets: [data] };
    const message =
      "members[0].bucketKeyGeneration: 2 is for keys that kubecamp makes, and it makes none for this member; leave it out " +
      "(member 'alice')";
    const bucketKeys = { alice: { accessKeyId: "A1", secretAccessKey: "s1" } };
    assert.deepEqual(reportedOf(generation), [message]);
    assert.deepEqual(reportedOf(buckets, { storage: cosi }), [message]);
    assert.deepEqual(reportedOf(buckets, { storage, bucketKeys }), [message]);
    assert.deepEqual(reportedOf(buckets), []);
    assert.deepEqual(reportedOf({ ...generation, buckets: "data" }).length, 1);
  });
});
