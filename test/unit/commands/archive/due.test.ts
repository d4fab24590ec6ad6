import assert from "node:assert/strict";
import { archiveDue, dueIn } from "../../../../commands/archive/due.ts";
import type { Member } from "../../../../config/member/member.ts";
import type { Settings } from "../../../../config/settings.ts";
import { homeStackOf } from "../../../../config/shards.ts";
import { json, metadataList, useApiServer } from "../../cluster/fakeApiServer.ts";
import { configuration, labelsOf, member, settings } from "../../samples.ts";

describe("those whose day has come", () => {
  const { settings, members } = configuration({
    members: ["ana", "kay", "leo"].map((name) => ({ member: name, type: "user" })),
  });
  const due = members.map((member) => (member.name === "ana" ? member : { ...member, isUnarchived: true as const }));
  const names = (own: Settings) => dueIn({ settings: own, members: due }).map(({ name }) => name);

  it("members whose day has come are archived by runs of their own shard, and by no other", () => {
    assert.deepEqual(names(settings), ["kay", "leo"]);
    const shards = { family: "camp", count: 2 };
    const byShard = ["camp-0", "camp-1"].map((stack) => names({ ...settings, stack, shards }));
    assert.deepEqual(byShard.flat().sort(), ["kay", "leo"]);
    assert.deepEqual(
      byShard.map((some) => some.map((name) => homeStackOf(name, shards))),
      [byShard[0]?.map(() => "camp-0"), byShard[1]?.map(() => "camp-1")],
    );
  });
});

const due = (name: string): Member => ({ ...member({ member: name, type: "user" }), isUnarchived: true });
const members = [due("ana"), member({ member: "bob", type: "user" }), due("kay"), due("leo")];
const why = "Stack 'dev' has no archive: set offboarding.archive (docs/run/archive.md).";
const failed = (...names: readonly string[]) => names.map((name) => ({ member: name, why }));
const parts = { signal: new AbortController().signal, notify: () => undefined };

describe("archiving those whose day has come", () => {
  it("tries each of them, and tells why it failed", async () => {
    assert.deepEqual(await archiveDue({ settings, members }, parts), {
      archived: [],
      failed: failed("ana", "kay", "leo"),
      left: [],
    });
  });

  it("begins with nobody more once it has taken long, and next with those who did not fail", async () => {
    let tried = 0;
    const first = await archiveDue({ settings, members }, { ...parts, isOver: () => tried++ >= 1 });
    assert.deepEqual(first, { archived: [], failed: failed("ana"), left: ["kay", "leo"] });
    const next = await archiveDue({ settings, members }, { ...parts, tryLast: new Set(["ana"]) });
    assert.deepEqual(next, { archived: [], failed: failed("kay", "leo", "ana"), left: [] });
  });
});

describe("archiving those whose volume's snapshot is never ready", () => {
  const server = useApiServer();
  const withArchive: Settings = {
    ...settings,
    storage: { kind: "s3", region: "eu-1", forcePathStyle: true, accessKeyId: "id", secretAccessKey: "key" },
    offboarding: { archive: { bucket: "kept", secrets: false, volumes: "snapshot" } },
  };
  const home = {
    kind: "Namespace",
    metadata: {
      ...{ name: "kay", uid: "u-1" },
      labels: { ...labelsOf("kay"), "kubecamp.dev/standing": "suspended", "kubecamp.dev/leaves": "2026-12-26" },
    },
  };
  const claim = {
    ...{ metadata: { name: "data", uid: "c-1" }, spec: { volumeName: "pv-1" }, status: { phase: "Bound" } },
  };
  const snapshot = { kind: "VolumeSnapshot", metadata: { name: "kubecamp-c-1-20261226" }, status: {} };

  /** Pauses between looks at the snapshot. */
  async function pauses(more: { readonly tryLast?: ReadonlySet<string>; readonly looks?: number }): Promise<number> {
    server.answers("api", json({ kind: "APIGroupDiscoveryList", items: [] }));
    server.answers("apis", json({ kind: "APIGroupDiscoveryList", items: [] }));
    server.answers("kay", json(home));
    server.answers("pods", json(metadataList()));
    server.answers("persistentvolumeclaims", json({ kind: "PersistentVolumeClaimList", items: [claim] }));
    server.answers(snapshot.metadata.name, ...Array(400).fill(json(snapshot)));
    let paused = 0;
    const pause = async () => void paused++;
    const result = await archiveDue({ settings: withArchive, members: [due("kay")] }, { ...parts, ...more, pause });
    assert.deepEqual(result, {
      archived: [],
      failed: [
        {
          member: "kay",
          why:
            "the snapshot of PersistentVolumeClaim kay/data is not ready: the driver has not finished it in time. " +
            "The driver goes on: run again.",
        },
      ],
      left: [],
    });
    return paused;
  }

  it("gives up one that takes too long, and says what does not", async () => {
    server.answers("kay", () => undefined);
    const result = await archiveDue({ settings: withArchive, members: [due("kay")] }, { ...parts, longest: 50 });
    const tooLong = "it took more than 0.05 seconds: run 'kubecamp members archive kay'.";
    assert.deepEqual(result, { archived: [], failed: [{ member: "kay", why: tooLong }], left: [] });
  });

  it("waits ten minutes, or as the watch asks, and looks once where it failed before", async () => {
    assert.equal(await pauses({}), 300);
    assert.equal(await pauses({ looks: 10 }), 10);
    assert.equal(await pauses({ looks: 10, tryLast: new Set(["kay"]) }), 1);
  });
});
