import { setTimeout as sleep } from "node:timers/promises";
import type { KubernetesObject } from "@kubernetes/client-node";
import { RunError } from "../../config/model/runError.ts";
import { withApiServer } from "./client.ts";
import { ListError, watchError } from "./errors.ts";
import type { ApiTarget } from "./kubeconfig/kubeconfig.ts";
import { type WatchEvent, watchOnce } from "./watchConnection.ts";

/** All objects of a kind, wherever a path has them. */
export interface InformerRequest {
  /** For messages, such as `the Services`. */
  readonly what: string;
  /** Such as `/api/v1/services`, without a query. */
  readonly path: string;
  /** Kind of the items. */
  readonly kind: string;
  /** Such as `kubecamp.dev/stack=prod`. Default: all of them. */
  readonly labelSelector?: string;
  /** Such as `metadata.name=isolation`; a right that names the object is then enough. Default: all of them. */
  readonly fieldSelector?: string;
  /** Whether names, labels and times are enough; the API server then leaves out the rest. */
  readonly metadataOnly?: boolean;
  /** Which of them are kept and told of, by their keys, where no selector can say it. Default: all of them. */
  readonly isMeant?: (key: string) => boolean;
}

/** What becomes known of a kind. None of these may throw: that would be a bug, and ends the process as bugs do. */
export interface InformerEvents<T> {
  /** An object was added (there was none before), changed, or is gone (there is none now). */
  change(key: string, object: T | undefined, before: T | undefined): void;
  /** The API server can't be asked, and is asked again and again; told once for each outage. */
  trouble(error: Error): void;
  /** The outage is over: the cache is as the cluster is. */
  well(): void;
}

/** A kind's objects, as far as they are known. */
export interface Informer<T> {
  /** Resolves when the first list has come. Rejects with the signal's reason, and with nothing else. */
  readonly synced: Promise<void>;
  /** By `namespace/name`, or `name` where the kind is cluster-scoped. Kept through outages as it was last known. */
  readonly items: ReadonlyMap<string, T>;
}

/** How an informer waits, in milliseconds. Tests wait less. */
export interface InformerWaiting {
  /** For one LIST. */
  readonly patience: number;
  /** A connection without a line for so long is taken for dead; the API server sends a bookmark each minute. */
  readonly silence: number;
  /** A connection is taken for good when it has held for so long. */
  readonly settled: number;
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

const defaultWaiting: InformerWaiting = {
  patience: 30_000,
  silence: 90_000,
  settled: 1_000,
  pause: (milliseconds, signal) => sleep(milliseconds, undefined, { signal, ref: false }),
};

const firstPause = 500;
const longestPause = 30_000;

/**
 * Follows all objects of a kind: lists them, watches them from there, and lists them anew whenever a watch did not end as
 * it should. An outage never empties the cache, since only a whole list may say that a thing is gone. Every connection
 * signs in anew, as tokens expire.
 * @param signal ends it
 * @see https://kubernetes.io/docs/reference/using-api/api-concepts/#efficient-detection-of-changes
 */
export function inform<T extends KubernetesObject>(
  target: ApiTarget,
  request: InformerRequest,
  events: InformerEvents<T>,
  signal: AbortSignal,
  waiting: Partial<InformerWaiting> = {},
): Informer<T> {
  const run = new Run(target, request, events, signal, { ...defaultWaiting, ...waiting });
  void run.follow();
  return { synced: run.synced.promise, items: run.items };
}

class Run<T extends KubernetesObject> {
  readonly items = new Map<string, T>();
  readonly synced = Promise.withResolvers<void>();
  readonly #target: ApiTarget;
  readonly #request: InformerRequest;
  readonly #events: InformerEvents<T>;
  readonly #signal: AbortSignal;
  readonly #waiting: InformerWaiting;
  /** Since the last connection that held. */
  #failures = 0;
  /** Whether a connection has held since the last failure. */
  #held = false;
  #inTrouble = false;

  constructor(
    target: ApiTarget,
    request: InformerRequest,
    events: InformerEvents<T>,
    signal: AbortSignal,
    waiting: InformerWaiting,
  ) {
    this.#target = target;
    this.#request = request;
    this.#events = events;
    this.#signal = signal;
    this.#waiting = waiting;
    // Whoever does not wait for it need not handle it either.
    this.synced.promise.catch(() => undefined);
  }

