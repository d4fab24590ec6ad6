import type { KubernetesObject, V1PersistentVolumeClaim } from "@kubernetes/client-node";
import type { ApiServer } from "../../cluster/api/client.ts";
import { archiveAnnotation, leavesLabel } from "../../config/names/labels.ts";
import { RunError } from "../../config/values/runError.ts";
import type { ArchivedVolume } from "./manifest.ts";

export const snapshotApi = "snapshot.storage.k8s.io/v1";
export const snapshotResource = "volumesnapshots.snapshot.storage.k8s.io";

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

export type VolumesApi = Pick<ApiServer, "get" | "list" | "write">;

/** How to wait for a snapshot: the pause between looks in milliseconds, and the number of looks. */
export interface SnapshotWaiting {
  readonly pause: (milliseconds: number) => Promise<unknown>;
  readonly looks: number;
  /** Told every 30 seconds what is waited for. */
  readonly notify: (message: string) => void;
}

/** Milliseconds between two messages about waiting. */
const quiet = 30_000;

/** Waits, and tells it every 30 seconds. @param before milliseconds waited already */
export async function pauseFor(
  what: string,
  milliseconds: number,
  { before, pause, notify }: { readonly before: number } & Pick<SnapshotWaiting, "pause" | "notify">,
): Promise<void> {
  await pause(milliseconds);
  const waited = before + milliseconds;
  if (Math.floor(waited / quiet) > Math.floor(before / quiet)) {
    notify(`Waiting for ${what}: ${waited / 1_000} s`);
  }
}

export interface Home {
  readonly namespace: string;
  /** Tells one leave of the member from another: an earlier snapshot has none of what they did since. */
  readonly leave: string;
}

/**
 * Tells this leave from an earlier one, also on the same day: the time at which a run wrote the day, in digits. The API server
 * notes it, and doesn't change it while the namespace stays as it is.
 */
export function leaveOf({ metadata }: Pick<KubernetesObject, "metadata">, leaves: string): string {
  const key = `f:${leavesLabel}`;
  const times = (metadata?.managedFields ?? []).flatMap(({ fieldsV1, time }) =>
    time !== undefined && key in Object(Object(Object(fieldsV1)["f:metadata"])["f:labels"])
      ? [new Date(time).toISOString().slice(0, "2026-12-31T00:00:00".length)]
      : [],
  );
  return (times.sort().at(-1) ?? leaves).replaceAll(/\D/g, "");
}

const betweenLooks = 2_000;

export const snapshotsPath = (namespace: string) => `/apis/${snapshotApi}/namespaces/${namespace}/volumesnapshots`;
export const contentsPath = `/apis/${snapshotApi}/volumesnapshotcontents`;

/** Name, title and path of a claim's snapshot. The name is the same in each try, and short whatever the claim's is. */
function snapshotAt({ metadata }: V1PersistentVolumeClaim, { namespace, leave }: Home) {
  const [name, claim] = [`kubecamp-${metadata?.uid}-${leave}`, metadata?.name ?? ""];
  const title = `the snapshot of PersistentVolumeClaim ${namespace}/${claim}`;
  return { name, claim, title, path: `${snapshotsPath(namespace)}/${name}` };
}

export async function askForSnapshot(
  api: VolumesApi,
  of: V1PersistentVolumeClaim,
  home: Home,
  snapshotClass: string | undefined,
): Promise<void> {
  const { name, claim, title, path } = snapshotAt(of, home);
  if ((await api.get<VolumeSnapshot>({ what: title, path })) !== undefined) {
    return;
  }
  await createSnapshot(api, {
    ...{ title, name, namespace: home.namespace },
    spec: {
      ...(snapshotClass === undefined ? {} : { volumeSnapshotClassName: snapshotClass }),
      source: { persistentVolumeClaimName: claim },
    },
  });
}

/** Makes a snapshot with the mark by which archives leave it out. */
export async function createSnapshot(
  api: VolumesApi,
  {
    title,
    namespace,
    name,
    spec,
  }: Readonly<Record<"title" | "namespace" | "name", string>> & { readonly spec: object },
): Promise<void> {
  await api.write({
    what: `make ${title}`,
    method: "POST",
    path: snapshotsPath(namespace),
    body: {
      apiVersion: snapshotApi,
      kind: "VolumeSnapshot",
      metadata: { name, annotations: { [archiveAnnotation]: "volume" } },
      spec,
    },
  });
}

export async function snapshotOf(
  api: VolumesApi,
  of: V1PersistentVolumeClaim,
  home: Home,
  waiting: SnapshotWaiting,
): Promise<ArchivedVolume["kept"]> {
  const { title, path } = snapshotAt(of, home);
  const read = () => api.get<VolumeSnapshot>({ what: title, path });
  let snapshot = await read();
  for (let look = 0; snapshot?.status?.readyToUse !== true && look < waiting.looks; look++) {
    await pauseFor(title, betweenLooks, { before: look * betweenLooks, ...waiting });
    snapshot = await read();
  }
  const { readyToUse, boundVolumeSnapshotContentName: content, error } = snapshot?.status ?? {};
  if (readyToUse !== true || content === undefined) {
    const why = error?.message ?? "the driver has not finished it in time";
    throw new RunError(`${title} is not ready: ${why}. The driver goes on: run again.`);
  }
  return await keptContent(api, content, title);
}

/** Keeps the snapshot that a claim without a volume is to be filled from; undefined if it is to be empty. */
export async function sourceSnapshotOf(
  api: VolumesApi,
  { metadata, spec }: V1PersistentVolumeClaim,
  namespace: string,
): Promise<ArchivedVolume["kept"] | undefined> {
  const source = spec?.dataSource ?? spec?.dataSourceRef;
  if (source === undefined) {
    return undefined;
  }
  const claim = `PersistentVolumeClaim ${namespace}/${metadata?.name}`;
  const title = `the snapshot '${source.name}' for ${claim}`;
  const path = `${snapshotsPath(namespace)}/${source.name}`;
  const snapshot = source.kind === "VolumeSnapshot" ? await api.get<VolumeSnapshot>({ what: title, path }) : undefined;
  const content = snapshot?.status?.boundVolumeSnapshotContentName;
  if (content === undefined) {
    throw new RunError(
      `${claim} has no volume yet, and its data would come from ${source.kind} '${source.name}', which can't be kept: ` +
        "delete the claim if nobody needs it, or let the member come back and use it in a Pod",
    );
  }
  return await keptContent(api, content, title);
}

/** Keeps a snapshot whose class would have it deleted together with the namespace. */
async function keptContent(api: VolumesApi, content: string, title: string): Promise<ArchivedVolume["kept"]> {
  const path = `${contentsPath}/${content}`;
  const read = () => api.get<VolumeSnapshotContent>({ what: title, path });
  if ((await read())?.spec?.deletionPolicy !== "Retain") {
    const body = { spec: { deletionPolicy: "Retain" } };
    await api.write({ what: `keep ${title}`, method: "PATCH", path, body });
  }
  const { spec, status } = (await read()) ?? {};
  if (spec?.deletionPolicy !== "Retain" || spec.driver === undefined || status?.snapshotHandle === undefined) {
    throw new RunError(`${title} is not kept, or has no handle: look at VolumeSnapshotContent '${content}'`);
  }
  return { as: "snapshot", content, driver: spec.driver, handle: status.snapshotHandle };
}
