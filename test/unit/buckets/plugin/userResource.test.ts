import assert from "node:assert/strict";
import {
  createUser,
  deleteUser,
  diffUser,
  previewUser,
  previewUserUpdate,
  readUser,
  updateUser,
  userInputs,
} from "../../../../buckets/plugin/userResource.ts";
import { InitFailed } from "../../../../buckets/protocol/messages.ts";
import { isSecret, type Props, plain, secret } from "../../../../buckets/protocol/values.ts";
import { unknown } from "../../../../config/names/pulumiMarks.ts";
import { noAnswer } from "../fakeS3.ts";
import { fakeSession } from "./fakeSession.ts";

const urn = "urn:pulumi:prod::kubecamp::kubecamp-buckets:index:BucketUser::alice/s3";
const another = `${urn}-2`;

const inputsOf = (args: Props = {}): Props => userInputs({ member: "alice", ...args }, "user");
const made = async (args: Props = {}) => {
  const { session, users } = fakeSession();
  const { id, properties: state } = await createUser(session, urn, inputsOf(args));
  return { users, session, id, state, before: { id, inputs: inputsOf(args), state } };
};
const secretIn = (state: Props) => String(plain(state).secretAccessKey);
const changesOf = (olds: Props, news: Props) => Object.fromEntries(diffUser(olds, news));

