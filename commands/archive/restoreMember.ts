import { randomUUID } from "node:crypto";
import type { KubernetesObject, V1PersistentVolume } from "@kubernetes/client-node";
import { type ApiServer, withApiServer } from "../../cluster/api/client.ts";
import { messageOf } from "../../cluster/api/errors.ts";
import { findApiTarget } from "../../cluster/api/kubeconfig/kubeconfig.ts";
import type { Waiting } from "../../cluster/api/requests.ts";
import { objectPath } from "../../cluster/kinds/kinds.ts";
import { keptHomesOf } from "../../cluster/read/keptHomes.ts";
import { type ServedKind, servedKinds, servedPath } from "../../cluster/read/servedKinds.ts";
import { resourceName } from "../../cluster/read/theirObjects.ts";
import { refuseAnotherCluster } from "../../cluster/write/ownCluster.ts";
import { memberLabel, stackLabel } from "../../config/names/labels.ts";
import type { Settings } from "../../config/settings.ts";
import { RunError } from "../../config/values/runError.ts";
import type { ArchivedVolume } from "./manifest.ts";
import {
  isLeftOut,
  mayMakeClaims,
  type Restorable,
  type RestoreInto,
  restorable,
  restorables,
  restorableTitle,
  restoredSnapshot,
} from "./restorable.ts";
import { contentsPath, createSnapshot, snapshotApi, snapshotsPath, type VolumesApi } from "./snapshots.ts";
import type { WholeArchive } from "./store.ts";

interface Place {
  /** Namespace that the claim was archived from. */
  readonly from: string;
  readonly namespace: string;
}

/** Lets a claim of a namespace have the volume that was kept of it, or makes the snapshot that it is filled from. */
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
  await createSnapshot(api, { title, namespace, name, spec: { source: { volumeSnapshotContentName: content } } });
}

/** The archive's objects by result, with names such as `deployments.apps/web`. */
export type Restored = Awaited<ReturnType<typeof restoreMember>>;

const claims = "persistentvolumeclaims";
const waitsForClaims =
  "waits for the claims, since a controller could create empty ones: correct them, or create them yourself, then restore again";

/** Milliseconds for all requests. */
const patience = 20 * 60_000;

/** Creates archived objects in a member's namespace, whose name may differ. What is there already stays. */
export async function restoreMember(
  name: string,
  settings: Settings,
  { manifest, files }: WholeArchive,
  waiting: Partial<Waiting> = {},
) {
  const target = findApiTarget(settings.cluster.context);
  const work = async (api: ApiServer) => {
    await refuseAnotherCluster(api, settings);
    const owner = await ownerOf(api, name, settings);
    const served = new Map((await servedKinds(api)).map((kind) => [resourceName(kind), kind]));
    const created: string[] = [];
    const there: string[] = [];
    const failed: { object: string; why: string }[] = [];
    const all = restorables(files);
    for (const one of all.filter((each) => !isLeftOut(each))) {
      const object = restorableTitle(one);
      const lacksClaims = failed.some((each) => each.object.startsWith(`${claims}/`));
      if (lacksClaims && mayMakeClaims(one.resource)) {
        failed.push({ object, why: waitsForClaims });
        continue;
      }
      try {
        const isNew = await restore(api, one, {
          ...{ kind: served.get(one.resource), from: manifest.member },
          ...{ namespace: name, volumes: manifest.volumes, owner },
        });
        (isNew ? created : there).push(object);
      } catch (error) {
        waiting.signal?.throwIfAborted();
        failed.push({ object, why: messageOf(error) });
      }
    }
    return { created, there, leftOut: all.filter(isLeftOut).map(restorableTitle), failed };
  };
  return await withApiServer(target, { patience, ...waiting }, work, "overview");
}

/** Labels of the member's objects. @throws RunError if the namespace is not a member's of the stack, or is to go */
async function ownerOf(api: ApiServer, name: string, settings: Settings): Promise<RestoreInto["owner"]> {
  const path = objectPath({ kind: "Namespace", name, namespace: undefined });
  const home = await api.get<KubernetesObject>({ what: `the Namespace '${name}'`, path });
  const [kept] = home === undefined ? [] : keptHomesOf([home], [], settings);
  if (kept === undefined || kept.leaves !== undefined) {
    throw new RunError(
      `'${name}' has no namespace of stack '${settings.stack}' to restore into.\n` +
        "Put the member into the list and run 'pulumi up', then run this again.",
    );
  }
  const { [stackLabel]: stack = settings.stack } = home?.metadata?.labels ?? {};
  return { [stackLabel]: stack, [memberLabel]: name };
}

interface Into extends RestoreInto {
  readonly kind: ServedKind | undefined;
  readonly from: string;
}

/** @returns whether it was not there before */
async function restore(api: ApiServer, one: Restorable, into: Into): Promise<boolean> {
  const { namespace, kind, volumes, from } = into;
  if (kind === undefined) {
    throw new RunError("this cluster does not have the kind, or not for namespaces");
  }
  const what = `create ${restorableTitle(one)} in namespace '${namespace}'`;
  const { apiVersion: archived } = one.object;
  const isServed = archived !== undefined && [kind.apiVersion, ...(kind.otherVersions ?? [])].includes(archived);
  const apiVersion = isServed ? archived : kind.apiVersion;
  const path = servedPath({ ...kind, apiVersion }, namespace);
  const there = await api.get({ what: restorableTitle(one), path: `${path}/${one.object.metadata?.name}` });
  if (there !== undefined) {
    return false;
  }
  const claim = one.resource === claims ? one.object.metadata?.name : undefined;
  const volume = volumes.find((each) => each.claim === claim);
  if (volume !== undefined) {
    await freeVolume(api, volume, { from, namespace });
  }
  await api.write({
    what,
    method: "POST",
    // The API server would drop fields that another version does not have.
    path: isServed ? path : `${path}?fieldValidation=Strict`,
    body: { ...restorable(one, into), apiVersion },
  });
  return true;
}
