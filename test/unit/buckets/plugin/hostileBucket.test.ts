import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { mock } from "node:test";
import { markTags } from "../../../../buckets/bucket/mark.ts";
import { settingsIn } from "../../../../buckets/bucket/settings.ts";
import {
  createBucket,
  deleteBucket,
  previewBucket,
  readBucket,
  updateBucket,
} from "../../../../buckets/plugin/bucketResource.ts";
import type { Props } from "../../../../buckets/protocol/values.ts";
import { repository } from "../../../../sandbox/paths.ts";
import { type FakeBucket, failure } from "../fakeS3.ts";
import {
  aclOf,
  inputsOf,
  mark,
  policy,
  refusal,
  started,
  stateOf,
  tagsOf,
  urn,
  withoutUsers,
} from "./bucketSamples.ts";

const versions = (...keys: readonly string[]) => keys.map((key) => ({ key, marker: false }));
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);
const closed = inputsOf();
const opened = inputsOf({ policy });
const toGo = inputsOf({ policy, reclaimPolicy: "Delete" });
const left = { "kubecamp.dev/left-by": "kubecamp/prod alice", "kubecamp.dev/reclaim-policy": "Delete" };
const others = markTags({ ...mark, stack: "kubecamp/dev" }, settingsIn(inputsOf({ member: "dan" })));

/** A bucket that is to be deleted, on a server of which a test has prepared something. */
const afterDeletion = async (
  bucket: Partial<FakeBucket>,
  prepare: (of: ReturnType<typeof started>) => void = () => undefined,
) => {
  const fake = started(toGo, { policy, ...bucket });
  prepare(fake);
  await deleteBucket(fake.session, urn, toGo);
  return fake;
};
/** It is let go of with a word about why it is not deleted, so that no run fails. */
const kept = async (...of: Parameters<typeof afterDeletion>) => {
  const fake = await afterDeletion(...of);
  const reported = fake.said.at(-1) ?? "";
  assert.match(
    reported,
    /^WARNING bucket 'alice-data' of alice is not deleted, and stays on the server, closed to all but/,
  );
  assert.match(reported, /; delete it yourself, or put its entry back with 'adopt: true' for one run/);
  assert.deepEqual([fake.bucket.policy, fake.bucket.tags], [undefined, left]);
  assert.equal(fake.s3.writes[0], "DeleteBucketPolicy alice-data");
  return { reported, ...fake };
};

/** It is deleted, with so many objects. */
const deletes = async (objects: string, ...of: Parameters<typeof afterDeletion>) => {
  const { s3, said } = await afterDeletion(...of);
  assert.equal(s3.buckets.size, 0);
  assert.ok(said.at(-1)?.startsWith(`INFO bucket 'alice-data' of alice is deleted with ${objects} in it`), said.at(-1));
};

