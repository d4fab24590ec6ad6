import type { KubernetesObject } from "@kubernetes/client-node";
import type { ObjectStore } from "../../buckets/s3/objectStore.ts";
import { type ApiServer, withApiServer } from "../../cluster/api/client.ts";
import { findApiTarget } from "../../cluster/api/kubeconfig/kubeconfig.ts";
import type { Waiting } from "../../cluster/api/requests.ts";
import { allOf, listPath, objectPath } from "../../cluster/kinds/kinds.ts";
import { keptHomesOf } from "../../cluster/read/keptHomes.ts";
import { unfinishedPhases } from "../../cluster/read/namespaceContents.ts";
import { readHomeState, resourceName } from "../../cluster/read/theirObjects.ts";
import { refuseAnotherCluster } from "../../cluster/write/ownCluster.ts";
import { type ArchiveMark, askedOf, isCurrent } from "../../config/member/leavers.ts";
import { archiveAnnotation, standingLabel } from "../../config/names/labels.ts";
import type { ArchiveSettings } from "../../config/offboarding.ts";
import type { Settings } from "../../config/settings.ts";
import { RunError } from "../../config/values/runError.ts";
import { counted, firstFew } from "../../config/values/sentences.ts";
import { archiveFile, collect, sha256 as sha256Of } from "./contents.ts";
import { type ArchiveManifest, fileOf, leavePrefix, manifestName, manifestOf, newPrefix } from "./manifest.ts";
import { leaveOf, pauseFor, type SnapshotWaiting, snapshotResource } from "./snapshots.ts";
import { checkedArchive } from "./store.ts";
import { keptVolumes } from "./volumes.ts";

export interface Archived {
  readonly mark: ArchiveMark;
  readonly manifest: ArchiveManifest;
  /** Whether it was there before, and is whole. */
  readonly wasThere: boolean;
}

interface ArchiveParts {
  readonly store: ObjectStore;
  readonly waiting?: Partial<Waiting>;
  readonly snapshots: SnapshotWaiting;
  /** Most MiB of all objects together. Default: 100, for which the memory of a watch's Pod is enough. */
  readonly mostMiB?: number;
}

/** Milliseconds for all requests before the mark: a driver may take minutes for a snapshot. */
const patience = 20 * 60_000;

/**
 * Archives a member who has left the list: objects and volumes, read back and compared with the manifest, then marked
 * on the namespace, so that a run may delete it. A whole one stays; after a killed one, a new one is made beside it.
 */
export async function archiveMember(name: string, settings: Settings, parts: ArchiveParts): Promise<Archived> {
  const { stack, offboarding, cluster } = settings;
  const { archive } = offboarding;
  if (archive === undefined) {
    throw new RunError(`Stack '${stack}' has no archive: set offboarding.archive (docs/run/archive.md).`);
  }
  const target = findApiTarget(cluster.context);
  const withServer = <T>(work: (api: ApiServer) => Promise<T>) =>
    withApiServer(target, { patience, ...parts.waiting }, work, "overview");
  return await withServer(async (api): Promise<Archived> => {
    await refuseAnotherCluster(api, settings);
    const home = await api.get<KubernetesObject>({ what: `the Namespace '${name}'`, path: homePath(name) });
    if (home === undefined) {
      throw new RunError(`There is no namespace '${name}' to archive.`);
    }
    const leave = leaveFrom(home, name, settings);
    const before = await earlierArchive(api, leave, archive, parts.store);
    if (before !== undefined) {
      return before;
    }
    await podsEnded(api, name, parts.snapshots);
    const made = await newArchive(api, leave, archive, parts);
    // With a deadline of its own: a slow bucket may take longer for the files than there is for the other requests.
    await withServer((later) => setMark(later, leave.home, made.mark));
    return made;
  });
}

const homePath = (name: string) => objectPath({ kind: "Namespace", name, namespace: undefined });

type Leave = ReturnType<typeof leaveFrom>;

/** @throws RunError unless the member is suspended: otherwise they could change what has been archived */
function leaveFrom(home: KubernetesObject, member: string, settings: Settings) {
  const { uid = "", labels } = home.metadata ?? {};
  const [kept] = keptHomesOf([home], [], settings);
  if (kept === undefined) {
    throw new RunError(`Namespace '${member}' is not one of stack '${settings.stack}', or is being deleted.`);
  }
  const { leaves, given = [], archive: mark } = kept;
  if (leaves === undefined || labels?.[standingLabel] !== "suspended") {
    throw new RunError(
      `'${member}' has not left: only a member who has left the list, and whom a run has suspended, can be archived.\n` +
        "Remove the entry from the list and run 'pulumi up', then run this again.",
    );
  }
  // Of a shard, its family.
  const stack = settings.shards?.family ?? settings.stack;
  return { home, member, stack, uid, leaves, given, mark, prefix: leavePrefix(stack, member, leaves, uid) };
}

