import assert from "node:assert/strict";
import type { VolumesApi } from "../../../../commands/archive/snapshots.ts";
import { keptVolumes } from "../../../../commands/archive/volumes.ts";

type Fields = Record<string, unknown>;

const claim = (name: string, volumeName?: string) => ({
  metadata: { name, uid: `uid-${name}` },
  spec: { resources: { requests: { storage: "1Gi" } }, ...(volumeName === undefined ? {} : { volumeName }) },
  status: { phase: volumeName === undefined ? "Pending" : "Bound" },
});
const volume = (policy: string, uid = "uid-data") => ({
  kind: "PersistentVolume",
  spec: { persistentVolumeReclaimPolicy: policy, claimRef: { namespace: "kay", name: "data", uid } },
});
const path = "/api/v1/persistentvolumes/pv-1";
const snapshots = "/apis/snapshot.storage.k8s.io/v1/namespaces/kay/volumesnapshots";
const content = "/apis/snapshot.storage.k8s.io/v1/volumesnapshotcontents/content-1";

/** An API server with these objects by path; `ignoring` takes writes and does nothing. */
function apiWith(claims: readonly object[], objects: Record<string, Fields>, ignoring = false) {
  const written: string[] = [];
  const api = {
    list: async () => claims,
    get: async ({ path: at }: { path: string }) => objects[at],
    write: async ({ method, path: at, body }: { method: string; path: string; body: Fields }) => {
      written.push(`${method} ${at} ${JSON.stringify(body.spec)}`);
      const before = objects[at] ?? {};
      if (!ignoring && method === "PATCH") {
        objects[at] = { ...before, spec: { ...Object(before.spec), ...Object(body.spec) } };
      }
      return "";
    },
  } as unknown as VolumesApi;
  return { api, written };
}

const home = { namespace: "kay", leave: "1" };
const said: string[] = [];
const waiting = { pause: async () => undefined, looks: 2, notify: (message: string) => said.push(message) };
const kept = (api: VolumesApi, volumes: "retain" | "snapshot" | "none", snapshotClass?: string) =>
  keptVolumes(api, home, { volumes, ...(snapshotClass === undefined ? {} : { snapshotClass }) }, waiting);
const of = (as: object, name = "data") => ({ claim: name, storage: "1Gi", kept: as });

describe("volumes that are retained", () => {
  it("outlive the namespace, each once it says so; a second time nothing is written", async () => {
    const { api, written } = apiWith([claim("data", "pv-1"), claim("later")], { [path]: volume("Delete") });
    const found = [of({ as: "volume", name: "pv-1" }), of({ as: "nothing" }, "later")];
    assert.deepEqual(await kept(api, "retain"), found);
    assert.deepEqual(await kept(api, "retain"), found);
    assert.deepEqual(written, [`PATCH ${path} {"persistentVolumeReclaimPolicy":"Retain"}`]);
  });

  it("fail the archive if they are gone, another claim's, or not retained after all", async () => {
    const refusal = (api: VolumesApi) =>
      assert.rejects(kept(api, "retain"), ({ message }: Error) => {
        said.push(message);
        return true;
      });
    const said: string[] = [];
    await refusal(apiWith([claim("data", "pv-1")], {}).api);
    await refusal(apiWith([claim("data", "pv-1")], { [path]: volume("Retain", "uid-other") }).api);
    await refusal(apiWith([claim("data", "pv-1")], { [path]: volume("Delete") }, true).api);
    const title = "the volume 'pv-1' of PersistentVolumeClaim kay/data";
    assert.deepEqual(said, [
      `${title} is not there, or is another claim's`,
      `${title} is not there, or is another claim's`,
      `${title} is not retained, although the API server accepted the change`,
    ]);
  });

  it("retained volumes are not asked for where the settings let them go", async () => {
    const { api, written } = apiWith([claim("data", "pv-1")], {});
    assert.deepEqual(await kept(api, "none"), [of({ as: "nothing" })]);
    assert.deepEqual(written, []);
  });
});

