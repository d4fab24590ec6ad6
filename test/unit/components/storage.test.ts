import assert from "node:assert/strict";
import { nothingRead } from "../../../cluster/read/snapshot.ts";
import { standing } from "../../../components/hooks/ignoredChanges.ts";
import { storageArgs } from "../../../components/provider/providerArgs.ts";
import { stackStorage } from "../../../components/storage.ts";
import type { Settings } from "../../../config/settings.ts";
import type { S3Settings } from "../../../config/storage/storage.ts";
import { cluster } from "../cluster/leaving.ts";
import { settings, storage, withBuckets } from "../samples.ts";
import { previewedBy, registeredBy } from "./recorded.ts";

const server = withBuckets().settings;
const argsOf = (stack: Settings, id = "1234") => storageArgs(stack.storage as S3Settings, stack, "kubecamp", id);

describe("the provider of buckets", () => {
  const providers = async (stack: Settings, snapshot = cluster(), run = registeredBy) =>
    (await run(() => stackStorage(stack, snapshot))).map(
      ({ type, name, inputs }) => [`${type} ${name}`, inputs] as const,
    );

  it("makes a provider of buckets where a server is set, and nowhere else", async () => {
    const { secretAccessKey: _, ...plain } = storage;
    const inputs = { ...plain, forcePathStyle: true, region: "us-east-1", stack: "kubecamp/dev/1234" };
    const found = (await providers(server)).map(([name, { secretAccessKey: __, ...rest }]) => [name, rest]);
    assert.deepEqual(found, [["pulumi:providers:kubecamp-buckets storage", inputs]]);
    assert.deepEqual(await providers(settings), []);
  });

  it("gives buckets' stack one name for all shards of a list, and another on another cluster", () => {
    const shard = { ...server, stack: "dev-1", shards: { family: "dev", count: 2 } };
    assert.equal(argsOf(shard).stack, "kubecamp/dev/1234");
    assert.equal(argsOf(server, "99").stack, "kubecamp/dev/99");
  });

  it("names buckets' stack in a preview without a cluster by the state, or the intended cluster", async () => {
    assert.equal(argsOf({ ...server, cluster: { id: "77" } }, "").stack, "kubecamp/dev/77");
    assert.equal("stack" in argsOf(server, ""), false);
    const [[, inputs] = []] = await providers(server, nothingRead(), previewedBy);
    assert.notEqual(typeof Object(inputs).stack, "string");
    const type = "pulumi:providers:kubecamp-buckets";
    assert.deepEqual(standing(type, "storage", nothingRead()), { ignoreChanges: ["stack"] });
    assert.deepEqual(standing(type, "storage", cluster()), {});
  });
});
