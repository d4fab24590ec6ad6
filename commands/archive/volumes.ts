import type {
  KubernetesObject,
  V1ObjectReference,
  V1PersistentVolume,
  V1PersistentVolumeClaim,
} from "@kubernetes/client-node";
import type { ApiServer } from "../../cluster/api/client.ts";
import { allOf } from "../../cluster/kinds/kinds.ts";
import type { ArchiveSettings } from "../../config/model/members/offboarding.ts";
import { RunError } from "../../config/model/runError.ts";
import { archiveAnnotation } from "../../naming/labels.ts";
import type { ArchivedVolume } from "./manifest.ts";

export const snapshotApi = "snapshot.storage.k8s.io/v1";

/** @see https://kubernetes.io/docs/concepts/storage/volume-snapshots/ */
interface VolumeSnapshot extends KubernetesObject {
  readonly status?: {
    readonly readyToUse?: boolean;
    readonly boundVolumeSnapshotContentName?: string;
    readonly error?: { readonly message?: string };
  };
}

interface VolumeSnapshotContent extends KubernetesObject {
  readonly spec?: { readonly deletionPolicy?: string; readonly driver?: string };
  readonly status?: { readonly snapshotHandle?: string };
}

/** Requests that volumes need. */
export type VolumesApi = Pick<ApiServer, "get" | "list" | "write">;

/** Waits for a snapshot: the pause between looks in milliseconds, and the number of looks. */
export interface SnapshotWaiting {
  readonly pause: (milliseconds: number) => Promise<unknown>;
  readonly looks: number;
}

const betweenLooks = 2_000;
const merge = "application/merge-patch+json";

/**
 * Sees to it that a namespace's volumes outlive it, and says how to find each. Doing it again changes nothing.
 * @throws RunError naming the claim whose volume would not
 */
export async function keptVolumes(
  api: VolumesApi,
  namespace: string,
  { volumes, snapshotClass }: Pick<ArchiveSettings, "volumes" | "snapshotClass">,
  waiting: SnapshotWaiting,
): Promise<ArchivedVolume[]> {
  const claims = await api.list<V1PersistentVolumeClaim>(allOf("PersistentVolumeClaim", namespace));
  const kept: ArchivedVolume[] = [];
  const isKept = ({ spec, status }: V1PersistentVolumeClaim) =>
    volumes !== "none" && spec?.volumeName !== undefined && status?.phase === "Bound";
  if (volumes === "snapshot") {
    // All at once: a driver may take minutes for each.
    for (const claim of claims.filter(isKept)) {
      await askForSnapshot(api, claim, namespace, snapshotClass);
    }
  }
  for (const claim of claims) {
    const of = { claim: claim.metadata?.name ?? "", storage: claim.spec?.resources?.requests?.storage ?? "?" };
    const volume = claim.spec?.volumeName;
    if (volume === undefined || !isKept(claim)) {
      kept.push({ ...of, kept: { as: "nothing" } });
    } else if (volumes === "retain") {
      kept.push({ ...of, kept: await retained(api, volume, { namespace, ...of, uid: claim.metadata?.uid }) });
    } else {
      kept.push({ ...of, kept: await snapshotOf(api, claim, namespace, waiting) });
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
    await api.write({ what: `retain ${title}`, method: "PATCH", path: volumePath(name), contentType: merge, body });
  }
  if ((await read())?.spec?.persistentVolumeReclaimPolicy !== "Retain") {
    throw new RunError(`${title} is not retained, although the API server has taken the change`);
  }
  return { as: "volume", name };
}

export const snapshotsPath = (namespace: string) => `/apis/${snapshotApi}/namespaces/${namespace}/volumesnapshots`;
export const contentsPath = `/apis/${snapshotApi}/volumesnapshotcontents`;

/** The name is the same each time, and short whatever the claim's name is. */
function snapshotAt({ metadata }: V1PersistentVolumeClaim, namespace: string) {
  const [name, claim] = [`kubecamp-${metadata?.uid}`, metadata?.name ?? ""];
  const title = `the snapshot of PersistentVolumeClaim ${namespace}/${claim}`;
  return { name, claim, title, path: `${snapshotsPath(namespace)}/${name}` };
}

async function askForSnapshot(
  api: VolumesApi,
  of: V1PersistentVolumeClaim,
  namespace: string,
  snapshotClass: string | undefined,
): Promise<void> {
  const { name, claim, title, path } = snapshotAt(of, namespace);
  if ((await api.get<VolumeSnapshot>({ what: title, path })) !== undefined) {
    return;
  }
  const volumeSnapshotClassName = snapshotClass === undefined ? {} : { volumeSnapshotClassName: snapshotClass };
  await api.write({
    what: `make ${title}`,
    method: "POST",
    path: snapshotsPath(namespace),
    body: {
      apiVersion: snapshotApi,
      kind: "VolumeSnapshot",
      metadata: { name, annotations: { [archiveAnnotation]: "volume" } },
      spec: { ...volumeSnapshotClassName, source: { persistentVolumeClaimName: claim } },
    },
  });
}

async function snapshotOf(
  api: VolumesApi,
  of: V1PersistentVolumeClaim,
  namespace: string,
  waiting: SnapshotWaiting,
): Promise<ArchivedVolume["kept"]> {
  const { title, path } = snapshotAt(of, namespace);
  const read = () => api.get<VolumeSnapshot>({ what: title, path });
  let snapshot = await read();
  for (let look = 0; snapshot?.status?.readyToUse !== true && look < waiting.looks; look++) {
    await waiting.pause(betweenLooks);
    snapshot = await read();
  }
  const { readyToUse, boundVolumeSnapshotContentName: content, error } = snapshot?.status ?? {};
  if (readyToUse !== true || content === undefined) {
    const why = error?.message ?? "the driver has not made it in time";
    throw new RunError(`${title} is not ready: ${why}. It goes on being made: run again.`);
  }
  return await keptContent(api, content, title);
}

/** The class may have the snapshot deleted together with the namespace. */
async function keptContent(api: VolumesApi, content: string, title: string): Promise<ArchivedVolume["kept"]> {
  const path = `${contentsPath}/${content}`;
  const read = () => api.get<VolumeSnapshotContent>({ what: title, path });
  if ((await read())?.spec?.deletionPolicy !== "Retain") {
    const body = { spec: { deletionPolicy: "Retain" } };
    await api.write({ what: `keep ${title}`, method: "PATCH", path, contentType: merge, body });
  }
  const { spec, status } = (await read()) ?? {};
  if (spec?.deletionPolicy !== "Retain" || spec.driver === undefined || status?.snapshotHandle === undefined) {
    throw new RunError(`${title} is not kept, or has no handle: look at VolumeSnapshotContent '${content}'`);
  }
  return { as: "snapshot", content, driver: spec.driver, handle: status.snapshotHandle };
}
