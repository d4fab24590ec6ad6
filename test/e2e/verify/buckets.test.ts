import assert from "node:assert/strict";
import { bucketPromises, tryKeys } from "../../../verify/parts/buckets/keys.ts";
import { withBucketOwners } from "../../../verify/parts/buckets/owners.ts";
import { configuration as configured } from "../../unit/samples.ts";
import type { Entry } from "../program/stack.ts";
import { ada, useKeys } from "./keysStack.ts";
import type { Proof } from "./proof.ts";

const { keyless, others, rights } = bucketPromises;
const did = (tried: string) => ({ is: "broken", tried, came: "the server did it" });

describe("kubecamp verify, of buckets", () => {
  const { server, stack, configure, verify, configuration, open, onServer } = useKeys("keys");
  const whys = (proofs: readonly Proof[]) => {
    assert.deepEqual(new Set(proofs.map(({ result }) => result)), new Set(["unproven"]));
    assert.equal(proofs.length, 6);
    return [...new Set(proofs.flatMap(({ details }) => details.map(({ why }) => why)))];
  };

  it("finds each promise held on a real server, and leaves nothing there", async () => {
    const { exitCode, proofs, stderr } = await verify();
    assert.deepEqual(
      proofs.map(({ promise, result, details }) => [result, promise, details]),
      [
        ["held", "A member's keys read and write the member's bucket.", []],
        ["held", "Nobody reads a member's bucket without keys.", []],
        ["held", "A member's keys open no bucket of another member.", []],
        ["held", "A member's keys change nobody's rights to a bucket.", []],
        ["held", "A member's keys show no other buckets, and manage no users of the server.", []],
        ["held", "A suspended member's keys open nothing.", []],
      ],
      stderr,
    );
    assert.equal(exitCode, 0);
    assert.deepEqual(await onServer(), { buckets: [], keys: [] });
  });

  it("finds what is broken where the server lets everybody in", async () => {
    const signal = AbortSignal.timeout(60_000);
    const log = { say: async () => undefined, status: async () => undefined, close: () => undefined };
    const session = { configuration: configuration(), server: open(), log, signal };
    const members = configured({ members: ["ann", "ben"].map((member) => ({ member, type: "user" })) }).members;
    const tried = await withBucketOwners(session, members, async (owners) => {
      const bucket = owners[0]?.bucketName ?? "";
      const Resource = [`arn:aws:s3:::${bucket}`, `arn:aws:s3:::${bucket}/*`];
      const everything = { Effect: "Allow", Principal: "*", Action: "s3:*", Resource };
      await session.server.s3(signal).putBucketPolicy(bucket, JSON.stringify({ Statement: [everything] }));
      return await tryKeys(session, owners);
    });
    assert.deepEqual(
      tried.flatMap(({ by, promise, outcome }) => (outcome.is === "held" ? [] : [[by, promise, outcome]])),
      [
        ["nobody's keys", keyless.promise, did("read an object")],
        ["another member's keys", others.promise, did("list the bucket")],
        ["another member's keys", others.promise, did("read an object")],
        ["another member's keys", others.promise, did("write an object")],
        ["another member's keys", others.promise, did("delete an object")],
        ["the member's keys", rights.promise, did("set a policy on the own bucket")],
      ],
    );
  });

  it("proves nothing where the administrator's key can't be decrypted, and says why", async () => {
    const { exitCode, proofs } = await verify({
      ...stack.sandbox.env,
      VAULT_TOKEN: "",
      VAULT_ADDR: "http://127.0.0.1:2",
    });
    const [why = "", ...more] = whys(proofs);
    assert.match(
      why,
      /^storage\.secretAccessKey can't be decrypted, as 'kubecamp up' does: Stack 'keys' in \S+ can't be opened: /,
    );
    assert.deepEqual([more, exitCode], [[], 0]);
  });

  it("proves nothing of another server or driver than one on which it can make keys", async () => {
    const bare: Entry = { member: "ada", type: "user" };
    await configure({ users: undefined }, bare);
    assert.deepEqual(whys((await verify()).proofs), ["storage.users is not set: kubecamp can make no keys to try"]);
    const cosi = { kind: "cosi", version: "v1alpha1", bucketClassName: "a", bucketAccessClassName: "b" };
    await stack.configure([ada], { storage: cosi });
    assert.deepEqual(whys((await verify()).proofs), [
      "a COSI driver makes buckets and keys, on a server that kubecamp does not know",
    ]);
    await stack.configure([bare]);
    assert.deepEqual((await verify()).proofs, []);
    await configure();
  });

  it("proves nothing while the server does not answer", async () => {
    await server.stop();
    const { exitCode, proofs } = await verify();
    const [why = "", ...more] = whys(proofs);
    assert.match(
      why,
      /^S3 user of kubecamp-verify-\w+-1: no answer to ListUsers from http:\S+ \(connect ECONNREFUSED /,
    );
    assert.deepEqual([more, exitCode], [[], 0]);
  });
});
