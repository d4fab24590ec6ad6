import assert from "node:assert/strict";
import { restoredSnapshot } from "../../../../commands/archive/restorable.ts";
import { freeVolume } from "../../../../commands/archive/restoreMember.ts";
import type { VolumesApi } from "../../../../commands/archive/snapshots.ts";

type Fields = Record<string, unknown>;

const volumePath = "/api/v1/persistentvolumes/pv-1";
const snapshots = "/apis/snapshot.storage.k8s.io/v1/namespaces/ben/volumesnapshots";
const contents = "/apis/snapshot.storage.k8s.io/v1/volumesnapshotcontents";
const place = { from: "kay", namespace: "ben" };
const about = { claim: "data", storage: "1Gi" };

/** An API server with these objects by path. */
function apiWith(objects: Record<string, Fields>) {
  const written: { readonly to: string; readonly body: Fields }[] = [];
  const api = {
    get: async ({ path }: { path: string }) => objects[path],
    write: async ({ method, path, body }: { method: string; path: string; body: Fields }) => {
      written.push({ to: `${method} ${path}`, body });
      if (method === "POST") {
        objects[`${path}/${Object(body.metadata).name}`] = body;
      }
      return "";
    },
  } as unknown as VolumesApi;
  return { api, written };
}

describe("a volume that was retained", () => {
  const free = (api: VolumesApi) => freeVolume(api, { ...about, kept: { as: "volume", name: "pv-1" } }, place);
  const volume = (claimRef: object | undefined, phase = "Released") => ({
    kind: "PersistentVolume",
    spec: { claimRef },
    status: { phase },
  });

  it("a retained volume is kept for the new claim if it is the archived one's or the new one's", async () => {
    for (const namespace of ["kay", "ben"]) {
      const { api, written } = apiWith({ [volumePath]: volume({ namespace, name: "data", uid: "u" }) });
      await free(api);
      const claimRef = { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace: "ben", name: "data" };
      assert.deepEqual(written, [
        { to: `PATCH ${volumePath}`, body: { spec: { claimRef: { ...claimRef, uid: null, resourceVersion: null } } } },
      ]);
    }
  });

  it("a retained volume is left alone if somebody else has had it since, whose data it has", async () => {
    const refusal = async (objects: Record<string, Fields>) => {
      const { api, written } = apiWith(objects);
      const message = await free(api).then(
        () => assert.fail("it is taken"),
        (error: Error) => error.message,
      );
      assert.deepEqual(written, []);
      return message;
    };
    assert.equal(await refusal({}), "the volume 'pv-1' is gone");
    const kays = { namespace: "kay", name: "data" };
    assert.equal(await refusal({ [volumePath]: volume(kays, "Bound") }), "the volume 'pv-1' now belongs to kay/data");
    const leos = { namespace: "leo", name: "data" };
    assert.equal(await refusal({ [volumePath]: volume(leos) }), "the volume 'pv-1' now belongs to leo/data");
    assert.equal(
      await refusal({ [volumePath]: volume(undefined, "Available") }),
      "the volume 'pv-1' now belongs to nobody",
    );
  });
});

describe("a snapshot that was kept", () => {
  const keptAs = (handle: string) => ({ as: "snapshot", content: "c", driver: "d", handle }) as const;
  const free = (api: VolumesApi, handle: string) => freeVolume(api, { ...about, kept: keptAs(handle) }, place);

  it("a kept snapshot is made again once, and another one of the same claim beside it", async () => {
    const { api, written } = apiWith({});
    await free(api, "monday");
    await free(api, "monday");
    await free(api, "friday");
    assert.deepEqual(
      written.map(({ to }) => to),
      [`POST ${contents}`, `POST ${snapshots}`, `POST ${contents}`, `POST ${snapshots}`],
    );
    const [content, snapshot, later] = written.map(({ body }) => body);
    const name = restoredSnapshot(keptAs("monday"));
    assert.deepEqual(content?.spec, {
      deletionPolicy: "Retain",
      driver: "d",
      source: { snapshotHandle: "monday" },
      volumeSnapshotRef: { apiVersion: "snapshot.storage.k8s.io/v1", kind: "VolumeSnapshot", name, namespace: "ben" },
    });
    assert.deepEqual(snapshot, {
      apiVersion: "snapshot.storage.k8s.io/v1",
      kind: "VolumeSnapshot",
      metadata: { name, annotations: { "kubecamp.dev/archive": "volume" } },
      spec: { source: { volumeSnapshotContentName: Object(content?.metadata).name } },
    });
    assert.deepEqual(Object(later?.spec).source, { snapshotHandle: "friday" });
    assert.notEqual(restoredSnapshot(keptAs("friday")), name);
    assert.match(name, /^kubecamp-[0-9a-f]{32}$/);
  });

  it("a kept snapshot is asked for anew if only its content was left by an earlier restore", async () => {
    const first = apiWith({});
    await free(first.api, "monday");
    const [left] = first.written;
    const leftName = Object(left?.body.metadata).name;
    const { api, written } = apiWith({ [`${contents}/${leftName}`]: { ...left?.body } });
    await free(api, "monday");
    assert.notEqual(Object(written[0]?.body.metadata).name, leftName);
  });
});