describe("a bucket that its member does not let be deleted", () => {
  it("keeps a bucket with its locked objects, and deletes all others", async () => {
    const withLock = { versions: versions("a", "locked", "z") };
    const { reported, bucket } = await kept(withLock, ({ s3 }) => s3.locked.add("locked"));
    const why = /with 2 objects deleted in it: the server keeps objects in it, such as 'locked' \(locked until 2030\)/;
    assert.match(reported, why);
    assert.deepEqual(bucket.versions, versions("locked"));
  });

  it("keeps a bucket with objects that the server lists under other names", async () => {
    const strange = numbered(1500).map((name) => `a\u0001${name}`);
    const { reported, bucket } = await kept({ versions: versions(...strange, "z1", "z2") }, ({ s3 }) => {
      for (const name of strange) {
        s3.misnamed.add(name);
      }
    });
    assert.match(reported, /such as 'a\\u\{1\}0' \(it says that it is deleted, but still lists it\)/);
    assert.equal(bucket.versions.length, 1500);
  });

  it("keeps a bucket after a while if something goes on writing to it", async () => {
    const { reported } = await kept({}, ({ s3 }) => {
      s3.busy = true;
    });
    assert.match(reported, /: somebody with rights of their own on the server keeps writing to it; /);

    mock.timers.enable({ apis: ["Date"] });
    try {
      for (const [hasTimes, minutes] of [
        [true, 20],
        [false, 40],
      ] as const) {
        let count = 0;
        const fast = await kept({ versions: versions("0") }, ({ s3 }) => {
          s3.onDelete = (bucket) => {
            mock.timers.tick(60_000);
            const lastModified = hasTimes ? { lastModified: new Date() } : {};
            bucket.versions.push({ key: `${++count}`, marker: false, ...lastModified });
          };
        });
        assert.match(fast.reported, new RegExp(`: it was not empty after ${minutes} minutes; `));
        assert.ok(count < minutes + 5, String(count));
      }
    } finally {
      mock.timers.reset();
    }
    // The job of an `up` is not cut off meanwhile.
    for (const [file, limit] of [
      [".github/workflows/up.yml", /^ {2}up:[\s\S]*?timeout-minutes: (\d+)/m],
      ["deploy/gitlab/gitlab-ci.yml", /^up:[\s\S]*?timeout: (\d+) minutes/m],
    ] as const) {
      const [, most] = limit.exec(readFileSync(join(repository, file), "utf8")) ?? [];
      assert.ok(Number(most) > 45, file);
    }
  });

  it("deletes a bucket however much is in it if nothing writes to it", async () => {
    const lastModified = new Date(2026, 1, 1);
    const many = versions(...numbered(2500)).map((each) => ({ ...each, lastModified }));
    mock.timers.enable({ apis: ["Date"], now: new Date(2026, 1, 2) });
    try {
      await deletes("2500 objects", { versions: many }, ({ s3 }) => {
        s3.onDelete = () => mock.timers.tick(13 * 60_000);
      });
    } finally {
      mock.timers.reset();
    }
  });

  it("deletes a bucket where the server fails twice", async () => {
    for (const [operation, code] of [
      ["listObjectVersions", "InternalError"],
      ["deleteObjects", "InternalError"],
      ["deleteBucket", "OperationAborted"],
    ] as const) {
      await deletes("1 object", { versions: versions("a") }, ({ s3 }) => {
        const works = s3[operation].bind(s3);
        let failures = 0;
        Object.assign(s3, {
          [operation]: async (...args: Parameters<typeof works>) => {
            if (++failures <= 2) {
              throw failure(operation, code);
            }
            return (works as (...args: unknown[]) => unknown)(...args);
          },
        });
      });
    }
  });

  it("keeps a bucket that the server refuses to empty or to delete", async () => {
    for (const [operation, code] of [
      ["ListObjectVersions", "InternalError"],
      ["DeleteObjects", "MalformedXML"],
      ["DeleteBucket", "OperationAborted"],
      ["DeleteBucket", "InvalidBucketState"],
    ] as const) {
      const { reported } = await kept({ versions: versions("a") }, ({ s3 }) => s3.failing.set(operation, code));
      assert.match(reported, new RegExp(`: the server answers \\d+ to ${operation} \\(the fake says ${code}\\);`));
    }
  });

  it("fails a deletion, and tries again, where the S3 server or the key is the obstacle", async () => {
    for (const why of ["no answer", "AccessDenied"]) {
      const { session, s3, bucket } = started(toGo, { policy, versions: versions("a") });
      s3.failing.set("DeleteObjects", why);
      await refusal(deleteBucket(session, urn, toGo));
      assert.deepEqual([bucket.policy, bucket.tags], [undefined, tagsOf(toGo)]);
      s3.failing.clear();
      await deleteBucket(session, urn, toGo);
      assert.equal(s3.buckets.size, 0);
    }
  });

  it("deletes a bucket on a server that lists no versions", async () => {
    for (const isSilent of [false, true]) {
      await deletes("2100 objects", { versions: versions(...numbered(2100)) }, ({ s3 }) => {
        if (isSilent) {
          s3.listObjectVersions = async () => ({ versions: [] });
        } else {
          s3.failing.set("ListObjectVersions", "NotImplemented");
        }
        s3.failing.set("ListMultipartUploads", "NotImplemented");
      });
    }
  });
});

