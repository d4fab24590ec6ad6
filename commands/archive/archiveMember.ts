import type { KubernetesObject } from "@kubernetes/client-node";
import type { ObjectStore } from "../../buckets/s3/objectStore.ts";
import { type ApiServer, type Waiting, withApiServer } from "../../cluster/api/client.ts";
import { findApiTarget } from "../../cluster/api/kubeconfig/kubeconfig.ts";
import { allOf, listPath, objectPath } from "../../cluster/kinds/kinds.ts";
import { counted, firstOf } from "../../cluster/kinds/nameList.ts";
import { readHomeState } from "../../cluster/read/homes/homeState.ts";
import { resourceName } from "../../cluster/read/homes/theirObjects.ts";
import { keptHomesOf } from "../../cluster/read/keptHomes.ts";
import { unfinishedPhases } from "../../cluster/read/namespaceContents.ts";
import { refuseAnotherCluster } from "../../cluster/read/server/ownCluster.ts";
import { type ArchiveMark, askedOf, isCurrent } from "../../config/member/leavers.ts";
import { archiveAnnotation, standingLabel } from "../../config/names/labels.ts";
import type { Settings } from "../../config/settings.ts";
import { RunError } from "../../config/values/runError.ts";
import { archiveFile, collect, sha256 as sha256Of } from "./contents.ts";
import { fileOf, leavePrefix, type Manifest, manifestName, manifestOf, manifestText, newPrefix } from "./manifest.ts";
import { leaveOf, pauseFor, type SnapshotWaiting, snapshotResource } from "./snapshots.ts";
import { checkedArchive } from "./store.ts";
import { keptVolumes } from "./volumes.ts";

/** A member's archive, verified and marked on the namespace. */
export interface Archived {
  readonly mark: ArchiveMark;
  readonly manifest: Manifest;
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
 * Archives a member who has left the list: objects and volumes, read back and compared with the manifest, then marked on the
 * namespace, so that a run may delete it. A whole one stays; after a killed one, a new one is made beside it.
 * @throws RunError with the reason; the namespace then has no mark, and no run deletes it
 */
export async function archiveMember(
  name: string,
  settings: Settings,
  { store, waiting = {}, snapshots, mostMiB = 100 }: ArchiveParts,
): Promise<Archived> {
  const { stack, shards, offboarding, cluster } = settings;
  const { archive } = offboarding;
  if (archive === undefined) {
    throw new RunError(`Stack '${stack}' has no archive: set offboarding.archive (docs/run/archive.md).`);
  }
  const family = shards?.family ?? stack;
  const target = findApiTarget(cluster.context);
  const withServer = <T>(work: (api: ApiServer) => Promise<T>) =>
    withApiServer(target, { patience, ...waiting }, work, "overview");
  return await withServer(async (api): Promise<Archived> => {
    await refuseAnotherCluster(api, settings);
    const home = await readHome(api, name);
    const leaves = dayOf(home, name, settings);
    const uid = home.metadata?.uid ?? "";
    const ofLeave = leavePrefix(family, name, leaves, uid);
    const [kept] = keptHomesOf([home], [], settings);
    const before = kept?.archive;
    const given = kept?.given ?? [];
    const isAsIt = async ({ state }: ArchiveMark) => state === (await readHomeState(api, name, archive, { given }));
    if (before?.prefix.startsWith(ofLeave) && isCurrent(before, leaves, archive) && (await isAsIt(before))) {
      const whole = await checkedArchive(store, before.prefix, before.sha256).catch(() => undefined);
      if (whole !== undefined) {
        return { mark: before, manifest: whole.manifest, wasThere: true };
      }
    }
    await podsEnded(api, name, snapshots);
    const made = new Date();
    const prefix = newPrefix(ofLeave, made);
    const { kinds, state } = await collect(api, { member: name, given }, archive, mostMiB);
    // What fails here leaves no files.
    const volumes = await keptVolumes(api, { namespace: name, leave: leaveOf(home, leaves) }, archive, snapshots);
    const files: Manifest["files"] = [];
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
    const about = { stack: family, member: name, uid, made: made.toISOString(), secrets: archive.secrets };
    const manifest = manifestOf(about, files, volumes, ownSnapshots);
    const text = manifestText(manifest);
    // Last, so that there is none beside files that are not.
    await store.put(prefix + manifestName, text);
    const { sha256 } = await checkedArchive(store, prefix, sha256Of(text));
    const mark = { bucket: archive.bucket, prefix, sha256, leaves, asked: askedOf(archive), state };
    // With a deadline of its own: a slow bucket may take longer for the files than there is for the other requests.
    await withServer((later) => setMark(later, home, mark));
    return { mark, manifest, wasThere: false };
  });
}

const homePath = (name: string) => objectPath({ kind: "Namespace", name, namespace: undefined });

async function readHome(api: ApiServer, name: string): Promise<KubernetesObject> {
  const home = await api.get<KubernetesObject>({ what: `the Namespace '${name}'`, path: homePath(name) });
  if (home === undefined) {
    throw new RunError(`There is no namespace '${name}' to archive.`);
  }
  return home;
}

/** The day on the namespace. Whoever is not suspended could change what has been archived. */
function dayOf(home: KubernetesObject, name: string, settings: Settings): string {
  const [kept] = keptHomesOf([home], [], settings);
  if (kept === undefined) {
    throw new RunError(`Namespace '${name}' is not one of stack '${settings.stack}', or is being deleted.`);
  }
  if (kept.leaves === undefined || home.metadata?.labels?.[standingLabel] !== "suspended") {
    throw new RunError(
      `'${name}' has not left: only a member who has left the list, and whom a run has suspended, can be archived.\n` +
        "Remove the entry from the list and run 'pulumi up', then run this again.",
    );
  }
  return kept.leaves;
}

/** Refused by the API server if the namespace was changed since it was read, as by a run that lets the member back in. */
async function setMark(api: ApiServer, { metadata }: KubernetesObject, mark: ArchiveMark): Promise<void> {
  const { name = "", uid, resourceVersion } = metadata ?? {};
  await api.write({
    what: `mark the Namespace '${name}' as archived`,
    method: "PATCH",
    path: homePath(name),
    body: { metadata: { uid, resourceVersion, annotations: { [archiveAnnotation]: JSON.stringify(mark) } } },
  });
}

/** Stopped Pods have 30 seconds to end: number of looks, and the pause between them in milliseconds. */
const looks = { most: 20, pause: 2_000 };
const mostNames = 5;

/**
 * Waits until a namespace's Pods have ended: one that runs on could still write what the archive would not have. A killed run
 * may have suspended the member without stopping them.
 * @throws RunError naming those that go on
 */
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
        `${who}: ${firstOf(names, mostNames)}.\n` +
          "Run 'pulumi up', which stops Pods, then run this again. If its node is lost, delete the Pod with --force.",
      );
    }
    const what = `${counted(pods.length, "Pod")} of '${namespace}' to end`;
    await pauseFor(what, looks.pause, { before: (look - 1) * looks.pause, ...waiting });
  }
}
