import { setTimeout as sleep } from "node:timers/promises";
import type { KubernetesObject, V1EndpointSlice, V1Service } from "@kubernetes/client-node";
import { type ApiServer, withApiServer } from "../../cluster/api/client.ts";
import { ForbiddenError } from "../../cluster/api/errors.ts";
import {
  type InformerEvents,
  type InformerRequest,
  type InformerWaiting,
  startInformer,
} from "../../cluster/api/informer.ts";
import { type ApiTarget, findApiTarget } from "../../cluster/api/kubeconfig/kubeconfig.ts";
import { pauseInOutage } from "../../cluster/api/retry.ts";
import { allOf, type Kind } from "../../cluster/kinds/kinds.ts";
import { isLeftOutUnread } from "../../cluster/kinds/stackKinds.ts";
import { hasFillIns } from "../../cluster/read/hardware.ts";
import { endpointsMatter } from "../../cluster/read/services.ts";
import type { Configuration } from "../../config/settings.ts";
import { RunError } from "../../config/values/runError.ts";
import { anotherCluster } from "../../plan/decide/obstacles.ts";
import { refusalTexts } from "../../plan/words/catalogue.ts";
import { LiveObjects, type LiveSnapshot } from "./liveObjects.ts";
import { type WatchedKind, watchedKinds } from "./watchedKinds.ts";

export interface LiveEvents {
  /** Something changed that may matter: not a quota's usage or another namespace. */
  onChange(): void;
  /** A kind is unanswered, or the cluster isn't the stack's (`cluster.id`); undefined: that is over. */
  onTrouble(what: string, error: Error | undefined): void;
  /** A kind's connection was cut, after so many that had brought nothing. */
  onCut(what: string, fruitless: number): void;
}

/** The live cluster, as far as it concerns the stack. */
export type LiveCluster = Pick<WatchedCluster, "synced" | "snapshot" | "well">;

/** A kind may not be read, and what needs it is left out (`isLeftOutUnread`). */
export class LeftOutError extends RunError {}

const theCluster = "the stack's cluster";
const fillIns = "whether the API server has MutatingAdmissionPolicies";

/** Watches all that decides what an up would do for the members. @param waiting waiting times of informers */
export function watchCluster(
  stack: Configuration,
  events: LiveEvents,
  signal: AbortSignal,
  waiting: Partial<InformerWaiting> = {},
): LiveCluster {
  return new WatchedCluster(stack, events, signal, waiting);
}

class WatchedCluster {
  /** Resolves when every list has arrived; never if the watch ends before. */
  readonly synced: Promise<void>;
  readonly #stack: Configuration;
  readonly #events: LiveEvents;
  readonly #signal: AbortSignal;
  readonly #waiting: Partial<InformerWaiting>;
  readonly #objects: LiveObjects;
  /** Lists that have not arrived, and lists that are unanswered, by their subjects in messages. */
  readonly #unlisted = new Set<string>();
  readonly #troubled = new Set<string>();
  #slices: Promise<void> | undefined;

