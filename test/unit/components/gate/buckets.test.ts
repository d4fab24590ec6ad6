import assert from "node:assert/strict";
import type { Registration } from "../../../../components/gate/registration.ts";
import { storage } from "../../samples.ts";
import { findingsIn, findingsWith, recorded, withValue } from "./registrations.ts";

const data = { buckets: [{ name: "data" }] };
const raw = {
  storage,
  members: [
    { member: "ada", type: "user", ...data },
    { member: "bob", type: "user", ...data },
  ],
};

const set =
  (...path: readonly string[]) =>
  (value: unknown) =>
  (each: Registration): Registration => ({ ...each, args: withValue(each.args, path, value) });
const elsewhere = (provider: string) => (each: Registration) => ({ ...each, provider });

/** A resource, its change, and the invariant that this breaks. */
const rows: readonly (readonly [string, string, (each: Registration) => Registration, string])[] = [
  ["another's", "bob/bucket/data", set("member")("ada"), "known-kinds"],
  ["not in the list", "bob/bucket/data", set("bucketName")("ada-data"), "known-kinds"],
  ["on the cluster's provider", "bob/bucket/data", elsewhere("pulumi:providers:kubernetes cluster"), "known-kinds"],
  ["only looked up", "bob/bucket/data", (each) => ({ ...each, isRead: true }), "known-kinds"],
  ["nobody's", "bob/bucket-user", (each) => ({ ...each, parent: undefined }), "known-kinds"],
  [
    "on the wrong provider",
    "bob/bucket/data/secret",
    elsewhere("pulumi:providers:kubecamp-buckets storage"),
    "known-kinds",
  ],
  ["in another's namespace", "bob/bucket/data/secret", set("metadata", "namespace")("ada"), "own-places"],
  ["in another's namespace", "bob/bucket/data/config", set("metadata", "namespace")("ada"), "own-places"],
  ["called as no bucket", "bob/bucket/data/secret", set("metadata", "name")("tls"), "own-places"],
  [
    "another's by its labels",
    "bob/bucket/data/secret",
    set("metadata", "labels", "kubecamp.dev/member")("ada"),
    "own-places",
  ],
];

describe("the policy gate lets buckets be", () => {
  it("as they are declared", async () => {
    assert.deepEqual(findingsIn(await recorded(raw)), []);
  });

  it("that are left as they stand, as far as they may be", async () => {
    const stack = await recorded(raw);
    const left = (ignored: readonly string[]) => (each: Registration) => ({ ...each, ignored });
    const found = (name: string, ignored: readonly string[]) =>
      findingsWith(stack, name, left(ignored)).map(({ invariant }) => invariant);
    const all = ["metadata", "immutable", "type", "data"];
    assert.deepEqual(found("bob/bucket/data/secret", all), []);
    assert.deepEqual(found("bob/bucket/data/secret", ["data"]), ["plain-values"]);
    assert.equal(found("bob/quota", all).length, all.length);
  });

  for (const [what, name, alter, invariant] of rows) {
    it(`and nothing of ${name} that is ${what}`, async () => {
      const stack = await recorded(raw);
      assert.ok(stack.batch.some((each) => each.name === name));
      const found = findingsWith(stack, name, alter).map((finding) => finding.invariant);
      assert.deepEqual(found, [invariant]);
    });
  }
});
