import { setTimeout as sleep } from "node:timers/promises";
import type { KubernetesObject, V1EndpointSlice, V1Service } from "@kubernetes/client-node";
import { type ApiServer, withApiServer } from "../../cluster/api/client.ts";
import { ForbiddenError } from "../../cluster/api/errors.ts";
import { type InformerRequest, type InformerWaiting, inform } from "../../cluster/api/informer.ts";
import { type ApiTarget, findApiTarget } from "../../cluster/api/kubeconfig/kubeconfig.ts";
import { pauseInOutage } from "../../cluster/api/retry.ts";
import { allOf, type Kind } from "../../cluster/kinds/kinds.ts";
import { isLeftOutUnread } from "../../cluster/kinds/stackKinds.ts";
import { hasFillIns } from "../../cluster/read/capacity/hardware.ts";
import { endpointsMatter } from "../../cluster/read/services.ts";
import type { Member } from "../../config/member/member.ts";
import type { Settings } from "../../config/settings.ts";
import { RunError } from "../../config/values/runError.ts";
import { anotherCluster } from "../../plan/decide/obstacles.ts";
import { refusalTexts } from "../../plan/words/catalogue.ts";
import { LiveObjects, type LiveSnapshot } from "./liveObjects.ts";
import { type WatchedKind, watchedKinds } from "./watchedKinds.ts";

export type { LiveSnapshot };

/** The live cluster, as far as it concerns the stack. */
export interface LiveCluster {
  /** Resolves when every list has arrived; never if the watch ends before. */
  readonly synced: Promise<void>;
  /** A copy of the last known objects, without those that may not be read and that only some members need. */
  snapshot(): LiveSnapshot;
  /** False before the lists have arrived and while any kind is unanswered: nothing may count as absent then. */
  readonly well: boolean;
}

/** Callbacks about a live cluster. */
export interface LiveEvents {
  /** Something changed that may matter: not a quota's usage or another namespace. */
  onChange(): void;
  /** A kind is unanswered, or the cluster isn't the stack's (`cluster.id`); undefined: that is over. */
  onTrouble(what: string, error: Error | undefined): void;
  /** A kind's connection was cut, after so many that had brought nothing. */
  onCut(what: string, fruitless: number): void;
}

/** A kind may not be read, and what needs it is left out (`isLeftOutUnread`). */
export class LeftOutError extends RunError {}

const theCluster = "the stack's cluster";
const fillIns = "whether the API server has MutatingAdmissionPolicies";

/**
 * Watches everything that decides what an up would do for the members: their namespaces and Services, EndpointSlices if
 * those matter, and the stack's own objects.
 * @param signal ends it
 * @param waiting waiting times of each kind's informer
 * @throws RunError when the kubeconfig doesn't say which cluster is meant
 */
export function watchCluster(
  settings: Settings,
  members: readonly Member[],
  { onChange, onTrouble, onCut }: LiveEvents,
  signal: AbortSignal,
  waiting: Partial<InformerWaiting> = {},
): LiveCluster {
  const target = () => findApiTarget(settings.cluster.context);
  // Informers would try again for ever.
  target();
  const objects = new LiveObjects(settings, members);
  const unlisted = new Set<string>();
  const troubled = new Set<string>();
  const follow = <T extends KubernetesObject>(
    request: InformerRequest,
    take: (key: string, object: T | undefined) => boolean,
  ): Promise<void> => {
    const { what, kind } = request;
    const leftOut = Promise.withResolvers<void>();
    unlisted.add(what);
    const { synced } = inform<T>(
      target,
      request,
      {
        change: (key, object) => {
          if (take(key, object)) {
            onChange();
          }
        },
        trouble: (error) => {
          if (error instanceof ForbiddenError && isLeftOutUnread(kind)) {
            troubled.delete(what);
            objects.leaveOut(what, kind as Kind, error.reason);
            leftOut.resolve();
            onTrouble(what, new LeftOutError(error.message));
          } else {
            troubled.add(what);
            onTrouble(what, error);
          }
        },
        cut: (fruitless) => onCut(what, fruitless),
        well: () => {
          troubled.delete(what);
          objects.takeIn(what);
          onTrouble(what, undefined);
        },
      },
      signal,
      waiting,
    );
    return Promise.race([synced, leftOut.promise]).then(() => void unlisted.delete(what));
  };
  /** On another cluster, a refresh would find everything gone and Pulumi would drop it from its state. */
  const identify = ({ metadata }: KubernetesObject) => {
    const strange = anotherCluster(settings, { id: metadata?.uid ?? "" });
    if (strange !== undefined) {
      troubled.add(theCluster);
      onTrouble(theCluster, new RunError(refusalTexts([strange]).join("\n")));
    } else if (troubled.delete(theCluster)) {
      onTrouble(theCluster, undefined);
    }
  };
  /** A cluster may have thousands that are of no member. */
  const ofMembers = (kind: "Service" | "EndpointSlice") => ({
    ...allOf(kind),
    isMeant: (key: string) => objects.mayMatter(key),
  });
  let slices: Promise<void> | undefined;
  const followSlices = () => {
    if (slices === undefined && endpointsMatter(members, objects.services)) {
      slices = follow<V1EndpointSlice>(ofMembers("EndpointSlice"), (key, slice) => objects.putSlice(key, slice));
      slices.then(onChange, ended);
    }
  };
  const followOwn = (request: WatchedKind) =>
    follow<KubernetesObject>(request, (key, object) => objects.putOwn(request.kind, key, object));
  /** Not every API server has these kinds, and one that does not would never answer. */
  const followFillIns = async () => {
    const own = watchedKinds(settings, members, true).filter(({ kind }) => kind.startsWith("Mutating"));
    unlisted.add(fillIns);
    const mutates = (await answered(target, signal, (api) => hasFillIns(settings, api), waiting)) === true;
    objects.learn({ mutates });
    const followed = mutates ? own.map(followOwn) : [];
    unlisted.delete(fillIns);
    await Promise.all(followed);
  };
  const lists = [
    ...(settings.confinement?.fillsIn === true ? [followFillIns()] : []),
    follow<KubernetesObject>(allOf("Namespace"), (name, namespace) => {
      if (name === "kube-system" && namespace !== undefined) {
        identify(namespace);
      }
      return objects.putNamespace(name, namespace);
    }),
    follow<V1Service>(ofMembers("Service"), (key, service) => {
      const matters = objects.putService(key, service);
      if (matters) {
        followSlices();
      }
      return matters;
    }),
    ...watchedKinds(settings, members).map(followOwn),
  ];
  const all = Promise.all(lists).then(async () => await slices);
  return {
    synced: new Promise((resolve) => void all.then(resolve, ended)),
    snapshot: () => objects.snapshot(),
    get well() {
      return unlisted.size + troubled.size === 0;
    },
  };
}

/** The watch has ended, so that a rejection needs no report. */
function ended(): void {}

/**
 * Asks an API server until it answers, in growing pauses. The informers report the outage.
 * @param target finds the API server, and is called each time
 */
async function answered<T>(
  target: () => ApiTarget,
  signal: AbortSignal,
  ask: (api: ApiServer) => Promise<T>,
  { pause = (milliseconds) => sleep(milliseconds, undefined, { signal, ref: false }) }: Partial<InformerWaiting> = {},
): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await withApiServer(target(), { pause, signal }, ask, "watch");
    } catch {
      signal.throwIfAborted();
      await pause(pauseInOutage(failures), signal);
    }
  }
}
