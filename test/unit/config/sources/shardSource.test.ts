import assert from "node:assert/strict";
import type { Configuration } from "../../../../config/settings.ts";
import { readStackFile } from "../../../../config/sources/files.ts";
import { configurationIn, sourcesOf } from "../../../../config/sources/load.ts";
import { withShards } from "../../../../config/sources/shardSource.ts";
import { parseSources } from "../../../../config/sources/sources.ts";
import { project, useFolder } from "../../testFolder.ts";

const prod = `config:
  kubecamp:shards: 3
  kubecamp:route:
    host: camp.example.org
    controller: ingress-nginx
  kubecamp:membersFile: members.yaml
`;
const members = "- { member: alice, type: admin }\n- { member: bob, type: user, expires: 2999-12-31 }\n";

describe("settings of a shard", () => {
  const folder = useFolder({
    ...project,
    "Pulumi.prod.yaml": prod,
    "members.yaml": members,
    "Pulumi.prod-1.yaml": "config:\n  kubecamp:shardOf: prod\nencryptionsalt: v1:x\n",
  });
  const write = (file: string, text: string) => folder.write({ [file]: text });
  const handedOver = {
    shards: "3",
    route: '{"host":"camp.example.org","controller":"ingress-nginx"}',
    membersFile: "members.yaml",
  };
  /** As Pulumi hands it over. */
  const load = (stack: string, values: Record<string, string>, secretKeys: readonly string[] = []): Configuration => {
    const prefixed = Object.fromEntries(Object.entries(values).map(([key, value]) => [`kubecamp:${key}`, value]));
    return configurationIn(sourcesOf({ values: prefixed, secretKeys }, stack, folder.path), stack);
  };
  const loadShard = (more: Record<string, string> = {}) => load("prod-1", { shardOf: "prod", ...more });
  const refused = (load: () => unknown): string[] => {
    try {
      load();
    } catch (error) {
      const lines = (error as Error).message.split("\n").slice(1, -1);
      return lines.map((line) => line.trim());
    }
    return [];
  };

  it("gives a shard all settings of its family, but for the stack's own name", () => {
    const { settings, members } = loadShard();
    const family = load("prod", handedOver);
    assert.deepEqual(members, family.members);
    const days = members.map(({ name, expires }) => [name, expires]);
    assert.deepEqual(Object.fromEntries(days), { alice: undefined, bob: "2999-12-31" });
    assert.deepEqual(settings, { ...family.settings, stack: "prod-1" });
    assert.deepEqual(settings.shards, { family: "prod", count: 3 });
  });

  it("tells mistakes in a shard's settings where they stand, as the family does", () => {
    write("Pulumi.prod.yaml", `${prod}  kubecamp:defaults: { maxCPUm: -1 }\n`);
    write("members.yaml", `${members}- { member: Carol, type: user }\n`);
    const lines = refused(loadShard);
    assert.match(lines[0] ?? "", /^Pulumi\.prod\.yaml:7: defaults\.maxCPUm: -1 must be/);
    assert.match(lines[1] ?? "", /^members\.yaml:3: members\[2\]\.member: "Carol"/);
    assert.equal(lines.length, 2);
  });

  it("refuses anything else in the shard's file, but for what the project has for all stacks", () => {
    write("Pulumi.prod-1.yaml", "config:\n  kubecamp:shardOf: prod\n  kubecamp:members: []\n");
    assert.deepEqual(
      refused(() => loadShard({ members: "[]", contact: "me" })),
      [
        "Pulumi.prod-1.yaml: contact: has no place in the file of a shard; Pulumi.prod.yaml has it for all of them",
        "Pulumi.prod-1.yaml:3: members: has no place in the file of a shard; Pulumi.prod.yaml has it for all of them",
      ],
    );
    write("Pulumi.prod-1.yaml", "config:\n  kubecamp:shardOf: prod\n");
    write("Pulumi.yaml", "name: kubecamp\nruntime: nodejs\nconfig:\n  contact: admins\n");
    assert.equal(loadShard({ contact: "admins" }).settings.contact, "admins");
  });

  it("refuses a shard whose family does not fit, is not there, or is not split", () => {
    const of = (stack: string, shardOf: string) => refused(() => load(stack, { shardOf }));
    const fits = "the shards of a stack NAME are NAME-0 to NAME-63";
    assert.deepEqual(of("prod-64", "prod"), [
      `Pulumi.prod-64.yaml: shardOf: "prod" does not fit stack 'prod-64': ${fits}`,
    ]);
    assert.deepEqual(of("prod-1", "dev"), [`Pulumi.prod-1.yaml: shardOf: "dev" does not fit stack 'prod-1': ${fits}`]);
    const takes = (stack: string, name: string) =>
      `Pulumi.${stack}.yaml: shardOf: "${name}" takes a Pulumi.${name}.yaml with settings and members, and`;
    assert.deepEqual(of("dev-1", "dev"), [`${takes("dev-1", "dev")} there is no such file`]);
    assert.deepEqual(of("prod-1-1", "prod-1"), [`${takes("prod-1-1", "prod-1")} that is the file of a shard itself`]);
    write("Pulumi.prod.yaml", prod.replace("  kubecamp:shards: 3\n", ""));
    assert.deepEqual(of("prod-1", "prod"), [
      "Pulumi.prod.yaml: shards: is missing, and Pulumi.prod-1.yaml is the file of a shard: set how many there are, or 0 to bring all back into one",
    ]);
  });

  it("refuses in a shard, and in the family, what only the family itself could read", () => {
    write("Pulumi.prod.yaml", `environment: [prod]\n${prod}  kubecamp:contact: { secure: v1:x }\n`);
    const lines = [
      "Pulumi.prod.yaml: environment: adds what only stack 'prod' gets, and the shards of 'prod' are stacks of their own; write into this file what it adds to kubecamp's settings",
      "Pulumi.prod.yaml:8: contact: is encrypted for stack 'prod', and the shards of 'prod' are stacks of their own, which can't read it; write it as plain text",
    ];
    assert.deepEqual(refused(loadShard), lines);
    const ofFamily = refused(() => load("prod", { ...handedOver, contact: "me" }));
    assert.deepEqual(ofFamily, lines);
  });

  it("takes a shard's secrets of notices from its own file", () => {
    const mail = "{ to: [a@b.c], from: a@b.c, server: s, user: u, password: { secure: v1:x } }";
    const notify = `  kubecamp:notify: { quotaPercent: 80, webhook: { url: { secure: v1:x } }, mail: ${mail} }\n`;
    write("Pulumi.prod.yaml", prod + notify);
    write("Pulumi.prod-1.yaml", "config:\n  kubecamp:shardOf: prod\n");
    const set = "pulumi config set --stack prod-1 --secret --path kubecamp:notify";
    const missing = (path: string) =>
      `Pulumi.prod-1.yaml: notify.${path}: is missing: Pulumi.prod.yaml has it encrypted for its own stack alone; set it for this one, too: ${set}.${path}`;
    assert.deepEqual(refused(loadShard), [missing("webhook.url"), missing("mail.password")]);
    const own = { webhook: { url: "https://hooks.example.org/x" }, mail: { password: "p" } };
    const secure = "{ webhook: { url: { secure: v1:y } }, mail: { password: { secure: v1:y } } }";
    write("Pulumi.prod-1.yaml", `config:\n  kubecamp:shardOf: prod\n  kubecamp:notify: ${secure}\n`);
    const { settings } = load("prod-1", { shardOf: "prod", notify: JSON.stringify(own) }, ["kubecamp:notify"]);
    assert.deepEqual(settings.notify, {
      expiryDays: [3, 14],
      quotaPercent: 80,
      webhook: { url: "https://hooks.example.org/x" },
      mail: { to: ["a@b.c"], from: "a@b.c", server: "s", port: 587, security: "starttls", user: "u", password: "p" },
    });
  });

  describe("with buckets", () => {
    const withStorage = prod
      .replace("  kubecamp:membersFile: members.yaml\n", "")
      .concat(
        "  kubecamp:members: [{ member: alice, type: user, buckets: [{ name: data }] }]\n",
        "  kubecamp:storage: { accessKeyId: admin, endpoint: https://s3, secretAccessKey: { secure: v1:x } }\n",
        "  kubecamp:bucketKeys: { alice: { accessKeyId: A, secretAccessKey: { secure: v1:x } } }\n",
      );
    const ofShard = `config:
  kubecamp:shardOf: prod
  kubecamp:storage: { secretAccessKey: { secure: v1:y } }
  kubecamp:bucketKeys: { alice: { secretAccessKey: { secure: v1:y } } }
`;
    const secrets = {
      storage: JSON.stringify({ secretAccessKey: "top-secret" }),
      bucketKeys: JSON.stringify({ alice: { secretAccessKey: "alices" } }),
    };
    const shardIn = () =>
      withShards(readStackFile(folder.path, "prod-1") ?? assert.fail("no file"), "prod-1", folder.path);
    const loadWith = (values: Record<string, string>) =>
      load("prod-1", { shardOf: "prod", ...values }, ["kubecamp:storage", "kubecamp:bucketKeys"]);

    beforeEach(() => {
      write("Pulumi.prod.yaml", withStorage);
      write("Pulumi.prod-1.yaml", ofShard);
    });

    it("takes secrets of buckets from each shard's own file, and all else from the family's", () => {
      const { settings, members } = loadWith(secrets);
      const standard = { kind: "s3", region: "us-east-1", forcePathStyle: true };
      const own = { accessKeyId: "admin", endpoint: "https://s3", secretAccessKey: "top-secret" };
      assert.deepEqual(settings.storage, { ...standard, ...own });
      assert.deepEqual(members[0]?.bucketKeys, { accessKeyId: "A", secretAccessKey: "alices" });
    });

    it("leaves a shard's secrets of buckets undefined where nothing is decrypted", () => {
      const parsed = parseSources("prod-1", { stack: shardIn() }, "2026-06-15");
      assert.ok("configuration" in parsed, JSON.stringify(parsed));
      assert.deepEqual(parsed.configuration.members[0]?.bucketKeys, { accessKeyId: "A" });
    });

    it("tells which secrets a shard's file lacks, and how it gets them", () => {
      write("Pulumi.prod-1.yaml", "config:\n  kubecamp:shardOf: prod\n");
      const lacks = (place: string) =>
        `Pulumi.prod-1.yaml: ${place}: is missing: Pulumi.prod.yaml has it encrypted for its own stack alone; set it for this one, too: pulumi config set --stack prod-1 --secret --path kubecamp:${place}`;
      assert.deepEqual(refused(loadShard), [
        lacks("storage.secretAccessKey"),
        lacks("bucketKeys.alice.secretAccessKey"),
      ]);
      assert.deepEqual(
        refused(() => loadWith({ storage: secrets.storage })),
        [lacks("bucketKeys.alice.secretAccessKey")],
      );
    });

    it("takes a shard's secrets from an environment, which other commands don't see", () => {
      write("Pulumi.prod-1.yaml", "environment: [prod]\nconfig:\n  kubecamp:shardOf: prod\n");
      assert.deepEqual(shardIn().mistakes, []);
    });

    it("refuses anything else encrypted in the family's file, and anything else in a shard's", () => {
      write("Pulumi.prod.yaml", withStorage.replace("accessKeyId: admin", "accessKeyId: { secure: v1:x }"));
      const all = { storage: JSON.stringify({ secretAccessKey: "top-secret", region: "x" }) };
      assert.deepEqual(
        refused(() => loadWith({ ...secrets, ...all })),
        [
          "Pulumi.prod-1.yaml: storage: has no place in the file of a shard, but for secretAccessKey; Pulumi.prod.yaml has it for all of them",
          "Pulumi.prod.yaml:7: storage: is encrypted for stack 'prod', and the shards of 'prod' are stacks of their own, which can't read it; write it as plain text, all but secretAccessKey",
        ],
      );
    });

    it("demands secrets that are encrypted in the shard's and the family's file", () => {
      write("Pulumi.prod.yaml", withStorage.replaceAll("{ secure: v1:x }", "in-family"));
      const plain = /^(\S+) (\S+): is plain text here; /;
      const places = (lines: string[]) => lines.map((line) => plain.exec(line)?.slice(1).join(" ")).sort();
      assert.deepEqual(places(refused(() => loadWith(secrets))), [
        "Pulumi.prod.yaml:7: storage.secretAccessKey",
        "Pulumi.prod.yaml:8: bucketKeys.alice.secretAccessKey",
      ]);
      write("Pulumi.prod.yaml", withStorage);
      write("Pulumi.prod-1.yaml", ofShard.replaceAll("{ secure: v1:y }", "in-shard"));
      assert.deepEqual(places(refused(() => load("prod-1", { shardOf: "prod", ...secrets }))), [
        "Pulumi.prod-1.yaml: bucketKeys.alice.secretAccessKey",
        "Pulumi.prod-1.yaml: storage.secretAccessKey",
      ]);
    });
  });

  it("refuses another stack that has a shard's name", () => {
    write("Pulumi.prod-2.yaml", prod);
    const lines = refused(() => load("prod", handedOver));
    assert.deepEqual(lines, [
      "Pulumi.prod-2.yaml: shardOf: is missing, and 'prod-2' is a shard of 'prod' by its name: set it to prod, or rename that stack",
    ]);
  });
});
