import assert from "node:assert/strict";
import { withInherited } from "../../../../config/sources/inherited.ts";
import { engineSource } from "../../../../config/sources/load.ts";
import { parseSources, type Source, stackSource } from "../../../../config/sources/sources.ts";
import { mistakeLines } from "../../../../config/values/mistakes.ts";
import { cosi, mistakes, mistakesOfMembers, today } from "../../samples.ts";

const admin = { accessKeyId: "admin", secretAccessKey: "top-secret" };
const reported = (storage: unknown) => mistakes({ members: [], storage });
const encrypt = "pulumi config set --secret --path kubecamp";

describe("mistakes in the server of buckets", () => {
  it("tells mistakes in the server of buckets with what is allowed", () => {
    const url = "must be an http or https URL without user, path and query, such as https://s3.example.org";
    assert.deepEqual(reported({ ...admin, kind: "nfs", region: "a b", forcePathStyle: "yes", users: "ceph" }), [
      `storage.kind: "nfs" must be one of s3, cosi`,
      `storage.region: "a b" must be a region's name: A-Z, a-z, 0-9 and '-', at most 63 characters`,
      `storage.forcePathStyle: "yes" must be true or false`,
      `storage.users: "ceph" must be one of versitygw`,
    ]);
    for (const endpoint of ["s3.example.org", "ftp://s3", "https://s3/path", "https://s3?x=1", "https://s3#x"]) {
      assert.deepEqual(reported({ ...admin, endpoint }), [`storage.endpoint: "${endpoint}" ${url}`]);
    }
    assert.deepEqual(reported({ ...admin, endpoint: "https://me:top-secret@s3" }), [
      `storage.endpoint: "https://...@s3" ${url}`,
    ]);
    assert.deepEqual(reported({ ...admin, endpoint: "http://127.0.0.1:7070/" }), []);
    assert.deepEqual(reported({ ...cosi, version: "v1", bucketClassName: "Gold" }), [
      `storage.version: "v1" must be one of v1alpha1, v1alpha2`,
      `storage.bucketClassName: "Gold" must be a name in lower case`,
    ]);
  });

  it("tells what is missing in the server of buckets", () => {
    assert.deepEqual(reported({}), [
      "storage.accessKeyId: is missing: kubecamp makes buckets with an access key and its secret; set it, or kind: cosi",
      `storage.secretAccessKey: is missing: it goes with accessKeyId; set it: ${encrypt}:storage.secretAccessKey`,
    ]);
    const needs = (what: string) => `is missing: kind: cosi needs ${what}; set it, or leave kind out`;
    assert.deepEqual(reported({ kind: "cosi" }), [
      `storage.version: ${needs("the version of objectstorage.k8s.io that the cluster serves, v1alpha1 or v1alpha2")}`,
      `storage.bucketClassName: ${needs("the BucketClass of members' buckets")}`,
      `storage.bucketAccessClassName: ${needs("the BucketAccessClass of members' keys")}`,
    ]);
  });

  it("refuses settings of another kind of server, and shows no secret", () => {
    const s3 = "is for kind: s3; leave it out: with cosi the driver knows the server";
    const rest = {
      ...{ endpoint: "https://s3", appEndpoint: "https://s3", region: "x", forcePathStyle: true, ...admin },
      ...{ users: "versitygw", usersEndpoint: "https://s3" },
    };
    const shown = (value: unknown) => (value === "top-secret" ? "[secret]" : JSON.stringify(value));
    const ofServer = Object.entries(rest).map(([key, value]) => `storage.${key}: ${shown(value)} ${s3}`);
    assert.deepEqual(reported({ ...cosi, ...rest }), ofServer);
    const { kind: _, ...classes } = cosi;
    const ofClass = "is for kind: cosi; leave it out, or set kind: cosi";
    const ofDriver = Object.entries(classes).map(([key, value]) => `storage.${key}: "${value}" ${ofClass}`);
    assert.deepEqual(reported({ ...admin, ...classes }), ofDriver);
  });

  it("refuses an API for bucket users that is nowhere, and an address without users", () => {
    assert.deepEqual(reported({ ...admin, users: "versitygw" }), [
      `storage.users: "versitygw" needs an API for users, which AWS does not have; set endpoint, or leave users out`,
    ]);
    assert.deepEqual(reported({ ...admin, users: "versitygw", usersEndpoint: "https://s3" }), []);
    assert.deepEqual(reported({ ...admin, usersEndpoint: "https://s3" }), [
      `storage.usersEndpoint: "https://s3" is for users; set that, or leave it out`,
    ]);
  });

  it("shows no secret of the server of buckets, wherever it stands", () => {
    const key = "top-secret";
    const wrong = [`${key} x`, [key]].map((secretAccessKey) => ({ ...admin, secretAccessKey }));
    for (const storage of [key, [key], 5, ...wrong]) {
      const lines = reported(storage);
      assert.equal(lines.length, 1);
      assert.doesNotMatch(lines.join("\n"), /top-secret/);
    }
    assert.deepEqual(mistakesOfMembers({ member: "bob", type: "user", expires: { secretAccessKey: key } }), [
      `members[0].expires: {"secretAccessKey":"[secret]"} must be a date, such as 2026-12-31 (member 'bob')`,
    ]);
  });
});