describe("a user of the S3 server", () => {
  it("makes a user's keys, the secret one as a secret", async () => {
    const { users, id, state } = await made();
    assert.match(id, /^KC[A-Z2-7]{18}$/);
    const { secretAccessKey, ...rest } = state;
    assert.deepEqual(rest, { member: "alice", generation: 1, role: "user", accessKeyId: id });
    assert.ok(isSecret(secretAccessKey));
    assert.match(secretIn(state), /^[\w-]{40}$/);
    assert.deepEqual(users.all.get(id), { accessKeyId: id, secretAccessKey: secretIn(state), role: "user" });
  });

  it("makes no administrator, whatever role a request asks for", async () => {
    const { session, users } = fakeSession();
    const asked = { ...inputsOf(), role: "admin" };
    const { id, properties } = await createUser(session, urn, asked);
    assert.equal(users.all.get(id)?.role, "user");
    await updateUser(session, urn, { id, inputs: asked, state: properties }, asked);
    assert.equal(users.all.get(id)?.role, "user");
  });

  it("finds an existing user's access key in a preview, by resource and stack", async () => {
    const { session, id } = await made();
    const keyIn = async (...[of, at]: [typeof session, string]) =>
      (await previewUser(of, at, inputsOf())).properties.accessKeyId;
    const preview = await previewUser(session, urn, inputsOf());
    assert.deepEqual(preview.properties, { ...inputsOf(), accessKeyId: id, secretAccessKey: secret(unknown) });
    const shard = urn.replace("urn:pulumi:prod", "urn:pulumi:prod-2");
    assert.equal(await keyIn(session, shard), id);
    const elsewhere = { ...session, configuration: { ...session.configuration, stack: "kubecamp/dev" } };
    assert.deepEqual([await keyIn(session, another), await keyIn(elsewhere, urn)], [unknown, unknown]);
    const others = [createUser(session, another, inputsOf()), createUser(elsewhere, urn, inputsOf())];
    const ids = (await Promise.all(others)).map((made) => made.id);
    // The rest is chance.
    const ofResource = "KC".length + 12;
    assert.equal(new Set([id, ...ids].map((key) => key.slice(0, ofResource))).size, 3);
  });

  it("gives a later user of the same name another access key", async () => {
    const { users, session, id, state } = await made();
    await deleteUser(session, urn, state);
    const later = await createUser(session, urn, inputsOf());
    assert.notEqual(later.id, id);
    assert.equal(later.properties.accessKeyId, later.id);
    assert.match(later.id, /^KC[A-Z2-7]{18}$/);
    assert.deepEqual([...users.all.keys()], [later.id]);
  });

  it("makes inactive keys open nothing, and restores the same keys after that", async () => {
    const { users, session, id, before, state } = await made();
    const closed = inputsOf({ status: "Inactive" });
    assert.deepEqual(changesOf(state, closed), { status: "UPDATE" });
    const inactive = await updateUser(session, urn, state, closed);
    assert.deepEqual(inactive.secretAccessKey, state.secretAccessKey);
    const held = users.all.get(id)?.secretAccessKey;
    assert.notEqual(held, secretIn(state));
    assert.ok(!JSON.stringify(inactive).includes(held ?? ""));
    const read = () => readUser(session, urn, { ...before, inputs: closed, state: inactive });
    assert.deepEqual(await read(), { id, inputs: closed, properties: inactive });

    // Somebody has put theirs back.
    users.all.set(id, { accessKeyId: id, secretAccessKey: secretIn(state), role: "user" });
    const found = await read();
    assert.deepEqual(changesOf(found?.properties ?? {}, closed), { status: "UPDATE" });

    const active = await updateUser(session, urn, inactive, inputsOf());
    assert.deepEqual(active, state);
    assert.equal(users.all.get(id)?.secretAccessKey, secretIn(state));
  });

  it("goes on with a user of a killed run, with another secret", async () => {
    const { users, session, id, state } = await made();
    const again = await createUser(session, urn, inputsOf());
    assert.equal(again.id, id);
    assert.equal(users.all.size, 1);
    assert.notDeepEqual(again.properties.secretAccessKey, state.secretAccessKey);
    assert.equal(users.all.get(id)?.secretAccessKey, secretIn(again.properties));
  });

  it("makes another secret of a user for another generation alone", async () => {
    const { users, session, id, state } = await made();
    const renamed = inputsOf({ member: "alicia" });
    const rotated = inputsOf({ generation: 2 });
    assert.deepEqual(changesOf(state, renamed), { member: "UPDATE" });
    assert.deepEqual(changesOf(state, rotated), { generation: "UPDATE" });
    assert.deepEqual(previewUserUpdate(state, renamed).secretAccessKey, state.secretAccessKey);
    assert.deepEqual(previewUserUpdate(state, rotated).secretAccessKey, secret(unknown));

    const same = await updateUser(session, urn, state, renamed);
    assert.deepEqual(same.secretAccessKey, state.secretAccessKey);
    const other = await updateUser(session, urn, state, rotated);
    assert.notDeepEqual(other.secretAccessKey, state.secretAccessKey);
    assert.equal(other.accessKeyId, id);
    assert.equal(users.all.get(id)?.secretAccessKey, secretIn(other));
  });

  it("keeps a user's recorded keys if a change fails, and mends it in the next run", async () => {
    const { users, session, id, state } = await made();
    const put = users.put.bind(users);
    // The server does it, and its answer is lost.
    users.put = async (user) => {
      await put(user);
      throw noAnswer("UpdateUser");
    };
    for (const change of [{ generation: 2 }, { status: "Inactive" }]) {
      const error = await updateUser(session, urn, state, inputsOf(change)).catch((each: unknown) => each);
      assert.ok(error instanceof InitFailed);
      assert.deepEqual([error.id, error.state], [id, state]);
      assert.notEqual(users.all.get(id)?.secretAccessKey, secretIn(state));
      assert.ok(!JSON.stringify(error).includes(users.all.get(id)?.secretAccessKey ?? "?"));
    }
    users.put = put;
    assert.deepEqual(await updateUser(session, urn, state, inputsOf()), state);
    assert.equal(users.all.get(id)?.secretAccessKey, secretIn(state));
  });

  it("restores a user's secret and role that somebody has changed", async () => {
    const { users, session, before, id, state } = await made();
    users.all.set(id, { accessKeyId: id, secretAccessKey: "theirs", role: "admin" });
    const found = await readUser(session, urn, before);
    assert.deepEqual(found?.inputs, { member: "alice", generation: 0, role: "admin" });
    assert.deepEqual(changesOf(found.properties, inputsOf()), { generation: "UPDATE", role: "UPDATE" });
    assert.ok(!JSON.stringify(found).includes("theirs"));
    const mended = await updateUser(session, urn, found.properties, inputsOf());
    assert.deepEqual(users.all.get(id), { accessKeyId: id, secretAccessKey: secretIn(mended), role: "user" });
    assert.notDeepEqual(mended.secretAccessKey, state.secretAccessKey);
  });

  it("makes a user again that somebody has deleted", async () => {
    const { users, session, before, id, state } = await made();
    users.all.clear();
    assert.equal(await readUser(session, urn, before), undefined);
    await updateUser(session, urn, state, inputsOf({ member: "alicia" }));
    assert.equal(users.all.get(id)?.secretAccessKey, secretIn(state));
  });

  it("removes a user, and takes none for gone while the server does not answer", async () => {
    const { users, session, before, state } = await made();
    users.isDown = true;
    const reported = /^S3 user of alice: no answer to \w+ from https:\/\/s3\.test .*run again once the server answers$/;
    await assert.rejects(readUser(session, urn, before), { message: reported });
    await assert.rejects(deleteUser(session, urn, state), { message: reported });
    users.isDown = false;
    await deleteUser(session, urn, state);
    assert.equal(users.all.size, 0);
  });
});
