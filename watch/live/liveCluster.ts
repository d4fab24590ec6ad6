import type { KubernetesObject, V1EndpointSlice, V1Service } from "@kubernetes/client-node";
import { type InformerRequest, type InformerWaiting, inform } from "../../cluster/api/informer.ts";
import { findApiTarget } from "../../cluster/api/kubeconfig/kubeconfig.ts";
import { allOf } from "../../cluster/kinds/kinds.ts";
import { endpointsMatter } from "../../cluster/read/services.ts";
import { RunError } from "../../config/model/runError.ts";
import type { Member, Settings } from "../../config/model/settings.ts";
import { anotherCluster } from "../../plan/membership/ownership.ts";
import { refusalTexts } from "../../plan/messages/catalogue.ts";
import { LiveObjects, type LiveSnapshot } from "./liveObjects.ts";
import { watchedKinds } from "./watchedKinds.ts";

export type { LiveSnapshot };

/** The cluster as it is now, as far as the stack is concerned. */
export interface LiveCluster {
  /** Resolves when every list has come once; never, if it is ended before. */
  readonly synced: Promise<void>;
  /** As it was last known. A copy: it does not change any more. */
  snapshot(): LiveSnapshot;
  /** False before that, and while there is no answer for any of the kinds: nobody may take a thing for absent then. */
  readonly well: boolean;
}

const theCluster = "the stack's cluster";

/**
 * Follows all that decides what an up would do for the members: their namespaces and Services, what is behind those
 * where it matters, and every object of the stack's own.
 * @param onChange told of each change that may matter: not of a quota's use, or of what happens in others' namespaces
 * @param onTrouble told when there is no answer for a kind, or the cluster is not the stack's (`cluster.id`); and with
 *   undefined when that is over
 * @param signal ends it
 * @param waiting how each kind's informer waits
 * @throws RunError when the kubeconfig doesn't say which cluster is meant
 */
export function watchCluster(
  settings: Settings,
  members: readonly Member[],
  onChange: () => void,
  onTrouble: (what: string, error: Error | undefined) => void,
  signal: AbortSignal,
  waiting: Partial<InformerWaiting> = {},
): LiveCluster {
  const target = findApiTarget(settings.cluster.context);
  const objects = new LiveObjects(settings, members);
  const unlisted = new Set<string>();
  const troubled = new Set<string>();
  const follow = <T extends KubernetesObject>(
    request: InformerRequest,
    take: (key: string, object: T | undefined) => boolean,
  ): Promise<void> => {
    const { what } = request;
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
          troubled.add(what);
          onTrouble(what, error);
        },
        well: () => {
          troubled.delete(what);
          onTrouble(what, undefined);
        },
      },
      signal,
      waiting,
    );
    return synced.then(() => void unlisted.delete(what));
  };
  /** A refresh of another cluster would show that everything is gone, and Pulumi would forget it all. */
  const identify = ({ metadata }: KubernetesObject) => {
    const strange = anotherCluster(settings, { id: metadata?.uid ?? "" });
    if (strange !== undefined) {
      troubled.add(theCluster);
      onTrouble(theCluster, new RunError(refusalTexts([strange]).join("\n")));
    } else if (troubled.delete(theCluster)) {
      onTrouble(theCluster, undefined);
    }
  };
  let slices: Promise<void> | undefined;
  const followSlices = () => {
    if (slices === undefined && endpointsMatter(members, objects.services)) {
      slices = follow<V1EndpointSlice>(allOf("EndpointSlice"), (key, slice) => objects.putSlice(key, slice));
      slices.then(onChange, ended);
    }
  };
  const lists = [
    follow<KubernetesObject>(allOf("Namespace"), (name, namespace) => {
      if (name === "kube-system" && namespace !== undefined) {
        identify(namespace);
      }
      return objects.putNamespace(name, namespace);
    }),
    follow<V1Service>(allOf("Service"), (key, service) => {
      const matters = objects.putService(key, service);
      if (matters) {
        followSlices();
      }
      return matters;
    }),
    ...watchedKinds(settings, members).map((request) =>
      follow<KubernetesObject>(request, (key, object) => objects.putOwn(request.kind, key, object)),
    ),
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

/** What has been ended has nothing more to say. */
function ended(): void {}