describe("secret keys", () => {
  const head = "config:\n  kubecamp:route: { host: camp.example.org, controller: ingress-nginx }\n";
  const members = "  kubecamp:members: [{ member: alice, type: user, buckets: [{ name: data }] }]\n";
  const fileOf = (text: string) => stackSource("Pulumi.dev.yaml", `${head}${members}${text}`);
  const result = (stack: Source) => parseSources("dev", { stack }, today);
  const lines = (stack: Source) => {
    const parsed = result(stack);
    return "mistakes" in parsed ? mistakeLines(parsed.mistakes) : [];
  };
  const plain = (place: string, line: number) =>
    `Pulumi.dev.yaml:${line}: ${place}: is plain text here; make another if anybody else could read it, and encrypt it: ${encrypt}:${place}`;

  /** The same as Pulumi hands it over, with what it decrypted. */
  const fromEngine = (file: Source, storage: object, secretKeys: readonly string[]) => {
    const raw = { ...file.raw, bucketKeys: { alice: { accessKeyId: "A", secretAccessKey: "s" } }, storage };
    const values = Object.entries(raw).map(([key, value]) => [`kubecamp:${key}`, JSON.stringify(value)]);
    return engineSource(Object.fromEntries(values), ["kubecamp:bucketKeys", ...secretKeys], file);
  };

  it("refuses secret keys in plain text, in the file and from the engine", () => {
    const file = fileOf(`  kubecamp:storage: { accessKeyId: admin, secretAccessKey: top-secret }
  kubecamp:bucketKeys:
    alice:
      accessKeyId: A
      secretAccessKey: top-secret
`);
    assert.deepEqual(lines(file), [plain("storage.secretAccessKey", 4), plain("bucketKeys.alice.secretAccessKey", 8)]);
    assert.deepEqual(lines(fromEngine(file, admin, [])), [plain("storage.secretAccessKey", 4)]);
  });

  it("finds secret keys in plain text beside what is encrypted", () => {
    const file = fileOf("  kubecamp:storage: { accessKeyId: { secure: v1:abc }, secretAccessKey: top-secret }\n");
    assert.deepEqual(lines(fromEngine(file, admin, ["kubecamp:storage"])), [plain("storage.secretAccessKey", 4)]);
  });

  it("takes secret keys for encrypted where the engine's file is not known", () => {
    assert.deepEqual(lines(fromEngine(fileOf(""), admin, ["kubecamp:storage"])), []);
  });

  it("shows the rest of the server's settings in mistakes beside secret keys", () => {
    const file = fileOf(`  kubecamp:storage:
    accessKeyId: admin
    endpoint: https://s3/x
    secretAccessKey:
      secure: v1:abc
`);
    const url = "must be an http or https URL without user, path and query, such as https://s3.example.org";
    const reported = `Pulumi.dev.yaml:6: storage.endpoint: "https://s3/x" ${url}`;
    const keys =
      "Pulumi.dev.yaml:3: members[0].buckets: needs keys; set storage.users if the server is versitygw, or give keys: " +
      `pulumi config set --path kubecamp:bucketKeys.alice.accessKeyId KEY, and ${encrypt}:bucketKeys.alice.secretAccessKey (member 'alice')`;
    assert.deepEqual(lines(file), [keys, reported]);
    assert.deepEqual(lines(fromEngine(file, { ...admin, endpoint: "https://s3/x" }, ["kubecamp:storage"])), [reported]);
  });

  it("takes undecrypted secret keys as undefined, other encrypted parts as empty, and no mistake", () => {
    const parsed = result(
      fileOf(`  kubecamp:storage: { accessKeyId: { secure: v1:a }, secretAccessKey: { secure: v1:b } }
  kubecamp:bucketKeys: { alice: { accessKeyId: A, secretAccessKey: { secure: v1:c } } }
`),
    );
    assert.ok("configuration" in parsed, JSON.stringify(parsed));
    const { settings, members: list } = parsed.configuration;
    const standard = { kind: "s3", region: "us-east-1", forcePathStyle: false };
    assert.deepEqual(settings.storage, { ...standard, accessKeyId: "" });
    assert.deepEqual(list[0]?.bucketKeys, { accessKeyId: "A" });
  });

  it("takes secret keys in settings that are encrypted as a whole", () => {
    const text = "  kubecamp:storage: { secure: v1:a }\n  kubecamp:bucketKeys: { secure: v1:b }\n";
    const file = fileOf(text);
    assert.deepEqual(lines(file), []);
    const known = "kubecamp:storage: { accessKeyId: admin, secretAccessKey: { secure: v1:a } }";
    assert.deepEqual(lines(fileOf(text.replace("kubecamp:storage: { secure: v1:a }", known))), []);
    assert.deepEqual(lines(fromEngine(file, { ...admin, endpoint: "nowhere" }, ["kubecamp:storage"])), [
      "Pulumi.dev.yaml:4: storage.endpoint: [secret] must be an http or https URL without user, path and query, such as https://s3.example.org",
    ]);
  });

  it("takes secret keys, and all of the server, from an environment that only Pulumi sees", () => {
    const stack = (storage: string) =>
      withInherited(stackSource("Pulumi.dev.yaml", `environment: [prod]\n${head}${members}${storage}`), {});
    assert.deepEqual(lines(stack("")), []);
    assert.deepEqual(lines(stack("  kubecamp:storage: { region: eu-1 }\n")), []);
    assert.deepEqual(lines(stack("  kubecamp:storage: { kind: cosi }\n")), []);
    assert.deepEqual(lines(stack("  kubecamp:storage: { region: '?' }\n")).length, 1);
    assert.deepEqual(lines(stack("  kubecamp:bucketKeys: { alice: { accessKeyId: A } }\n")), []);
  });
});
