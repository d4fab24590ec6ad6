import type { KubernetesObject } from "@kubernetes/client-node";
import { DeadlineError, ListError, StatusError } from "./errors.ts";
import type { Target } from "./kubeconfig.ts";
import { HttpMethod, KubeConfig, RequestContext, Watch } from "./kubernetesClient.ts";
import { signIn } from "./signIn.ts";

/** What a line of a watch says. A bookmark's object has a version, up to which nothing else has happened, and no more. */
export interface WatchEvent<T> {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";
  readonly object: T;
  readonly resourceVersion: string;
}

/** What is watched, and from which version on. */
export interface WatchRequest {
  readonly path: string;
  readonly labelSelector: string | undefined;
  readonly fieldSelector: string | undefined;
  /** Whether all but an object's metadata is left out. */
  readonly metadataOnly: boolean;
  readonly resourceVersion: string;
}

/** Who is told what, and how long a connection may take, in milliseconds. */
export interface Watcher<T> {
  /** For signing in, and as long again for the beginning of an answer. */
  readonly patience: number;
  /** Without a line for so long, it is dead. */
  readonly silence: number;
  /** It is good when it has held for so long, or told of something. */
  readonly settled: number;
  holds(): void;
  event(event: WatchEvent<T>): void;
}

/**
 * After how many seconds the API server ends a connection, so that none goes on with an old token for ever; at random,
 * so that not all do so at once. As client-go has it.
 */
const seconds = { least: 300, most: 600 };

/**
 * Watches, over one connection that is signed in for. Done when the API server has closed it in peace.
 * @throws whatever else has ended it: another answer than 200, an error event, the network, silence, the signal's reason
 */
export async function watchOnce<T extends KubernetesObject>(
  target: Target,
  request: WatchRequest,
  watcher: Watcher<T>,
  signal: AbortSignal,
): Promise<void> {
  const equip = await within(watcher.patience, signal, (stop) => signIn(target, stop));
  const session = new Session(target.server, equip, request.metadataOnly);
  const ended = Promise.withResolvers<unknown>();
  const onAbort = () => ended.resolve(signal.reason);
  signal.addEventListener("abort", onAbort);
  let state: "new" | "good" | "over" = "new";
  const hold = () => {
    if (state === "new") {
      state = "good";
      watcher.holds();
    }
  };
  const timers: NodeJS.Timeout[] = [];
  try {
    const watch = new Watch(session);
    // Its own half minute is less than the minute between two bookmarks.
    Reflect.set(watch, "requestTimeoutMs", watcher.silence);
    const late = setTimeout(() => ended.resolve(new DeadlineError(watcher.patience)), watcher.patience).unref();
    timers.push(late);
    const { least, most } = seconds;
    const query = {
      resourceVersion: request.resourceVersion,
      labelSelector: request.labelSelector,
      fieldSelector: request.fieldSelector,
      allowWatchBookmarks: true,
      timeoutSeconds: Math.round(least + Math.random() * (most - least)),
    };
    const onLine = (type: unknown, object: unknown) => {
      const event = eventOf<T>(type, object);
      if (event instanceof Error) {
        ended.resolve(event);
        return;
      }
      // What is thrown in here the client would take for a line that can't be read.
      queueMicrotask(() => {
        hold();
        if (state !== "over") {
          watcher.event(event);
        }
      });
    };
    const connected = watch.watch(request.path, query, onLine, ended.resolve);
    connected.then(() => {
      clearTimeout(late);
      timers.push(setTimeout(hold, watcher.settled).unref());
    }, ended.resolve);
    const cause = await ended.promise;
    if (cause !== null || state === "new") {
      throw cause === null ? new ListError("the connection was closed at once.") : causeOf(cause);
    }
  } finally {
    state = "over";
    timers.forEach(clearTimeout);
    signal.removeEventListener("abort", onAbort);
    session.close();
  }
}

/** @see https://kubernetes.io/docs/reference/using-api/api-concepts/#metadata-only-fetches */
const partialObject = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

/** Signed in once, for one connection, which ends with it. */
class Session extends KubeConfig {
  readonly #equip: (request: RequestContext) => void;
  readonly #server: string;
  readonly #metadataOnly: boolean;

  constructor(server: string, equip: (request: RequestContext) => void, metadataOnly: boolean) {
    super();
    this.#metadataOnly = metadataOnly;
    this.#server = server;
    this.#equip = equip;
  }

  override getCurrentCluster() {
    return { name: "", server: this.#server, skipTLSVerify: false };
  }

  override async applySecurityAuthentication(request: RequestContext): Promise<void> {
    request.setHeaderParam("Accept", this.#metadataOnly ? partialObject : "application/json");
    request.setHeaderParam("User-Agent", "kubecamp");
    this.#equip(request);
  }

  close(): void {
    const request = new RequestContext(this.#server, HttpMethod.GET);
    this.#equip(request);
    request
      .getDispatcher()
      ?.destroy()
      .catch(() => undefined);
  }
}

/** Has something done within some milliseconds, or stopped. */
async function within<T>(patience: number, signal: AbortSignal, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new DeadlineError(patience)), patience);
  try {
    return await act(AbortSignal.any([signal, late.signal]));
  } finally {
    clearTimeout(timer);
    // A signal that is made of another is kept for as long as that one lives, unless it was aborted.
    late.abort();
  }
}

const types: readonly unknown[] = ["ADDED", "MODIFIED", "DELETED", "BOOKMARK"];

function eventOf<T extends KubernetesObject>(type: unknown, object: unknown): WatchEvent<T> | Error {
  if (type === "ERROR") {
    return new StatusError(Number(Reflect.get(Object(object), "code")), JSON.stringify(object), undefined);
  }
  const { name, resourceVersion } = Object(Object(object).metadata) as { name?: unknown; resourceVersion?: unknown };
  return types.includes(type) &&
    typeof resourceVersion === "string" &&
    resourceVersion !== "" &&
    (type === "BOOKMARK" || typeof name === "string")
    ? { type: type as WatchEvent<T>["type"], object: object as T, resourceVersion }
    : new ListError(`a line of the answer is no event: ${JSON.stringify({ type, object })?.slice(0, 100)}`);
}

/** The client tells of an answer's status, and not of its words. */
function causeOf(cause: unknown): unknown {
  const { statusCode, message } = Object(cause) as { statusCode?: unknown; message?: unknown };
  return typeof statusCode === "number" ? new StatusError(statusCode, String(message), undefined) : cause;
}
