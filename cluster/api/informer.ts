import { setTimeout as sleep } from "node:timers/promises";
import type { KubernetesObject } from "@kubernetes/client-node";
import { RunError } from "../../config/values/runError.ts";
import { withoutManagers } from "./answers.ts";
import { withApiServer } from "./client.ts";
import { ForbiddenError, ListError, StatusError, watchError, withoutRunning } from "./errors.ts";
import type { ApiTarget } from "./kubeconfig/kubeconfig.ts";
import { pauseBefore, pauseInOutage } from "./retry.ts";
import { ErrorEvent, NoEventError, type WatchEvent, type WatchRequest, watchOnce } from "./watchConnection.ts";

export interface InformerRequest extends WatchRequest {
  readonly what: string;
  readonly kind: string;
  /** Filter by key; other objects are neither kept nor reported. Default: all objects. */
  readonly isMeant?: (key: string) => boolean;
}

/** Callbacks about a kind. They must not throw: that would be a bug, and end the process. */
export interface InformerEvents<T> {
  /** An object was added (`before` is undefined), changed, or deleted (`object` is undefined). */
  change(key: string, object: T | undefined, before: T | undefined): void;
  /** Called once for each outage, which is tried again, and once more if a right turns out to be missing. */
  trouble(error: Error): void;
  /** A good connection was cut, and a new one goes on; `fruitless` in a row, until this one, had brought nothing. */
  cut?(fruitless: number): void;
  well(): void;
}

export interface Informer<T> {
  /** Resolves after the first list. Rejects only with the signal's reason. */
  readonly synced: Promise<void>;
  /** Objects by `namespace/name`, or by `name` if cluster-scoped. An outage leaves them unchanged. */
  readonly items: ReadonlyMap<string, T>;
}

/** In milliseconds; tests use shorter times. */
export interface InformerWaiting {
  readonly patience: number;
  /** Time without a line after which a connection counts as dead; the API server sends a bookmark each minute. */
  readonly silence: number;
  readonly settled: number;
  /** Time after which a connection was worth it, though it has brought nothing: the next one follows soon. */
  readonly lasting: number;
  /** Time without an event after which a list comes first: after a restore of etcd, a server may be silent for ever. */
  readonly unheard: number;
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

const defaultWaiting: InformerWaiting = {
  patience: 30_000,
  silence: 90_000,
  settled: 1_000,
  lasting: 10_000,
  unheard: 600_000,
  pause: (milliseconds, signal) => sleep(milliseconds, undefined, { signal, ref: false }),
};

/** Answers of an API server to a watch after which another may go on from the same version. */
const passing = [401, 403, 429, 500, 502, 503, 504];

/** Number of lists in a row, each with a watch that knows its version no more, that are no outage yet. */
const fewTries = 4;

const needsList = (cause: unknown) =>
  cause instanceof ErrorEvent ||
  cause instanceof NoEventError ||
  (cause instanceof StatusError && !passing.includes(cause.code));

/**
 * Follows all objects of a kind: lists them, and watches from there. After a cut, the next connection goes on from the
 * last version; only one that the API server no longer has needs another list. An outage never empties the cache, since
 * only a complete list shows that an object is gone. Each connection signs in anew, because tokens expire. (The
 * client's own informer signs in once, has no limit for silence and pauses, and loads all models.)
 */
export function startInformer<T extends KubernetesObject>(
  target: () => ApiTarget,
  request: InformerRequest,
  events: InformerEvents<T>,
  options: Partial<InformerWaiting> & { readonly signal: AbortSignal },
): Informer<T> {
  const run = new Run(target, request, events, { ...defaultWaiting, ...options });
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
  /** Version from which on to watch; undefined if a list has to come first. */
  #version: string | undefined;
  /** When the API server sent the version. */
  #heard = 0;
  /** Number of connections and lists in a row that have brought nothing. */
  #fruitless = 0;
  #held = false;
  #trouble: RunError | undefined;
  #server = "";

  constructor(
    target: () => ApiTarget,
    request: InformerRequest,
    events: InformerEvents<T>,
    options: InformerWaiting & { readonly signal: AbortSignal },
  ) {
    this.#findTarget = target;
    this.#request = request;
    this.#events = events;
    this.#waiting = options;
    this.#signal = options.signal;
    // Prevents an unhandled rejection if nobody waits for it.
    this.synced.promise.catch(() => undefined);
  }

  async follow(): Promise<void> {
    while (!this.#signal.aborted) {
      this.#held = false;
      try {
        if (performance.now() - this.#heard > this.#waiting.unheard) {
          this.#version = undefined;
        }
        this.#version ??= await this.#list();
        await this.#watch(this.#version);
      } catch (cause) {
        if (!this.#signal.aborted) {
          this.#failed(cause);
        }
      }
      await this.#waiting.pause(pauseInOutage(this.#fruitless++), this.#signal).catch(() => undefined);
    }
    this.synced.reject(this.#signal.reason);
  }

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
    this.#heard = performance.now();
    this.synced.resolve();
    return resourceVersion;
  }

  async #watch(from: string): Promise<void> {
    const event = ({ type, object, resourceVersion }: WatchEvent<T>) => {
      this.#version = resourceVersion;
      this.#heard = performance.now();
      this.#fruitless = 0;
      if (type !== "BOOKMARK" && this.#isMeant(keyOf(object))) {
        this.#put(keyOf(object), type === "DELETED" ? undefined : object);
      }
    };
    const watcher = { ...this.#waiting, signal: this.#signal, event, holds: () => this.#holds() };
    const began = performance.now();
    try {
      await watchOnce<T>(this.#target(), this.#request, from, watcher);
    } finally {
      if (performance.now() - began >= this.#waiting.lasting) {
        this.#fruitless = 0;
      }
    }
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
    this.#held = true;
    if (this.#trouble !== undefined) {
      this.#trouble = undefined;
      this.#events.well();
    }
  }

  #failed(cause: unknown): void {
    // An old version is no trouble, a command's credentials are renewed, and a load balancer's 502 may pass.
    const mayBeRenewed = cause instanceof StatusError && cause.code === 401 && this.#fruitless < 2;
    let isTried = mayBeRenewed || pauseBefore(this.#fruitless + 1, cause) !== undefined;
    if (needsList(cause)) {
      this.#version = undefined;
      isTried = this.#fruitless < fewTries;
    } else if (this.#held) {
      // Load balancers close idle connections.
      this.#events.cut?.(this.#fruitless);
    }
    if (this.#held || isTried) {
      return;
    }
    const what = `${this.#request.what} from the API server ${this.#server}`;
    const error = cause instanceof RunError ? withoutAgain(cause) : watchError(what, cause);
    const isForbiddenNow = error instanceof ForbiddenError && !(this.#trouble instanceof ForbiddenError);
    if (this.#trouble === undefined || isForbiddenNow) {
      this.#trouble = error;
      this.#events.trouble(error);
    }
  }
}

const withoutAgain = (error: RunError) =>
  error instanceof ForbiddenError ? error : new RunError(withoutRunning(error.message));

function keyOf({ metadata }: KubernetesObject): string {
  const { name = "", namespace } = metadata ?? {};
  return namespace === undefined ? name : `${namespace}/${name}`;
}
