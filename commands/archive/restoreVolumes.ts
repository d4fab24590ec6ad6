import { randomUUID } from "node:crypto";
import type { V1PersistentVolume } from "@kubernetes/client-node";
import { RunError } from "../../config/values/runError.ts";
import type { ArchivedVolume } from "./manifest.ts";
import { restoredSnapshot } from "./restorable.ts";
import { contentsPath, createSnapshot, snapshotApi, snapshotsPath, type VolumesApi } from "./snapshots.ts";

/** Where a claim is restored. */
interface Place {
  /** Namespace that the claim was archived from. */
  readonly from: string;
  readonly namespace: string;
}

/**
 * Lets a claim of a namespace have the volume that was kept of it, or makes the snapshot that it is filled from.
 * @throws RunError if the volume is gone, or somebody else's by now
 */
export async function freeVolume(api: VolumesApi, { claim, kept }: ArchivedVolume, place: Place): Promise<void> {
  if (kept.as === "volume") {
    await reserve(api, kept.name, claim, place);
  } else if (kept.as === "snapshot") {
    await makeSnapshot(api, claim, kept, place.namespace);
  }
}

async function reserve(api: VolumesApi, name: string, claim: string, { from, namespace }: Place): Promise<void> {
  const path = `/api/v1/persistentvolumes/${name}`;
  const volume = await api.get<V1PersistentVolume>({ what: `the volume '${name}'`, path });
  if (volume === undefined) {
    throw new RunError(`the volume '${name}' is gone`);
  }
  // An admin may have freed the volume for somebody else: then it has their data.
  const { name: owner, namespace: home = "" } = volume.spec?.claimRef ?? {};
  if (volume.status?.phase === "Bound" || owner !== claim || ![from, namespace].includes(home)) {
    throw new RunError(
      `the volume '${name}' now ${owner === undefined ? "belongs to nobody" : `belongs to ${home}/${owner}`}`,
    );
  }
  const claimRef = { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace, name: claim };
  await api.write({
    what: `free the volume '${name}'`,
    method: "PATCH",
    path,
    body: { spec: { claimRef: { ...claimRef, uid: null, resourceVersion: null } } },
  });
}

/** A killed restore may have left a content without a snapshot, which is bound to nothing and does no harm. */
async function makeSnapshot(
  api: VolumesApi,
  claim: string,
  kept: Extract<ArchivedVolume["kept"], { as: "snapshot" }>,
  namespace: string,
): Promise<void> {
  const { driver, handle } = kept;
  const name = restoredSnapshot(kept);
  const title = `the snapshot of ${claim} in namespace '${namespace}'`;
  const there = await api.get({ what: `the snapshot of ${claim}`, path: `${snapshotsPath(namespace)}/${name}` });
  if (there !== undefined) {
    return;
  }
  // One from an earlier restore belongs to a snapshot that is gone, and is bound to no other.
  const content = `kubecamp-${randomUUID()}`;
  await api.write({
    what: `make ${title}`,
    method: "POST",
    path: contentsPath,
    body: {
      apiVersion: snapshotApi,
      kind: "VolumeSnapshotContent",
      metadata: { name: content },
      spec: {
        deletionPolicy: "Retain",
        driver,
        source: { snapshotHandle: handle },
        volumeSnapshotRef: { apiVersion: snapshotApi, kind: "VolumeSnapshot", name, namespace },
      },
    },
  });
  await createSnapshot(api, title, namespace, name, { source: { volumeSnapshotContentName: content } });
}
