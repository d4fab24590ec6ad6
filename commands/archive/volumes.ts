import type { V1ObjectReference, V1PersistentVolume, V1PersistentVolumeClaim } from "@kubernetes/client-node";
import { allOf } from "../../cluster/kinds/kinds.ts";
import type { ArchiveSettings } from "../../config/offboarding.ts";
import { RunError } from "../../config/values/runError.ts";
import type { ArchivedVolume } from "./manifest.ts";
import {
  askForSnapshot,
  type Home,
  type SnapshotWaiting,
  snapshotOf,
  sourceSnapshotOf,
  type VolumesApi,
} from "./snapshots.ts";

/** Sees to it that a namespace's volumes outlive it, and says how to find each. Doing it again changes nothing. */
export async function keptVolumes(
  api: VolumesApi,
  home: Home,
  { volumes, snapshotClass }: Pick<ArchiveSettings, "volumes" | "snapshotClass">,
  waiting: SnapshotWaiting,
): Promise<ArchivedVolume[]> {
  const claims = await api.list<V1PersistentVolumeClaim>(allOf("PersistentVolumeClaim", home.namespace));
  const kept: ArchivedVolume[] = [];
  const isKept = ({ spec, status }: V1PersistentVolumeClaim) =>
    volumes !== "none" && spec?.volumeName !== undefined && status?.phase === "Bound";
  if (volumes === "snapshot") {
    // All at once: a driver may take minutes for each.
    for (const claim of claims.filter(isKept)) {
      await askForSnapshot(api, claim, home, snapshotClass);
    }
  }
  for (const claim of claims) {
    const of = { claim: claim.metadata?.name ?? "", storage: claim.spec?.resources?.requests?.storage ?? "?" };
    const volume = claim.spec?.volumeName;
    if (volume === undefined && volumes !== "none") {
      const snapshot = await sourceSnapshotOf(api, claim, home.namespace);
      kept.push({ ...of, kept: snapshot ?? { as: "nothing" } });
    } else if (volume === undefined || !isKept(claim)) {
      kept.push({ ...of, kept: { as: "nothing" } });
    } else if (volumes === "retain") {
      kept.push({
        ...of,
        kept: await retained(api, volume, { namespace: home.namespace, ...of, uid: claim.metadata?.uid }),
      });
    } else {
      kept.push({ ...of, kept: await snapshotOf(api, claim, home, waiting) });
    }
  }
  return kept;
}

const volumePath = (name: string) => `/api/v1/persistentvolumes/${name}`;

/** @see https://kubernetes.io/docs/concepts/storage/persistent-volumes/#reclaiming */
async function retained(
  api: VolumesApi,
  name: string,
  { namespace, claim, uid }: { namespace: string; claim: string; uid: string | undefined },
): Promise<ArchivedVolume["kept"]> {
  const title = `the volume '${name}' of PersistentVolumeClaim ${namespace}/${claim}`;
  const read = () => api.get<V1PersistentVolume>({ what: title, path: volumePath(name) });
  const isTheirs = (ref: V1ObjectReference | undefined) => ref?.namespace === namespace && ref.uid === uid;
  const before = await read();
  if (!isTheirs(before?.spec?.claimRef)) {
    throw new RunError(`${title} is not there, or is another claim's`);
  }
  if (before?.spec?.persistentVolumeReclaimPolicy !== "Retain") {
    const body = { spec: { persistentVolumeReclaimPolicy: "Retain" } };
    await api.write({
      what: `retain ${title}`,
      method: "PATCH",
      path: volumePath(name),
      body,
    });
  }
  if ((await read())?.spec?.persistentVolumeReclaimPolicy !== "Retain") {
    throw new RunError(`${title} is not retained, although the API server accepted the change`);
  }
  return { as: "volume", name };
}