/** The archive that the namespace is marked with; undefined if it is not whole, or the namespace has changed since. */
async function earlierArchive(
  api: ApiServer,
  { mark, prefix, leaves, member, given }: Leave,
  archive: ArchiveSettings,
  store: ObjectStore,
): Promise<Archived | undefined> {
  if (mark === undefined || !mark.prefix.startsWith(prefix) || !isCurrent(mark, leaves, archive)) {
    return undefined;
  }
  if (mark.state !== (await readHomeState(api, member, { secrets: archive.secrets, given }))) {
    return undefined;
  }
  const whole = await checkedArchive(store, mark.prefix, mark.sha256).catch(() => undefined);
  return whole && { mark, manifest: whole.manifest, wasThere: true };
}

async function newArchive(
  api: ApiServer,
  { home, member, stack, uid, leaves, given, prefix: ofLeave }: Leave,
  archive: ArchiveSettings,
  { store, snapshots, mostMiB = 100 }: ArchiveParts,
): Promise<Archived> {
  const made = new Date();
  const prefix = newPrefix(ofLeave, made);
  const { kinds, state } = await collect(api, { member, given }, archive, mostMiB);
  // What fails here leaves no files.
  const volumes = await keptVolumes(api, { namespace: member, leave: leaveOf(home, leaves) }, archive, snapshots);
  const files: ArchiveManifest["files"] = [];
  for (const { kind, objects } of kinds) {
    const file = archiveFile(kind, objects);
    if (file !== undefined) {
      await store.put(prefix + file.name, file.content);
      files.push(fileOf(file));
    }
  }
  const ownSnapshots = kinds
    .filter(({ kind }) => resourceName(kind) === snapshotResource)
    .flatMap(({ objects }) => objects.map((object) => object.name));
  const about = { stack, member, uid, made: made.toISOString(), secrets: archive.secrets };
  const manifest = manifestOf(about, files, volumes, ownSnapshots);
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  // Last, so that there is none beside files that are not.
  await store.put(prefix + manifestName, text);
  const { sha256 } = await checkedArchive(store, prefix, sha256Of(text));
  return {
    mark: { bucket: archive.bucket, prefix, sha256, leaves, asked: askedOf(archive), state },
    manifest,
    wasThere: false,
  };
}

/** The API server refuses it if the namespace was changed since it was read, as by a run that lets the member back in. */
async function setMark(api: ApiServer, { metadata }: KubernetesObject, mark: ArchiveMark): Promise<void> {
  const { name = "", uid, resourceVersion } = metadata ?? {};
  await api.write({
    what: `mark the Namespace '${name}' as archived`,
    method: "PATCH",
    path: homePath(name),
    body: { metadata: { uid, resourceVersion, annotations: { [archiveAnnotation]: JSON.stringify(mark) } } },
  });
}

/** Number of looks at Pods that end, which may take 30 seconds, and the pause between them in milliseconds. */
const looks = { most: 20, pause: 2_000 };
const mostNames = 5;

/** Waits until a namespace's Pods have ended: one that runs on could write what the archive would not have. */
async function podsEnded(
  api: Pick<ApiServer, "list">,
  namespace: string,
  waiting: Pick<SnapshotWaiting, "pause" | "notify">,
): Promise<void> {
  const path = `${listPath("Pod", namespace)}?${unfinishedPhases}`;
  for (let look = 1; ; look++) {
    const pods = await api.list<KubernetesObject>({ ...allOf("Pod", namespace), path, metadataOnly: true });
    if (pods.length === 0) {
      return;
    }
    if (look === looks.most || pods.some(({ metadata }) => metadata?.deletionTimestamp === undefined)) {
      const names = pods.map(({ metadata }) => metadata?.name ?? "");
      const who = `${counted(pods.length, "Pod")} of '${namespace}' still ${pods.length === 1 ? "runs" : "run"}`;
      throw new RunError(
        `${who}: ${firstFew(names, mostNames)}.\n` +
          "Run 'pulumi up', which stops Pods, then run this again. If its node is lost, delete the Pod with --force.",
      );
    }
    const what = `${counted(pods.length, "Pod")} of '${namespace}' to end`;
    await pauseFor(what, looks.pause, { before: (look - 1) * looks.pause, ...waiting });
  }
}
