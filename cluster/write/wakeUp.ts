import type {
  KubernetesObject,
  V1DaemonSet,
  V1Namespace,
  V1ReplicaSet,
  V1ReplicationController,
  V1ResourceQuota,
  V1StatefulSet,
} from "@kubernetes/client-node";
import type { Member } from "../../config/member/member.ts";
import {
  awakeUntilAnnotation,
  nudgedAnnotation,
  ownWakesAnnotation,
  sleptAnnotation,
  standingLabel,
} from "../../config/names/labels.ts";
import { namespaceName, resourceQuotaName, wakeName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { type ApiServer, withApiServer } from "../api/client.ts";
import { findApiTarget } from "../api/kubeconfig/kubeconfig.ts";
import { defaultWaiting, type Waiting } from "../api/requests.ts";
import { failuresOf, hands, inParallel } from "../inParallel.ts";
import { allOf, objectPath, oneOf } from "../kinds/kinds.ts";
import type { WorkloadKind } from "../read/workloads.ts";
import { quotaInForce } from "./pods.ts";

/** A member who falls asleep or wakes in this run, or comes back from a suspension. */
export interface Sleeper {
  readonly member: string;
  /** When they fell asleep, as ISO 8601 has it; undefined for one who wakes. */
  readonly since: string | undefined;
  readonly keepsQuota: boolean;
  /** What their ConfigMap `wake` is answered. Default: there is none. */
  readonly wakeAnswer?: Member["wakeAnswer"];
  /** Whether they were suspended or expired until this run. Their namespace has no mark. */
  readonly wasSuspended?: true;
}

/** Milliseconds for each sleeper, beside those for all: waking takes a second and more, and some are woken at a time. */
const patienceEach = 1_000;
/** Milliseconds after which controllers have tried, and every API server knows the quota. */
const untilSeen = 1_000;

/**
 * What falling asleep and waking need beside the declared objects, once these are there. Who falls asleep gets a mark
 * on the namespace. Who wakes has their workloads looked at again, and loses it: a run that ends in between leaves the
 * rest to the next one. After a suspension there is no next one: a watch may lack the right, and controllers try again
 * by themselves.
 * @returns the reasons by name of members for whom this failed
 */
export async function settleSleepers(
  sleepers: readonly Sleeper[],
  { cluster }: Pick<Settings, "cluster">,
  now: Date,
  waiting: Partial<Waiting> = {},
): Promise<ReadonlyMap<string, string>> {
  if (sleepers.length === 0) {
    return new Map();
  }
  const { pause } = { ...defaultWaiting, ...waiting };
  const failed = await withApiServer(
    findApiTarget(cluster.context),
    { patience: defaultWaiting.patience + sleepers.length * patienceEach, ...waiting },
    (api) =>
      failuresOf(sleepers, async (sleeper) => {
        if (sleeper.wasSuspended) {
          await bringBack(api, sleeper, now, pause);
          return;
        }
        await answer(api, sleeper);
        if (sleeper.since === undefined) {
          await wake(api, sleeper, now, pause);
        }
        await mark(api, sleeper);
      }),
    "overview",
  );
  return new Map([...failed].map(([{ member }, why]) => [member, why]));
}

/** Makes the pods again, unless the run was for others and left the member suspended. */
async function bringBack(api: ApiServer, sleeper: Sleeper, now: Date, pause: Waiting["pause"]): Promise<void> {
  const name = namespaceName({ name: sleeper.member });
  const path = objectPath({ kind: "Namespace", name, namespace: undefined });
  const home = await api.get<V1Namespace>({ what: `the Namespace '${name}'`, path });
  if (home?.metadata?.labels?.[standingLabel] === "active") {
    await wake(api, sleeper, now, pause);
  }
}

async function wake(
  api: ApiServer,
  { member, keepsQuota }: Sleeper,
  now: Date,
  pause: Waiting["pause"],
): Promise<void> {
  // Pulumi deletes a quota after all else, when the controllers should have made the pods already.
  const quota = { kind: "ResourceQuota", name: resourceQuotaName, namespace: namespaceName({ name: member }) } as const;
  await (keepsQuota ? quotaOpened(api, member, pause) : deleteIfThere(api, quota));
  await nudgeWorkloads(api, member, `${now.toISOString()} 1`);
  // Another API server of the cluster may still have refused a pod, and its controller pauses again.
  await pause(untilSeen, new AbortController().signal);
  await nudgeWorkloads(api, member, `${now.toISOString()} 2`);
}

/** Waits for the quota: a pod refused until then would wait again. */
async function quotaOpened(api: ApiServer, member: string, pause: Waiting["pause"]): Promise<void> {
  const namespace = namespaceName({ name: member });
  const isOpen = ([quota]: readonly V1ResourceQuota[]) => quota?.status?.hard?.pods !== "0";
  const request = oneOf("ResourceQuota", resourceQuotaName, namespace);
  if (!isOpen(await quotaInForce(() => api.list<V1ResourceQuota>(request), isOpen, pause))) {
    throw new Error(
      `ResourceQuota ${namespace}/${resourceQuotaName} is not in force; see that the cluster's kube-controller-manager works`,
    );
  }
}

/**
 * Has controllers look at workloads that lack pods: each refused pod doubles their pause, up to a quarter of an hour,
 * and any change ends it. A Deployment's pods are its ReplicaSet's, a CronJob's its Job's, and a Job's controller waits
 * a minute at most. The annotation goes through `status`: with that right, nobody can change what a workload runs.
 * @param value another one each time, since a write that changes nothing is none
 */
async function nudgeWorkloads(api: ApiServer, member: string, value: string): Promise<void> {
  const namespace = namespaceName({ name: member });
  // Only names are kept of each page: a workload may have a MiB.
  const lacking = async <T extends KubernetesObject>(kind: WorkloadKind, lacks: (object: T) => boolean) => {
    const keep = (object: KubernetesObject) => (lacks(object as T) ? object.metadata?.name : undefined);
    return (await api.list<string>({ ...allOf(kind, namespace), keep })).map((name) => ({ kind, name }));
  };
  const found = await Promise.all([
    lacking<V1ReplicationController>("ReplicationController", lacksReplicas),
    lacking<V1ReplicaSet>("ReplicaSet", lacksReplicas),
    lacking<V1StatefulSet>("StatefulSet", lacksReplicas),
    lacking<V1DaemonSet>("DaemonSet", lacksNodes),
  ]);
  await inParallel(found.flat(), hands, async ({ kind, name }) => {
    await api.write({
      what: `have the pods of ${kind} ${namespace}/${name} made again`,
      method: "PATCH",
      path: `${objectPath({ kind, name, namespace })}/status`,
      body: { metadata: { annotations: { [nudgedAnnotation]: value } } },
    });
  });
}

const lacksReplicas = ({ spec, status }: V1ReplicaSet | V1ReplicationController | V1StatefulSet): boolean =>
  (status?.replicas ?? 0) < (spec?.replicas ?? 1);

const lacksNodes = ({ status }: V1DaemonSet): boolean =>
  (status?.currentNumberScheduled ?? 0) < (status?.desiredNumberScheduled ?? 0);

async function mark(api: ApiServer, { member, since }: Sleeper): Promise<void> {
  await annotate(api, member, `note that member '${member}' ${since === undefined ? "is awake" : "sleeps"}`, {
    [sleptAnnotation]: since ?? null,
  });
}

/**
 * Before all else, since what follows may fail by the member's doing: a wake that is not noted would not count. Noted
 * before the ConfigMap goes, for a run that is killed in between.
 */
async function answer(api: ApiServer, { member, wakeAnswer }: Sleeper): Promise<void> {
  if (wakeAnswer === undefined) {
    return;
  }
  const { granted } = wakeAnswer;
  if (granted !== undefined) {
    await annotate(api, member, `note that member '${member}' wakes by themselves`, {
      [awakeUntilAnnotation]: granted.until,
      [ownWakesAnnotation]: granted.wakes,
    });
  }
  await deleteIfThere(api, { kind: "ConfigMap", name: wakeName, namespace: namespaceName({ name: member }) });
}

async function annotate(
  api: ApiServer,
  member: string,
  what: string,
  annotations: Readonly<Record<string, string | null>>,
): Promise<void> {
  const path = objectPath({ kind: "Namespace", name: namespaceName({ name: member }), namespace: undefined });
  await api.write({ what, method: "PATCH", path, body: { metadata: { annotations } } });
}

async function deleteIfThere(
  api: ApiServer,
  { kind, name, namespace }: { kind: "ConfigMap" | "ResourceQuota"; name: string; namespace: string },
): Promise<void> {
  const found = await api.list<KubernetesObject>({ ...oneOf(kind, name, namespace), metadataOnly: true });
  if (found.length > 0) {
    await api.write({
      what: `delete ${kind} ${namespace}/${name}`,
      method: "DELETE",
      path: objectPath({ kind, name, namespace }),
    });
  }
}
