import { setTimeout as sleep } from "node:timers/promises";
import type { KubernetesObject } from "@kubernetes/client-node";
import { RunError } from "../../config/model/runError.ts";
import { withApiServer } from "./client.ts";
import { ForbiddenError, ListError, watchError, withoutRunning } from "./errors.ts";
import { withoutManagers } from "./fieldManagers.ts";
import type { ApiTarget } from "./kubeconfig/kubeconfig.ts";
import { pauseInOutage } from "./retry.ts";
import { type WatchEvent, watchOnce } from "./watchConnection.ts";

/** Objects of a kind to follow. */
export interface InformerRequest {
  /** Subject for messages, such as `the Services`. */
  readonly what: string;
  /** Such as `/api/v1/services`, without a query. */
  readonly path: string;
  /** Kind of the items. */
  readonly kind: string;
  /** Such as `kubecamp.dev/stack=prod`. Default: all objects. */
  readonly labelSelector?: string;
  /** Such as `metadata.name=isolation`; a right that names the object is then enough. Default: all objects. */
  readonly fieldSelector?: string;
  /** Whether names, labels and times are enough; the API server then omits the rest. */
  readonly metadataOnly?: boolean;
  /**
   * Filter by key, where no selector can express it; other objects are neither kept nor reported. Default: all objects.
   */
  readonly isMeant?: (key: string) => boolean;
}

/** Callbacks about a kind. They must not throw: that would be a bug, and end the process. */
interface InformerEvents<T> {
  /** An object was added (`before` is undefined), changed, or deleted (`object` is undefined). */
  change(key: string, object: T | undefined, before: T | undefined): void;
  /** The API server can't be reached, and is tried again; called once for each outage. */
  trouble(error: Error): void;
  /** The outage is over, and the cache matches the cluster. */
  well(): void;
}

/** The known objects of a kind. */
export interface Informer<T> {
  /** Resolves after the first list. Rejects only with the signal's reason. */
  readonly synced: Promise<void>;
  /** Objects by `namespace/name`, or by `name` if cluster-scoped. An outage leaves them unchanged. */
  readonly items: ReadonlyMap<string, T>;
}

/** Time limits of an informer, in milliseconds. Tests use shorter ones. */
export interface InformerWaiting {
  /** Time limit for one LIST. */
  readonly patience: number;
  /** Time without a line after which a connection counts as dead; the API server sends a bookmark each minute. */
  readonly silence: number;
  /** Time after which an open connection counts as good. */
  readonly settled: number;
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

const defaultWaiting: InformerWaiting = {
  patience: 30_000,
  silence: 90_000,
  settled: 1_000,
  pause: (milliseconds, signal) => sleep(milliseconds, undefined, { signal, ref: false }),
};

/**
 * Follows all objects of a kind: lists them, watches from there, and lists again after a watch ends abnormally. An
 * outage never empties the cache, since only a complete list shows that an object is gone. Each connection signs in
 * anew, because tokens expire.
 * @param target finds the API server, and is called for each connection: credentials are renewed in the kubeconfig too
 * @param signal ends it
 * @see https://kubernetes.io/docs/reference/using-api/api-concepts/#efficient-detection-of-changes
 */
export function inform<T extends KubernetesObject>(
  target: () => ApiTarget,
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
  readonly #findTarget: () => ApiTarget;
  readonly #request: InformerRequest;
  readonly #events: InformerEvents<T>;
  readonly #signal: AbortSignal;
  readonly #waiting: InformerWaiting;
  /** Number of failures since the last good connection. */
  #failures = 0;
  /** Whether a connection was good since the last failure. */
  #held = false;
  #inTrouble = false;
  /** The API server that was asked last, for messages. */
  #server = "";

  constructor(
    target: () => ApiTarget,
    request: InformerRequest,
    events: InformerEvents<T>,
    signal: AbortSignal,
    waiting: InformerWaiting,
  ) {
    this.#findTarget = target;
    this.#request = request;
    this.#events = events;
    this.#signal = signal;
    this.#waiting = waiting;
    // Prevents an unhandled rejection if nobody waits for it.
    this.synced.promise.catch(() => undefined);
  }

  async follow(): Promise<void> {
    let version: string | undefined;
    while (!this.#signal.aborted) {
      try {
        version = await this.#watch(version ?? (await this.#list()));
      } catch (cause) {
        // Only a list can show the changes since then.
        version = undefined;
        if (!this.#signal.aborted) {
          this.#failed(cause);
          await this.#pause();
        }
      }
    }
    this.synced.reject(this.#signal.reason);
  }

  /** @returns the version of the list */
  async #list(): Promise<string> {
    const { what, path, kind, labelSelector = "", fieldSelector = "", metadataOnly = false } = this.#request;
    const selectors = Object.entries({ labelSelector, fieldSelector }).filter(([, selector]) => selector !== "");
    const query = selectors.map(([key, selector]) => `${key}=${encodeURIComponent(selector)}`).join("&");
    const keep = (item: KubernetesObject) => (this.#isMeant(keyOf(item)) ? withoutManagers(item) : undefined);
    const { items, resourceVersion } = await withApiServer(
      this.#target(),
      { patience: this.#waiting.patience, pause: this.#waiting.pause, signal: this.#signal },
      (api) => api.listAt<T>({ what, path: query === "" ? path : `${path}?${query}`, kind, metadataOnly, keep }),
      "watch",
    );
    if (resourceVersion === "") {
      throw new ListError("the answer is a list without a resourceVersion.");
    }
    const live = new Map(items.map((item) => [keyOf(item), item] as const));
    for (const key of [...this.items.keys()].filter((key) => !live.has(key))) {
      this.#put(key, undefined);
    }
    for (const [key, item] of live) {
      this.#put(key, item);
    }
    this.synced.resolve();
    return resourceVersion;
  }

  /** @returns the version to continue from, after the API server ended a good connection */
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
    await watchOnce<T>(this.#target(), request, { ...this.#waiting, event, holds: () => this.#holds() }, this.#signal);
    return version;
  }

  #target(): ApiTarget {
    const target = this.#findTarget();
    this.#server = target.server;
    return target;
  }

  #isMeant(key: string): boolean {
    return this.#request.isMeant?.(key) ?? true;
  }

  #put(key: string, object: T | undefined): void {
    const before = this.items.get(key);
    if (object === undefined) {
      this.items.delete(key);
    } else if (object.metadata?.resourceVersion !== before?.metadata?.resourceVersion) {
      this.items.set(key, withoutManagers(object));
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
    // A good connection that breaks is no outage yet: load balancers close idle ones, and old versions expire.
    if (!this.#held && !this.#inTrouble) {
      this.#inTrouble = true;
      const what = `${this.#request.what} from the API server ${this.#server}`;
      const error = cause instanceof RunError ? withoutAgain(cause) : watchError(what, cause);
      this.#events.trouble(error);
    }
    this.#held = false;
  }

  async #pause(): Promise<void> {
    await this.#waiting.pause(pauseInOutage(this.#failures++), this.#signal).catch(() => undefined);
  }
}

const withoutAgain = (error: RunError) =>
  error instanceof ForbiddenError ? error : new RunError(withoutRunning(error.message));

function keyOf({ metadata }: KubernetesObject): string {
  const { name = "", namespace } = metadata ?? {};
  return namespace === undefined ? name : `${namespace}/${name}`;
}
