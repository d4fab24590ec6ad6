import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { leavingFindings } from "../../../plan/findings/leavingBuckets.ts";
import { bucketConfigMap } from "../../../plan/objects/buckets/configMap.ts";
import { bucketSecretData } from "../../../plan/objects/buckets/secret.ts";
import { repository } from "../../../scaffold/sandbox/paths.ts";
import { loggedOf } from "../plan/planned.ts";
import { mistakes, storage, withBuckets } from "../samples.ts";

const page = readFileSync(join(repository, "docs/run/buckets.md"), "utf8");
const pageForMembers = readFileSync(join(repository, "docs/members/buckets.md"), "utf8");
const route = { host: "camp.example.org" };

/** Settings below `kubecamp:`, with secrets decrypted as in a run. */
function settingsIn(text: string): Record<string, unknown> {
  const plain = text.replaceAll(/secretAccessKey:\n +secure: \S+.*/g, "secretAccessKey: decrypted");
  const entries = Object.entries(parse(plain) as Record<string, unknown>);
  return Object.fromEntries(entries.map(([key, value]) => [key.replace("kubecamp:", ""), value]));
}

describe("the pages about buckets", () => {
  const examples = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = ""]) => text);

  it("have settings that are taken", () => {
    const whole = examples.filter((text) => text.startsWith("kubecamp:"));
    assert.equal(whole.length, 3);
    for (const text of whole) {
      assert.deepEqual(mistakes({ route, members: [], ...settingsIn(text) }), [], text);
    }
  });

  it("have a bucket with a policy that is taken", () => {
    const [text = ""] = examples.filter((each) => each.includes("Statement:"));
    const alice = { member: "alice", type: "user", buckets: parse(text) };
    assert.deepEqual(mistakes({ route, storage, members: [alice] }), []);
  });

  it("tell members under which keys an app finds what it needs", () => {
    const { members, settings } = withBuckets({ member: "alice", type: "user", buckets: [{ name: "data" }] });
    const [member] = members;
    const [bucket] = member?.buckets ?? [];
    assert.ok(member && bucket && settings.storage?.kind === "s3");
    const keys = { accessKeyId: "a", secretAccessKey: "b" };
    const all = {
      Secret: bucketSecretData(bucket, settings.storage, keys),
      ConfigMap: bucketConfigMap(member, bucket, settings.storage, settings).data,
    };
    for (const [kind, data] of Object.entries(all)) {
      const [, row = ""] = new RegExp(`^\\| ${kind} \`<name>\` \\|(.*)\\|$`, "m").exec(pageForMembers) ?? [];
      assert.deepEqual([...row.matchAll(/`(\w+)`/g)].map(([, key]) => key).sort(), Object.keys(data).sort());
    }
  });

  it("have the warning of buckets that go as it is", () => {
    const said = loggedOf(
      leavingFindings([
        {
          bucketName: "alice-site",
          member: "alice",
          reclaimPolicy: "Delete",
          deletes: { objects: 10_000, more: false },
        },
        { bucketName: "alice-data", member: "alice", reclaimPolicy: "Retain" },
      ]),
    );
    assert.ok(page.includes(`warning: ${said}\n`), said);
  });
});

describe("Pulumi.prod.yaml", () => {
  it("has a server of buckets in comments that is taken once they are none", () => {
    const text = readFileSync(join(repository, "Pulumi.prod.yaml"), "utf8");
    const [commented = ""] = /^ {2}# kubecamp:storage:\n(?: {2}# .*\n)+/m.exec(text) ?? [];
    const settings = settingsIn(commented.replaceAll(/^ {2}# /gm, ""));
    const members = [{ member: "ada", type: "user", buckets: [{ name: "data" }] }];
    assert.deepEqual(mistakes({ route, members, ...settings }), []);
    assert.deepEqual(Object.keys(settings), ["storage"]);
  });
});