  async follow(): Promise<void> {
    let version: string | undefined;
    while (!this.#signal.aborted) {
      try {
        version = await this.#watch(version ?? (await this.#list()));
      } catch (cause) {
        // Only a list can tell what has happened since.
        version = undefined;
        if (!this.#signal.aborted) {
          this.#failed(cause);
          await this.#pause();
        }
      }
    }
    this.synced.reject(this.#signal.reason);
  }

  /** @returns the version that the list is of */
  async #list(): Promise<string> {
    const { what, path, kind, labelSelector = "", fieldSelector = "", metadataOnly = false } = this.#request;
    const selectors = Object.entries({ labelSelector, fieldSelector }).filter(([, selector]) => selector !== "");
    const query = selectors.map(([key, selector]) => `${key}=${encodeURIComponent(selector)}`).join("&");
    const { items, resourceVersion } = await withApiServer(
      this.#target,
      { patience: this.#waiting.patience, pause: this.#waiting.pause, signal: this.#signal },
      (api) => api.listAt<T>({ what, path: query === "" ? path : `${path}?${query}`, kind, metadataOnly }),
      "watch",
    );
    if (resourceVersion === "") {
      throw new ListError("the answer is a list without a resourceVersion.");
    }
    const live = new Map(items.map((item) => [keyOf(item), item] as const).filter(([key]) => this.#isMeant(key)));
    for (const key of [...this.items.keys()].filter((key) => !live.has(key))) {
      this.#put(key, undefined);
    }
    for (const [key, item] of live) {
      this.#put(key, item);
    }
    this.synced.resolve();
    return resourceVersion;
  }

  /** @returns the version to watch on from, when the API server has ended a connection that was good */
  async #watch(from: string): Promise<string> {
    let version = from;
    const { path, labelSelector, fieldSelector, metadataOnly = false } = this.#request;
    const event = ({ type, object, resourceVersion }: WatchEvent<T>) => {
      version = resourceVersion;
      if (type !== "BOOKMARK" && this.#isMeant(keyOf(object))) {
        this.#put(keyOf(object), type === "DELETED" ? undefined : object);
      }
    };
    const request = { path, labelSelector, fieldSelector, metadataOnly, resourceVersion: from };
    await watchOnce<T>(this.#target, request, { ...this.#waiting, event, holds: () => this.#holds() }, this.#signal);
    return version;
  }

  #isMeant(key: string): boolean {
    return this.#request.isMeant?.(key) ?? true;
  }

  #put(key: string, object: T | undefined): void {
    const before = this.items.get(key);
    if (object === undefined) {
      this.items.delete(key);
    } else if (object.metadata?.resourceVersion !== before?.metadata?.resourceVersion) {
      // Often longer than all the rest.
      delete object.metadata?.managedFields;
      this.items.set(key, object);
    } else {
      return;
    }
    if (object !== before) {
      this.#events.change(key, object, before);
    }
  }

  #holds(): void {
    this.#failures = 0;
    this.#held = true;
    if (this.#inTrouble) {
      this.#inTrouble = false;
      this.#events.well();
    }
  }

  #failed(cause: unknown): void {
    // Whatever breaks a connection that was good is no outage yet: balancers close what is quiet, and old versions expire.
    if (!this.#held && !this.#inTrouble) {
      this.#inTrouble = true;
      const what = `${this.#request.what} from the API server ${this.#target.server}`;
      this.#events.trouble(cause instanceof RunError ? cause : watchError(what, cause));
    }
    this.#held = false;
  }

  async #pause(): Promise<void> {
    const most = Math.min(longestPause, firstPause * 2 ** this.#failures++);
    // At random, so that not all kinds and watches come back at the same moment.
    await this.#waiting.pause(most * (0.5 + Math.random() / 2), this.#signal).catch(() => undefined);
  }
}

function keyOf({ metadata }: KubernetesObject): string {
  const { name = "", namespace } = metadata ?? {};
  return namespace === undefined ? name : `${namespace}/${name}`;
}
