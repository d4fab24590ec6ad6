import assert from "node:assert/strict";
import { archivedObject, archiveFile } from "../../../../commands/archive/contents.ts";
import {
  fileOf,
  leavePrefix,
  manifestIn,
  manifestName,
  manifestOf,
  newPrefix,
} from "../../../../commands/archive/manifest.ts";
import { archiveStore, wholeArchive } from "../../../../commands/archive/store.ts";
import { configuration } from "../../samples.ts";

const prefix = newPrefix(leavePrefix("prod", "kay", "2026-12-26", "u-1"), new Date("2026-12-26T08:00:00.123Z"));
const kind = { apiVersion: "v1", kind: "ConfigMap", resource: "configmaps" };
const notes = archivedObject(kind, { metadata: { name: "notes" }, data: { a: "ä" } });
const file = archiveFile(kind, notes === undefined ? [] : [notes]);
const about = { stack: "prod", member: "kay", uid: "u-1", made: "2026-12-26T08:00:00.000Z", secrets: false };
const manifest = manifestOf(about, file === undefined ? [] : [fileOf(file)], []);

/** A store with these objects. */
const storeOf = (objects: Readonly<Record<string, string>>) => ({
  put: () => assert.fail("only read"),
  get: async (key: string) => (objects[key] === undefined ? undefined : Buffer.from(objects[key])),
  list: async () => Object.keys(objects),
});
const whole = {
  [prefix + manifestName]: JSON.stringify(manifest),
  [`${prefix}objects/configmaps.json`]: String(file?.content),
};

describe("a manifest", () => {
  it("a manifest has name, size and checksum of each file", () => {
    assert.deepEqual(manifest, {
      version: 1,
      ...about,
      files: [
        {
          name: "objects/configmaps.json",
          objects: 1,
          bytes: 131,
          sha256: manifest.files[0]?.sha256,
        },
      ],
      volumes: [],
    });
    assert.match(manifest.files[0]?.sha256 ?? "", /^[0-9a-f]{64}$/);
  });

  it("a manifest is none that is of a later version, or something else", () => {
    assert.deepEqual(manifestIn(JSON.stringify(manifest)), manifest);
    assert.equal(manifestIn(JSON.stringify({ ...manifest, version: 2 })), undefined);
    assert.equal(manifestIn("<html>"), undefined);
  });
});

describe("an archive", () => {
  it("an archive has keys that tell whose it is and when it was made", () => {
    assert.match(prefix, /^prod\/kay\/2026-12-26-u-1\/20261226T080000Z-[0-9a-f]{8}\/$/);
  });

  it("an archive is read with what it has", async () => {
    const { files, sha256 } = await wholeArchive(storeOf(whole), prefix);
    assert.deepEqual([...files], [["objects/configmaps.json", String(file?.content)]]);
    await wholeArchive(storeOf(whole), prefix, sha256);
  });

  it("an archive is refused if a file is missing or different, or the manifest is another", async () => {
    const name = `${prefix}objects/configmaps.json`;
    const refusal = (objects: Record<string, string>, sum?: string) =>
      wholeArchive(storeOf(objects), prefix, sum).then(
        () => assert.fail("it is taken"),
        (error: Error) => error.message,
      );
    const { [name]: text = "", ...without } = whole;
    assert.equal(await refusal(without), `The archive '${prefix}' is damaged:\n  ${name} is not there`);
    assert.match(await refusal({ ...whole, [name]: text.replace("ä", "ö") }), /is not as it was written \(SHA-256 /);
    assert.equal(
      await refusal({ [name]: text }),
      `The archive '${prefix}' can't be used: ${prefix}${manifestName} is not there.`,
    );
    assert.match(await refusal(whole, "0"), /is not the one that was written\.$/);
  });
});

describe("the bucket for archives", () => {
  it("the bucket for archives is refused to a stack without, or whose key nobody can read", () => {
    const { signal } = new AbortController();
    const { settings } = configuration({ members: [] });
    assert.throws(() => archiveStore(settings, signal), /Stack 'dev' has no archive: set offboarding.archive/);
    const storage = { kind: "s3", region: "us-east-1", forcePathStyle: true, accessKeyId: "admin" } as const;
    const offboarding = { archive: { bucket: "kept", secrets: false, volumes: "none" } } as const;
    assert.throws(() => archiveStore({ ...settings, offboarding, storage }, signal), /secretAccessKey\) can't be read/);
  });
});