describe("a bucket whose tags its member has changed", () => {
  const made = "KCABCDEFGHIJKLMNOPQR";

  it("closes a bucket without tags before it writes them again", async () => {
    for (const tags of [{}, { mine: "yes" }]) {
      const { session, s3, bucket, said } = started(opened, { policy, tags, acl: aclOf(made) });
      assert.deepEqual(await updateBucket(session, urn, opened, closed), closed);
      assert.deepEqual([bucket.policy, bucket.acl.owner], [undefined, "ROOT"]);
      assert.deepEqual(bucket.tags, { ...tags, ...tagsOf(closed) });
      assert.deepEqual(s3.writes, ["ChangeBucketOwner alice-data", "PutBucketTagging alice-data"]);
      assert.match(said.join(), /^WARNING bucket 'alice-data' of alice: it does not have this stack's tags/);
    }
  });

  it("closes a bucket with another stack's tags, and changes nothing else", async () => {
    for (const [who, write] of [
      [made, "ChangeBucketOwner"],
      ["ROOT", "DeleteBucketPolicy"],
    ] as const) {
      const { session, s3, bucket, said } = started(opened, { policy, tags: others, acl: aclOf(who) });
      assert.deepEqual(await updateBucket(session, urn, opened, closed), closed);
      assert.deepEqual([bucket.policy, bucket.acl.owner, bucket.tags], [undefined, "ROOT", others]);
      assert.deepEqual(s3.writes, [`${write} alice-data`]);
      const why = /^WARNING .* lets nobody in any more, and is left as it is otherwise: its tags say that it is of dan/;
      assert.match(said.join(), why);
    }
  });

  it("leaves an open bucket with another stack's tags alone, and fails no run", async () => {
    for (const adopt of [false, true]) {
      const { session, s3, said } = started(opened, { policy, tags: others });
      const news = inputsOf({ policy, versioning: true, adopt });
      assert.deepEqual(await updateBucket(session, urn, opened, news), opened);
      assert.deepEqual(s3.writes, []);
      const why = /^WARNING .* is left as it is: its tags say that it is of dan in the stack kubecamp\/dev; /;
      assert.match(said.join(), why);
    }
  });

  it("closes an undeclared bucket with changed tags, and keeps its objects", async () => {
    for (const [tags, why] of [
      [{}, "its tags name no owner"],
      [others, "its tags say that it is of dan in the stack kubecamp/dev"],
    ] as const) {
      for (const declared of [toGo, opened]) {
        const acl = aclOf(made);
        const { session, bucket, said } = started(declared, { policy, tags, versions: versions("a"), acl });
        await deleteBucket(session, urn, declared);
        assert.deepEqual([bucket.policy, bucket.acl.owner, bucket.versions.length], [undefined, "ROOT", 1]);
        assert.deepEqual(bucket.tags, tags);
        const [warning = ""] = said;
        const words = `closed to all but the server's administrators; ${why}`;
        assert.ok(warning.startsWith("WARNING ") && warning.includes(words), warning);
      }
    }
  });
});

describe("a bucket that its member has deleted", () => {
  it("makes a deleted bucket anew, and fails no run", async () => {
    for (const news of [closed, opened]) {
      const { session, s3, said } = started(opened);
      s3.buckets.clear();
      assert.deepEqual(await updateBucket(session, urn, opened, news), news);
      assert.deepEqual(s3.buckets.get("alice-data")?.policy, news.policy);
      assert.deepEqual(said, [
        "WARNING bucket 'alice-data' of alice was gone, since somebody has deleted it; it is made anew, and empty",
      ]);
    }
  });
});

describe("a bucket whose versioning its member has locked", () => {
  it("changes a bucket whose versioning is locked in all else", async () => {
    const { session, s3, bucket, said } = started(opened, { policy, versioning: "Enabled" });
    s3.failing.set("PutBucketVersioning", "InvalidBucketState");
    assert.deepEqual(await updateBucket(session, urn, opened, closed), closed);
    assert.equal(bucket.policy, undefined);
    const why = /^WARNING bucket 'alice-data' of alice: its versioning stays as it is, because the server refuses/;
    assert.match(said.join(), why);
  });
});

describe("a bucket that is given to its user", () => {
  const owned = inputsOf({ policy, bucketOwner: "KCALICE" });
  const giving = () => {
    const fake = started(closed);
    const given: string[] = [];
    const give = fake.users.giveBucket.bind(fake.users);
    fake.users.giveBucket = async (name, owner) => {
      given.push(owner);
      return give(name, owner);
    };
    return { ...fake, given };
  };
  const state = ({ acl, policy: live }: FakeBucket) => [acl.owner, live];

  it("gives no bucket to its user if the server refuses its policy or versioning", async () => {
    for (const [operation, code] of [
      ["PutBucketPolicy", "MalformedPolicy"],
      ["PutBucketVersioning", "NotImplemented"],
    ] as const) {
      const { session, s3, bucket, given } = giving();
      s3.failing.set(operation, code);
      await refusal(updateBucket(session, urn, closed, inputsOf({ ...owned, versioning: true })));
      assert.deepEqual([given, state(bucket)], [[], ["ROOT", undefined]]);
    }
  });

  it("writes a user's missing policy first: without one, they may do anything", async () => {
    const { session, s3, bucket } = started(owned, { acl: aclOf("KCALICE") });
    s3.failing.set("PutBucketVersioning", "NotImplemented");
    await refusal(updateBucket(session, urn, owned, inputsOf({ ...owned, versioning: true })));
    assert.deepEqual(state(bucket), ["KCALICE", policy]);
  });

  it("takes a bucket back if the gift or its policy fails, even in a stopped run", async () => {
    const failing: readonly ((fake: ReturnType<typeof giving>) => unknown)[] = [
      ...["MalformedPolicy", "no answer"].map((why) => ({ s3, given }: ReturnType<typeof giving>) => {
        const write = s3.putBucketPolicy.bind(s3);
        s3.putBucketPolicy = async (name, text) => {
          if (given.length > 0) {
            throw failure("PutBucketPolicy", why);
          }
          return write(name, text);
        };
      }),
      ({ users, given }) => {
        const give = users.giveBucket.bind(users);
        users.giveBucket = async (name, owner) => {
          await give(name, owner);
          if (given.length === 1) {
            throw failure("ChangeBucketOwner", "InternalError");
          }
        };
      },
    ];
    for (const fail of failing) {
      const fake = giving();
      fail(fake);
      await refusal(updateBucket(fake.session, urn, closed, owned));
      assert.deepEqual(fake.given, ["KCALICE", "ROOT"]);
      assert.deepEqual(state(fake.bucket), ["ROOT", undefined]);
      const back = /^WARNING .*: it is the administrator's again, and lets nobody in until a run succeeds$/;
      assert.match(fake.said.join(), back);
    }
  });

  it("undoes what a user did while their bucket had no policy", async () => {
    const { session, s3, bucket } = giving();
    const write = s3.putBucketPolicy.bind(s3);
    s3.putBucketPolicy = async (name, text) => {
      bucket.acl = { ...bucket.acl, grants: [...bucket.acl.grants, { grantee: "MALLORY", permission: "WRITE" }] };
      return write(name, text);
    };
    await updateBucket(session, urn, closed, owned);
    assert.deepEqual(bucket.acl, aclOf("KCALICE"));
    assert.equal(bucket.policy, policy);
  });
});

describe("a stranger's bucket that bears the tags of ours", () => {
  const strangers = { acl: { owner: "MALLORY", grants: [] } };
  const found = (hasUsers: boolean, inputs: Props, more: Partial<FakeBucket> = {}) => {
    const fake = started(inputs, { ...strangers, ...more });
    fake.users.all.set("MALLORY", { accessKeyId: "MALLORY", secretAccessKey: "m", role: "userplus" });
    return hasUsers ? fake : { ...fake, session: withoutUsers(fake.session) };
  };

  for (const hasUsers of [true, false]) {
    const by = hasUsers ? "the API for users" : "the caller's ID";
    describe(hasUsers ? "with an API for users" : "by the ID that the server has for whoever asks", () => {
      it(`refuses a stranger's bucket with our tags by ${by}, in previews too`, async () => {
        const { session, s3 } = found(hasUsers, opened);
        const reported = await refusal(createBucket(session, urn, opened));
        const why = /this stack's tags, but it belongs to 'MALLORY' on the server; choose another bucketName/;
        assert.match(reported, why);
        assert.equal(await refusal(previewBucket(session, urn, opened)), reported);
        assert.deepEqual(s3.writes, []);
      });

      it(`takes over a stranger's bucket by ${by} with 'adopt' alone, and warns`, async () => {
        const adopting = inputsOf({ adopt: true });
        const { session, said } = found(hasUsers, adopting);
        await previewBucket(session, urn, adopting);
        await createBucket(session, urn, adopting);
        assert.match(said[0] ?? "", /^WARNING .* will be taken over, though it belongs to 'MALLORY' on the server$/);
        assert.match(said[1] ?? "", /^WARNING .* is taken over: it belongs to 'MALLORY' on the server \(adopt\)$/);
      });

      it(`leaves a stranger's bucket by ${by} in place of ours, and fails no run`, async () => {
        const { session, s3, said } = found(hasUsers, toGo, { policy, versions: versions("a") });
        // A refresh has found who owns it.
        const shown = { ...opened, bucketOwner: "MALLORY" };
        assert.deepEqual(await updateBucket(session, urn, shown, closed), shown);
        await deleteBucket(session, urn, { ...toGo, bucketOwner: "MALLORY" });
        assert.deepEqual(s3.writes, []);
        const is = "it belongs to 'MALLORY' on the server";
        const [changed = "", deleted = ""] = said;
        assert.match(changed, new RegExp(`^WARNING .* is left as it is: ${is}; choose another bucketName`));
        const left = `^WARNING .* is left alone, as open as it is: ${is}; if it is yours, delete it yourself`;
        assert.match(deleted, new RegExp(left));
      });
    });
  }

  it("takes a former or another administrator's bucket for ours", async () => {
    const { session, users, s3, bucket } = found(true, opened);
    users.all.set("MALLORY", { accessKeyId: "MALLORY", secretAccessKey: "m", role: "admin" });
    await createBucket(session, urn, opened);
    assert.equal(bucket.acl.owner, "ROOT");
    const gone = found(true, opened, { acl: { owner: "FORMER-ROOT", grants: [] } });
    await createBucket(gone.session, urn, opened);
    assert.equal(gone.bucket.acl.owner, "ROOT");
    assert.equal(s3.buckets.size, 1);
  });

  it("refuses a new bucket whose owner can't be compared, and not a known one", async () => {
    const { session, s3, said } = found(false, opened);
    for (const how of ["AccessDenied", "no ID"]) {
      if (how === "no ID") {
        s3.caller = undefined;
      } else {
        s3.failing.set("ListBuckets", how);
      }
      const reported = await refusal(createBucket(session, urn, opened));
      const why = /its owner can't be checked, .*s3:ListAllMyBuckets\), or set 'adopt: true' if the bucket is yours$/;
      assert.match(reported, why);
      assert.deepEqual(s3.writes, []);
      s3.failing.clear();
    }
    assert.deepEqual(await updateBucket(session, urn, opened, opened), opened);
    assert.deepEqual([s3.writes, said], [["PutBucketPolicy alice-data"], []]);
  });

  it("closes an undeclared bucket whose owner can't be compared, and deletes nothing", async () => {
    const { session, s3, bucket, said } = found(false, toGo, { policy, versions: versions("theirs") });
    s3.caller = undefined;
    await deleteBucket(session, urn, toGo);
    assert.deepEqual([bucket.versions, bucket.policy, bucket.tags], [versions("theirs"), undefined, left]);
    const why =
      /^WARNING .* is not deleted, and stays on the server, closed to .*: its owner can't be checked, .*s3:ListAllMyBuckets/;
    assert.match(said.join(), why);
  });
});

describe("a bucket whose name its member has taken to an account of their own", () => {
  const taken = (code: string, operation = "GetBucketLocation") => {
    const fake = started(toGo, { policy });
    fake.s3.failing.set(operation, code);
    fake.s3.listBuckets = async () => ["bob-data"];
    return fake;
  };
  const answers = [
    ["AccessDenied"],
    ["PermanentRedirect"],
    ["AuthorizationHeaderMalformed"],
    ["AccessDenied", "GetBucketAcl"],
  ] as const;

  it("fails no run over a name that a member has taken to another account, and warns", async () => {
    for (const [code, operation] of answers) {
      const { session, s3, said } = taken(code, operation);
      assert.deepEqual(await updateBucket(session, urn, toGo, closed), toGo);
      const found = await readBucket(session, urn, stateOf(toGo));
      assert.deepEqual(found, { id: "alice-data", inputs: toGo, properties: toGo });
      await deleteBucket(session, urn, toGo);
      assert.deepEqual(s3.writes, []);
      const why =
        /another bucket has that name now, and the S3 server's access key may not read it and does not list it/;
      for (const reported of said) {
        assert.match(reported, why);
      }
      const words = said.map((reported) => /^WARNING bucket 'alice-data' of alice is (left \w+)/.exec(reported)?.[1]);
      assert.deepEqual(words, ["left as", "left as", "left alone"]);
    }
  });
});
