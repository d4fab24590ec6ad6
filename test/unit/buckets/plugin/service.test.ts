import assert from "node:assert/strict";
import type { handleUnaryCall, ServiceError } from "@grpc/grpc-js";
import type * as messages from "@pulumi/pulumi/proto/provider_pb.js";
import provider from "@pulumi/pulumi/proto/provider_pb.js";
import { service } from "../../../../buckets/plugin/service.ts";
import { props, struct } from "../../../../buckets/protocol/messages.ts";
import { isSecret, type Props, secret } from "../../../../buckets/protocol/values.ts";
import { unknown } from "../../../../config/names/pulumiMarks.ts";
import { fakeSession } from "./fakeSession.ts";

const urnOf = (type: string, name: string) =>
  `urn:pulumi:prod::kubecamp::kubecamp:index:Some$kubecamp-buckets:index:${type}::${name}`;
const bucket = urnOf("Bucket", "alice/data");
const user = urnOf("BucketUser", "alice/s3");
const configuration = {
  endpoint: "https://s3.test",
  accessKeyId: "ROOT",
  secretAccessKey: secret("root-secret"),
  stack: "kubecamp/prod",
  users: "versitygw",
};

/** The plugin on a server in memory, spoken to as Pulumi does. */
const plugin = async () => {
  const fake = fakeSession();
  let cancelled = false;
  const signals: AbortSignal[] = [];
  const handlers = service({
    version: "1.2.3",
    log: fake.session.log,
    open: ({ secretAccessKey }) => {
      assert.equal(secretAccessKey, "root-secret");
      const s3 = (signal: AbortSignal) => {
        signals.push(signal);
        return fake.s3;
      };
      return { s3, users: () => fake.users };
    },
    onCancel: () => {
      cancelled = true;
    },
  });
  const ask = <T>(method: string, request: unknown): Promise<T> =>
    new Promise((resolve, reject) => {
      const handler = handlers[method] as unknown as handleUnaryCall<unknown, T>;
      const call = { request } as Parameters<typeof handler>[0];
      handler(call, (error, response) =>
        response ? resolve(response) : reject(new Error((error as ServiceError).details)),
      );
    });
  await ask("configure", new provider.ConfigureRequest().setArgs(struct(configuration)));
  return { ...fake, ask, signals, isCancelled: () => cancelled };
};
const checkOf = (urn: string, olds: Props, news: Props) =>
  new provider.CheckRequest().setUrn(urn).setOlds(struct(olds)).setNews(struct(news));