describe("snapshots of volumes", () => {
  const ready = {
    kind: "VolumeSnapshot",
    status: { readyToUse: true, boundVolumeSnapshotContentName: "content-1" },
  };
  const name = "kubecamp-uid-data-1";

  it("snapshots are made of the class, and stay when the namespace goes", async () => {
    const objects: Record<string, Fields> = {
      [content]: { kind: "X", spec: { deletionPolicy: "Delete", driver: "d" }, status: { snapshotHandle: "h" } },
    };
    const { api, written } = apiWith([claim("data", "pv-1")], objects);
    const slow = {
      ...waiting,
      // The driver is done by the first look.
      pause: async () => {
        objects[`${snapshots}/${name}`] = ready;
      },
    };
    const settings = { volumes: "snapshot", snapshotClass: "fast" } as const;
    const found = [of({ as: "snapshot", content: "content-1", driver: "d", handle: "h" })];
    assert.deepEqual(await keptVolumes(api, home, settings, slow), found);
    assert.deepEqual(await keptVolumes(api, home, settings, slow), found);
    assert.deepEqual(written, [
      `POST ${snapshots} {"volumeSnapshotClassName":"fast","source":{"persistentVolumeClaimName":"data"}}`,
      `PATCH ${content} {"deletionPolicy":"Retain"}`,
    ]);
  });

  it("snapshots are all asked for before any is waited for", async () => {
    const objects: Record<string, Fields> = {
      [content]: { kind: "X", spec: { deletionPolicy: "Retain", driver: "d" }, status: { snapshotHandle: "h" } },
    };
    const { api, written } = apiWith([claim("data", "pv-1"), claim("later"), claim("more", "pv-2")], objects);
    const done: number[] = [];
    const pause = async () => {
      done.push(written.length);
      objects[`${snapshots}/${name}`] = ready;
      objects[`${snapshots}/kubecamp-uid-more-1`] = ready;
    };
    await keptVolumes(api, home, { volumes: "snapshot" }, { ...waiting, pause });
    assert.deepEqual(done, [2]);
  });

  it("snapshots are waited for with a word every 30 seconds", async () => {
    said.length = 0;
    const { api } = apiWith([claim("data", "pv-1")], {});
    await assert.rejects(keptVolumes(api, home, { volumes: "snapshot" }, { ...waiting, looks: 35 }), /not ready/);
    const title = "the snapshot of PersistentVolumeClaim kay/data";
    assert.deepEqual(said, [`Waiting for ${title}: 30 s`, `Waiting for ${title}: 60 s`]);
  });

  it("snapshots are other ones when the member has left again: since then, the data has changed", async () => {
    const objects: Record<string, Fields> = {
      [`${snapshots}/${name}`]: ready,
      [`${snapshots}/kubecamp-uid-data-2`]: {
        ...ready,
        status: { ...ready.status, boundVolumeSnapshotContentName: "c-2" },
      },
      ...Object.fromEntries(
        ["content-1", "c-2"].map((each) => [
          content.replace("content-1", each),
          { kind: "X", spec: { deletionPolicy: "Retain", driver: "d" }, status: { snapshotHandle: each } },
        ]),
      ),
    };
    const { api } = apiWith([claim("data", "pv-1")], objects);
    const handle = async (leave: string) =>
      Object((await keptVolumes(api, { ...home, leave }, { volumes: "snapshot" }, waiting))[0]?.kept).handle;
    assert.deepEqual([await handle("1"), await handle("2")], ["content-1", "c-2"]);
  });

  it("fail the archive if the driver says why not, or nothing in time, or they have no handle", async () => {
    const title = "the snapshot of PersistentVolumeClaim kay/data";
    const failing = { kind: "VolumeSnapshot", status: { error: { message: "the disk is full" } } };
    const message = async (objects: Record<string, Fields>) =>
      await kept(apiWith([claim("data", "pv-1")], objects).api, "snapshot").then(
        () => assert.fail("it is kept"),
        (error: Error) => error.message,
      );
    const at = `${snapshots}/${name}`;
    assert.equal(
      await message({ [at]: failing }),
      `${title} is not ready: the disk is full. The driver goes on: run again.`,
    );
    assert.match(await message({}), /is not ready: the driver has not finished it in time/);
    assert.equal(
      await message({ [at]: ready, [content]: { kind: "X", spec: { deletionPolicy: "Retain", driver: "d" } } }),
      `${title} is not kept, or has no handle: look at VolumeSnapshotContent 'content-1'`,
    );
  });
});

describe("claims without a volume", () => {
  const from = (kind: string) => {
    const { spec, ...rest } = claim("data");
    return { ...rest, spec: { ...spec, dataSource: { kind, name: "kubecamp-1" } } };
  };
  const objects = (): Record<string, Fields> => ({
    [`${snapshots}/kubecamp-1`]: {
      kind: "VolumeSnapshot",
      status: { readyToUse: true, boundVolumeSnapshotContentName: "content-1" },
    },
    [content]: { kind: "X", spec: { deletionPolicy: "Delete", driver: "d" }, status: { snapshotHandle: "h" } },
  });

  it("unused claims have the snapshot kept that they were restored from", async () => {
    for (const volumes of ["retain", "snapshot"] as const) {
      const { api, written } = apiWith([from("VolumeSnapshot")], objects());
      const found = [of({ as: "snapshot", content: "content-1", driver: "d", handle: "h" })];
      assert.deepEqual(await kept(api, volumes), found);
      assert.deepEqual(written, [`PATCH ${content} {"deletionPolicy":"Retain"}`]);
    }
    const { api, written } = apiWith([from("VolumeSnapshot")], objects());
    assert.deepEqual([await kept(api, "none"), written], [[of({ as: "nothing" })], []]);
  });

  it("fail the archive if something else would fill them", async () => {
    const message = (source: string) =>
      `PersistentVolumeClaim kay/data has no volume yet, and its data would come from ${source}, which can't be kept: ` +
      "delete the claim if nobody needs it, or let the member come back and use it in a Pod";
    const gone = apiWith([from("VolumeSnapshot")], {});
    await assert.rejects(kept(gone.api, "retain"), { message: message("VolumeSnapshot 'kubecamp-1'") });
    const clone = apiWith([from("PersistentVolumeClaim")], objects());
    await assert.rejects(kept(clone.api, "retain"), { message: message("PersistentVolumeClaim 'kubecamp-1'") });
  });
});