  constructor(stack: Configuration, events: LiveEvents, signal: AbortSignal, waiting: Partial<InformerWaiting>) {
    this.#stack = stack;
    this.#events = events;
    this.#signal = signal;
    this.#waiting = waiting;
    // Informers would try again for ever.
    this.#target();
    this.#objects = new LiveObjects(stack);
    const lists = Promise.all(this.#followAll()).then(async () => await this.#slices);
    this.synced = new Promise((resolve) => void lists.then(resolve, ended));
  }

  /** False before the lists have arrived and while any kind is unanswered: nothing may count as absent then. */
  get well(): boolean {
    return this.#unlisted.size + this.#troubled.size === 0;
  }

  /** The last known objects, without those that may not be read and that only some members need. */
  snapshot(): LiveSnapshot {
    return this.#objects.snapshot();
  }

  #target(): ApiTarget {
    return findApiTarget(this.#stack.settings.cluster.context);
  }

  #followAll(): Promise<void>[] {
    return [
      ...(this.#stack.settings.confinement?.fillsIn === true ? [this.#followFillIns()] : []),
      this.#followNamespaces(),
      this.#followServices(),
      ...watchedKinds(this.#stack).map((request) => this.#followOwn(request)),
    ];
  }

  #followNamespaces(): Promise<void> {
    return this.#follow(allOf("Namespace"), (name, namespace) => {
      if (name === "kube-system" && namespace !== undefined) {
        this.#identify(namespace);
      }
      return this.#objects.putNamespace(name, namespace);
    });
  }

  /** On another cluster, a refresh would find everything gone and Pulumi would drop it from its state. */
  #identify({ metadata }: KubernetesObject): void {
    const strange = anotherCluster(this.#stack.settings, { id: metadata?.uid ?? "" });
    if (strange !== undefined) {
      this.#troubled.add(theCluster);
      this.#events.onTrouble(theCluster, new RunError(refusalTexts([strange]).join("\n")));
    } else if (this.#troubled.delete(theCluster)) {
      this.#events.onTrouble(theCluster, undefined);
    }
  }

  #followServices(): Promise<void> {
    return this.#follow<V1Service>(this.#ofMembers("Service"), (key, service) => {
      const matters = this.#objects.putService(key, service);
      if (matters) {
        this.#followSlicesIfNeeded();
      }
      return matters;
    });
  }

  #followSlicesIfNeeded(): void {
    if (this.#slices === undefined && endpointsMatter(this.#stack.members, this.#objects.services)) {
      this.#slices = this.#follow<V1EndpointSlice>(this.#ofMembers("EndpointSlice"), (key, slice) =>
        this.#objects.putSlice(key, slice),
      );
      this.#slices.then(() => this.#events.onChange(), ended);
    }
  }

  /** A cluster may have thousands that are of no member. */
  #ofMembers(kind: "Service" | "EndpointSlice"): InformerRequest {
    return { ...allOf(kind), isMeant: (key) => this.#objects.mayMatter(key) };
  }

  #followOwn(request: WatchedKind): Promise<void> {
    return this.#follow(request, (key, object) => this.#objects.putOwn(request.kind, key, object));
  }

  /** Not every API server has these kinds, and one that does not would never answer. */
  async #followFillIns(): Promise<void> {
    this.#unlisted.add(fillIns);
    const mutates = (await this.#answer((api) => hasFillIns(this.#stack.settings, api))) === true;
    this.#objects.learn({ mutates });
    const own = watchedKinds({ ...this.#stack, mutates }).filter(({ kind }) => kind.startsWith("Mutating"));
    const followed = own.map((request) => this.#followOwn(request));
    this.#unlisted.delete(fillIns);
    await Promise.all(followed);
  }

  /** Follows a list until it has arrived or is left out. @param take stores an object, and says whether that matters */
  async #follow<T extends KubernetesObject>(
    request: InformerRequest,
    take: (key: string, object: T | undefined) => boolean,
  ): Promise<void> {
    const { what } = request;
    const { onChange, onCut } = this.#events;
    const leftOut = Promise.withResolvers<void>();
    this.#unlisted.add(what);
    const events: InformerEvents<T> = {
      change: (key, object) => {
        if (take(key, object)) {
          onChange();
        }
      },
      trouble: (error) => this.#trouble(request, error, leftOut.resolve),
      cut: (fruitless) => onCut(what, fruitless),
      well: () => {
        this.#troubled.delete(what);
        this.#objects.takeIn(what);
        this.#events.onTrouble(what, undefined);
      },
    };
    const options = { ...this.#waiting, signal: this.#signal };
    const { synced } = startInformer<T>(() => this.#target(), request, events, options);
    await Promise.race([synced, leftOut.promise]);
    this.#unlisted.delete(what);
  }

  #trouble({ what, kind }: InformerRequest, error: Error, onLeftOut: () => void): void {
    if (error instanceof ForbiddenError && isLeftOutUnread(kind)) {
      this.#troubled.delete(what);
      this.#objects.leaveOut(what, kind as Kind, error.reason);
      onLeftOut();
      this.#events.onTrouble(what, new LeftOutError(error.message));
    } else {
      this.#troubled.add(what);
      this.#events.onTrouble(what, error);
    }
  }

  /** Asks the API server until it answers, in growing pauses. The informers report the outage. */
  async #answer<T>(ask: (api: ApiServer) => Promise<T>): Promise<T> {
    const signal = this.#signal;
    const { pause = (milliseconds) => sleep(milliseconds, undefined, { signal, ref: false }) } = this.#waiting;
    for (let failures = 0; ; failures++) {
      try {
        return await withApiServer(this.#target(), { pause, signal }, ask, "watch");
      } catch {
        signal.throwIfAborted();
        await pause(pauseInOutage(failures), signal);
      }
    }
  }
}

/** The watch has ended, so that a rejection needs no report. */
function ended(): void {}