describe("the buckets' plugin", () => {
  it("takes an S3 server's secrets, and updates the server without replacing it", async () => {
    const { ask, said } = await plugin();
    const configure = new provider.ConfigureRequest().setArgs(struct(configuration));
    const response = await ask<messages.ConfigureResponse>("configure", configure);
    assert.deepEqual([response.getAcceptsecrets(), response.getSupportspreview()], [true, true]);
    const check = new provider.CheckRequest().setNews(struct(configuration));
    const checked = await ask<messages.CheckResponse>("checkConfig", check);
    assert.deepEqual([props(checked.getInputs()), checked.getFailuresList()], [configuration, []]);
    const other = { ...configuration, secretAccessKey: "another", endpoint: "https://b.test" };
    const request = new provider.DiffRequest().setOlds(struct(configuration)).setNews(struct(other));
    const diff = await ask<messages.DiffResponse>("diffConfig", request);
    // A replaced provider would replace all buckets.
    assert.deepEqual(diff.getReplacesList(), []);
    assert.deepEqual(diff.getDiffsList(), ["endpoint", "secretAccessKey"]);
    assert.match(said[0] ?? "", /^WARNING the S3 server was https:\/\/s3\.test, and is https:\/\/b\.test now/);
  });

  it("makes, reads, changes and removes a bucket", async () => {
    const { ask, s3 } = await plugin();
    const news = { bucketName: "data", member: "alice", versioning: true };
    const check = await ask<messages.CheckResponse>("check", checkOf(bucket, {}, news));
    const inputs = props(check.getInputs());
    assert.equal(inputs.reclaimPolicy, "Retain");
    const create = new provider.CreateRequest().setUrn(bucket).setProperties(struct(inputs));
    const preview = await ask<messages.CreateResponse>("create", create.setPreview(true));
    assert.deepEqual([preview.getId(), s3.writes], ["", []]);
    const made = await ask<messages.CreateResponse>("create", create.setPreview(false));
    assert.deepEqual([made.getId(), props(made.getProperties())], ["data", inputs]);

    const adopting = new provider.DiffRequest().setUrn(bucket).setOlds(struct(inputs));
    adopting.setOldInputs(struct({ ...inputs, adopt: true })).setNews(struct({ ...inputs, adopt: true }));
    const same = await ask<messages.DiffResponse>("diff", adopting);
    assert.equal(same.getChanges(), provider.DiffResponse.DiffChanges.DIFF_NONE);

    const other = { ...inputs, versioning: false, policy: unknown };
    const difference = new provider.DiffRequest().setUrn(bucket).setOlds(struct(inputs)).setNews(struct(other));
    const diff = await ask<messages.DiffResponse>("diff", difference);
    assert.equal(diff.getChanges(), provider.DiffResponse.DiffChanges.DIFF_SOME);
    assert.deepEqual(diff.getReplacesList(), []);
    assert.deepEqual([...diff.getDetaileddiffMap().keys()].sort(), ["policy", "versioning"]);
    const update = new provider.UpdateRequest().setUrn(bucket).setOlds(struct(inputs)).setNews(struct(other));
    const previewed = props((await ask<messages.UpdateResponse>("update", update.setPreview(true))).getProperties());
    assert.deepEqual(previewed, other);
    assert.equal(s3.buckets.get("data")?.versioning, "Enabled");
    const gone = { ...inputs, versioning: false, reclaimPolicy: "Delete" };
    await ask("update", update.setNews(struct(gone)).setPreview(false));
    assert.equal(s3.buckets.get("data")?.versioning, "Suspended");

    const read = new provider.ReadRequest().setUrn(bucket).setId("data").setInputs(struct(inputs));
    assert.equal((await ask<messages.ReadResponse>("read", read)).getId(), "", "an import");
    read.setProperties(struct(inputs));
    const found = await ask<messages.ReadResponse>("read", read);
    assert.deepEqual([found.getId(), props(found.getInputs()).versioning], ["data", false]);
    const remove = new provider.DeleteRequest().setUrn(bucket).setId("data");
    await ask("delete", remove.setProperties(struct(gone)));
    assert.equal((await ask<messages.ReadResponse>("read", read)).getId(), "");
  });

  it("makes a user whose secret key is a secret", async () => {
    const { ask, users } = await plugin();
    const check = await ask<messages.CheckResponse>("check", checkOf(user, {}, { member: "alice" }));
    const inputs = props(check.getInputs());
    const create = new provider.CreateRequest().setUrn(user).setProperties(struct(inputs));
    const made = await ask<messages.CreateResponse>("create", create);
    const state = props(made.getProperties());
    assert.ok(isSecret(state.secretAccessKey));
    assert.ok(users.all.has(made.getId()));
    const rotated = { ...inputs, generation: 2 };
    const update = new provider.UpdateRequest().setUrn(user).setOlds(struct(state)).setNews(struct(rotated));
    const preview = props((await ask<messages.UpdateResponse>("update", update.setPreview(true))).getProperties());
    assert.deepEqual([preview.accessKeyId, preview.secretAccessKey], [made.getId(), secret(unknown)]);
    const remove = new provider.DeleteRequest().setUrn(user).setId(made.getId()).setProperties(struct(state));
    await ask("delete", remove);
    assert.equal(users.all.size, 0);
  });

  it("ends running requests when Pulumi cancels", async () => {
    const { ask, signals, isCancelled } = await plugin();
    const inputs = { bucketName: "data", member: "alice", acl: "private", reclaimPolicy: "Retain", versioning: false };
    await ask("create", new provider.CreateRequest().setUrn(bucket).setProperties(struct(inputs)));
    assert.ok(signals.length > 0 && signals.every((signal) => !signal.aborted));
    await ask("cancel", {});
    assert.ok(isCancelled() && signals.every((signal) => signal.aborted));
  });
});
