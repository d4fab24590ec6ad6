import assert from "node:assert/strict";
import { stackStorage } from "../../../components/storage.ts";
import { appliedAnnotation } from "../../../config/names/labels.ts";
import type { Configuration } from "../../../config/settings.ts";
import { cluster } from "../cluster/leaving.ts";
import { planned } from "../plan/planned.ts";
import { configuration, storage, withBuckets } from "../samples.ts";
import { makeEnvironment } from "./environment.ts";
import { aliasesBy, keyOf, linkedBy, registeredBy } from "./recorded.ts";

const ana = { member: "ana", type: "user", protect: true, buckets: [{ name: "data" }] };
const isSecret = (value: unknown) => "4dabf18193072939515e22adb298388d" in Object(value);
const nameOf = (urn: string) => urn.split("::").at(-1) ?? "";

/** Registers the environment of the one member, with Secrets made as usual, left out, or left as they stand. */
function program({ settings, members }: Configuration, secrets: "made" | "leftOut" | "left" = "made") {
  const [member = assert.fail()] = members;
  const plan = planned(member, settings, cluster()).buckets;
  const buckets = { ...plan, [secrets]: plan.made.filter(({ kind }) => kind === "Secret") };
  makeEnvironment({ member, settings, isOpen: false, storage: stackStorage(settings, cluster()), buckets });
}
const registered = async (stack: Configuration, secrets?: "leftOut" | "left") => {
  const all = await registeredBy(() => program(stack, secrets));
  return new Map(all.map(({ name, inputs }) => [name, inputs]));
};

describe("a member's buckets", () => {
  it("makes a bucket, and then the Secret and ConfigMap that go with the namespace", async () => {
    const links = await linkedBy(() => program(withBuckets(ana)));
    const of = (name: string) => {
      const { dependencies = [], deletedWith = "", protect } = links.find(({ urn }) => nameOf(urn) === name) ?? {};
      return [dependencies.map(nameOf), nameOf(deletedWith), protect];
    };
    const [home, user, bucket] = ["ana/namespace", "ana/bucket-user", "ana/bucket/data"];
    assert.deepEqual(of(user), [[home], "", true]);
    assert.deepEqual(of(bucket), [[user, home], "", true]);
    assert.deepEqual(of("ana/bucket/data/config"), [[bucket, home], home, false]);
    assert.deepEqual(of("ana/bucket/data/secret"), [[bucket, user, home], home, false]);
    // Nobody waits for a server of buckets.
    assert.equal(JSON.stringify(of("ana/binding/edit")).includes("bucket"), false);
  });

  it("keeps all keys to buckets secret, whoever made these", async () => {
    const given = { storage: { ...storage, users: undefined }, members: [ana] };
    const bucketKeys = { ana: { accessKeyId: "hers", secretAccessKey: "given-secret" } };
    for (const stack of [withBuckets(ana), configuration({ ...given, bucketKeys })]) {
      const all = await registered(stack);
      assert.ok(isSecret(all.get("ana/bucket/data/secret")?.data));
      const others = [...all].filter(([name]) => !["ana/bucket/data/secret", "storage"].includes(name));
      assert.doesNotMatch(JSON.stringify(others), /secret"|given-secret|top-secret/);
      const { secretAccessKey, ...server } = all.get("storage") ?? {};
      assert.deepEqual([isSecret(secretAccessKey), JSON.stringify(server).includes("top-secret")], [true, false]);
    }
  });

  it("gives buckets to an active member's user alone", async () => {
    const bucket = async (more: object = {}) =>
      (await registered(withBuckets({ ...ana, ...more }))).get("ana/bucket/data");
    const { bucketOwner, policy } = (await bucket()) ?? {};
    assert.equal(bucketOwner, keyOf("ana/bucket-user"));
    assert.ok(String(policy).includes(keyOf("ana/bucket-user")));
    const { bucketOwner: nobody, policy: none } = (await bucket({ suspended: true })) ?? {};
    assert.deepEqual([nobody, none], [undefined, undefined]);
  });

  it("makes a bucket without the objects that its namespace has no room for", async () => {
    const all = [...(await registered(withBuckets(ana), "leftOut")).keys()].filter((name) => /\/bucket/.test(name));
    assert.deepEqual(all.sort(), ["ana/bucket-user", "ana/bucket/data", "ana/bucket/data/config"]);
  });

  it("keeps a driver's claim one resource in either version of the API", async () => {
    const cosi = { kind: "cosi", version: "v1alpha2", bucketClassName: "standard", bucketAccessClassName: "keys" };
    const aliases = await aliasesBy(() => program(configuration({ storage: cosi, members: [ana] })));
    assert.deepEqual(
      aliases.get("ana/bucket/data/claim"),
      ["v1alpha1", "v1alpha2"].map((version) => `kubernetes:objectstorage.k8s.io/${version}:BucketClaim`),
    );
  });

  it("keeps an object registered, and unchanged, that is somebody else's by now", async () => {
    const ignored = async (secrets: "made" | "left") => {
      const links = await linkedBy(() => program(withBuckets(ana), secrets));
      return links.find(({ urn }) => nameOf(urn) === "ana/bucket/data/secret")?.ignoreChanges;
    };
    assert.deepEqual(await ignored("left"), ["metadata", "immutable", "type", "data"]);
    assert.deepEqual(await ignored("made"), []);
    const metadata = (await registered(withBuckets(ana), "left")).get("ana/bucket/data/secret")?.metadata;
    assert.equal(JSON.stringify(metadata).includes(appliedAnnotation), false);
  });
});
