import assert from "node:assert/strict";
import {
  createUser,
  deleteUser,
  previewUser,
  previewUserUpdate,
  readUser,
  updateUser,
} from "../../../../buckets/plugin/userResource.ts";
import { checkUser, diffUser } from "../../../../buckets/users/user.ts";
import { isSecret, type Props, plain, secret, unknown } from "../../../../protocol/values.ts";
import { fakeSession } from "./fakeSession.ts";

const request = { urn: "urn:pulumi:prod::kubecamp::kubecamp-buckets:index:BucketUser::alice/s3", timeout: 0 };
const another = { ...request, urn: `${request.urn}-2` };

const inputsOf = (args: Props = {}): Props => {
  const { inputs, failures } = checkUser({ member: "alice", ...args }, "user");
  assert.deepEqual(failures, []);
  return inputs;
};
const made = async (args: Props = {}) => {
  const { session, users } = fakeSession();
  const { id, properties: state } = await createUser(session, request, inputsOf(args));
  return { users, session, id, state, before: { id, inputs: inputsOf(args), state } };
};
const changesOf = (olds: Props, news: Props) => Object.fromEntries(diffUser(olds, news));

describe("a user of the S3 server", () => {
  it("has keys that are made, of which the secret one is secret", async () => {
    const { users, id, state } = await made();
    assert.match(id, /^KC[A-Z2-7]{18}$/);
    const { secretAccessKey, ...rest } = state;
    assert.deepEqual(rest, { member: "alice", generation: 1, role: "user", accessKeyId: id });
    assert.ok(isSecret(secretAccessKey));
    assert.match(String(plain(state).secretAccessKey), /^[\w-]{40}$/);
    assert.deepEqual(users.all.get(id), {
      accessKeyId: id,
      secretAccessKey: plain(state).secretAccessKey,
      role: "user",
    });
  });

  it("has an access key that previews know, and that no other resource or stack has", async () => {
    const { session, id } = await made();
    const preview = previewUser(session, request, inputsOf());
    assert.deepEqual(preview.properties, { ...inputsOf(), accessKeyId: id, secretAccessKey: secret(unknown) });
    const elsewhere = { ...session, configuration: { ...session.configuration, stack: "kubecamp/dev" } };
    const others = [previewUser(session, another, inputsOf()), previewUser(elsewhere, request, inputsOf())];
    const shard = { ...request, urn: request.urn.replace("urn:pulumi:prod", "urn:pulumi:prod-2") };
    assert.equal(previewUser(session, shard, inputsOf()).properties.accessKeyId, id);
    assert.equal(new Set([id, ...others.map(({ properties }) => properties.accessKeyId)]).size, 3);
  });

  it("is gone on with that a killed run has made, with another secret", async () => {
    const { users, session, id, state } = await made();
    const again = await createUser(session, request, inputsOf());
    assert.equal(again.id, id);
    assert.equal(users.all.size, 1);
    assert.notDeepEqual(again.properties.secretAccessKey, state.secretAccessKey);
    assert.equal(users.all.get(id)?.secretAccessKey, plain(again.properties).secretAccessKey);
  });

  it("has another secret with another generation, and else the same", async () => {
    const { users, session, id, state } = await made();
    const renamed = inputsOf({ member: "alicia" });
    const rotated = inputsOf({ generation: 2 });
    assert.deepEqual(changesOf(state, renamed), { member: "UPDATE" });
    assert.deepEqual(changesOf(state, rotated), { generation: "UPDATE" });
    assert.deepEqual(previewUserUpdate(state, renamed).secretAccessKey, state.secretAccessKey);
    assert.deepEqual(previewUserUpdate(state, rotated).secretAccessKey, secret(unknown));

    const same = await updateUser(session, request, state, renamed);
    assert.deepEqual(same.secretAccessKey, state.secretAccessKey);
    const other = await updateUser(session, request, state, rotated);
    assert.notDeepEqual(other.secretAccessKey, state.secretAccessKey);
    assert.equal(other.accessKeyId, id);
    assert.equal(users.all.get(id)?.secretAccessKey, plain(other).secretAccessKey);
  });

  it("is as it was made where nobody has changed it", async () => {
    const { session, before, id, state } = await made();
    assert.deepEqual(await readUser(session, request, before), { id, inputs: inputsOf(), properties: state });
  });

  it("has its secret and role put back that somebody has changed", async () => {
    const { users, session, before, id, state } = await made();
    users.all.set(id, { accessKeyId: id, secretAccessKey: "theirs", role: "admin" });
    const found = await readUser(session, request, before);
    assert.deepEqual(found?.inputs, { member: "alice", generation: 0, role: "admin" });
    assert.deepEqual(changesOf(found.properties, inputsOf()), { generation: "UPDATE", role: "UPDATE" });
    assert.ok(!JSON.stringify(found).includes("theirs"));
    const mended = await updateUser(session, request, found.properties, inputsOf());
    assert.deepEqual(users.all.get(id), {
      accessKeyId: id,
      secretAccessKey: plain(mended).secretAccessKey,
      role: "user",
    });
    assert.notDeepEqual(mended.secretAccessKey, state.secretAccessKey);
  });

  it("is made again that somebody has deleted, or changed meanwhile", async () => {
    const { users, session, before, id, state } = await made();
    users.all.clear();
    assert.equal(await readUser(session, request, before), undefined);
    await updateUser(session, request, state, inputsOf({ member: "alicia" }));
    assert.equal(users.all.get(id)?.secretAccessKey, plain(state).secretAccessKey);
  });

  it("goes, and is not taken for gone by a server that doesn't answer", async () => {
    const { users, session, before, id, state } = await made();
    users.isDown = true;
    const told = /^S3 user of alice: no answer to \w+ from https:\/\/s3\.test .*run again once the server answers$/;
    await assert.rejects(readUser(session, request, before), { message: told });
    await assert.rejects(deleteUser(session, request, id, state), { message: told });
    users.isDown = false;
    await deleteUser(session, request, id, state);
    assert.equal(users.all.size, 0);
  });

  it("can't be imported, because no server tells what the state has to know", async () => {
    const { session, id } = await made();
    await assert.rejects(readUser(session, request, { id, inputs: {}, state: {} }), /a user can't be imported/);
  });

  const mistakes: [string, Props, string | undefined, string][] = [
    [
      "no API for users",
      { member: "alice" },
      undefined,
      "member: S3 user of alice: kubecamp can't make users on this server",
    ],
    ["no member", {}, "user", "member: S3 user of ?: 'member' has to say whose the keys are"],
    [
      "a generation that is none",
      { member: "alice", generation: 0 },
      "user",
      "generation: S3 user of alice: 'generation' is a whole number from 1 on, and not 0",
    ],
    [
      "a key that there is not",
      { member: "alice", role: "admin" },
      "user",
      "role: S3 user of alice: 'role' is unknown",
    ],
  ];
  for (const [what, news, role, told] of mistakes) {
    it(`is refused with ${what}`, () => {
      const { failures } = checkUser(news, role);
      assert.equal(failures.length, 1);
      assert.ok(failures.map(({ property, reason }) => `${property}: ${reason}`)[0]?.startsWith(told));
    });
  }
});
