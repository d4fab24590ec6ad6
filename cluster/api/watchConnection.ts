import type { ReadableStream } from "node:stream/web";
import type { KubernetesObject } from "@kubernetes/client-node";
import { jsonIn } from "../../config/model/json.ts";
import { DeadlineError, ListError, StatusError } from "./errors.ts";
import type { ApiTarget } from "./kubeconfig/kubeconfig.ts";
import { HttpMethod, IsomorphicFetchHttpLibrary, RequestContext } from "./kubeconfig/kubernetesClient.ts";
import { signIn } from "./kubeconfig/signIn.ts";

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
 * Watches, over one connection that is signed in for. Done when the API server has closed it in peace. The client's own
 * Watch ends each connection after a half minute of silence, which is less than the minute between two bookmarks.
 * @throws whatever else has ended it: another answer than 200, an error event, the network, silence, the signal's reason
 */
export async function watchOnce<T extends KubernetesObject>(
  target: ApiTarget,
  request: WatchRequest,
  watcher: Watcher<T>,
  signal: AbortSignal,
): Promise<void> {
  const equip = await within(watcher.patience, signal, (stop) => signIn(target, stop));
  const stop = new AbortController();
  const onAbort = () => stop.abort(signal.reason);
  signal.addEventListener("abort", onAbort);
  const context = contextOf(target.server, request);
  equip(context);
  context.setSignal(stop.signal);
  const endAfter = (milliseconds: number) =>
    setTimeout(() => stop.abort(new DeadlineError(milliseconds)), milliseconds).unref();
  let state: "new" | "good" | "over" = "new";
  const hold = () => {
    if (state === "new") {
      state = "good";
      watcher.holds();
    }
  };
  const late = endAfter(watcher.patience);
  const timers = [late];
  try {
    signal.throwIfAborted();
    const { httpStatusCode, body } = await new IsomorphicFetchHttpLibrary().send(context).toPromise();
    if (httpStatusCode !== 200) {
      throw new StatusError(httpStatusCode, await body.text(), undefined);
    }
    clearTimeout(late);
    const silence = endAfter(watcher.silence);
    timers.push(silence, setTimeout(hold, watcher.settled).unref());
    for await (const line of linesOf(body.stream(), () => silence.refresh())) {
      const event = eventOf<T>(line);
      // What is thrown in there is a bug, and no end of the connection.
      queueMicrotask(() => {
        hold();
        if (state !== "over") {
          watcher.event(event);
        }
      });
    }
    if (state === "new") {
      throw new ListError("the connection was closed at once.");
    }
  } finally {
    state = "over";
    timers.forEach(clearTimeout);
    signal.removeEventListener("abort", onAbort);
    context
      .getDispatcher()
      ?.destroy()
      .catch(() => undefined);
  }
}

/** @see https://kubernetes.io/docs/reference/using-api/api-concepts/#metadata-only-fetches */
const partialObject = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

function contextOf(server: string, request: WatchRequest): RequestContext {
  const { path, labelSelector, fieldSelector, metadataOnly, resourceVersion } = request;
  const { least, most } = seconds;
  const query = {
    watch: true,
    resourceVersion,
    labelSelector,
    fieldSelector,
    allowWatchBookmarks: true,
    timeoutSeconds: Math.round(least + Math.random() * (most - least)),
  };
  const context = new RequestContext(server + path, HttpMethod.GET);
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined) {
      context.setQueryParam(key, String(value));
    }
  }
  context.setHeaderParam("Accept", metadataOnly ? partialObject : "application/json");
  context.setHeaderParam("User-Agent", "kubecamp");
  return context;
}

/** Lines of JSON. What is none, such as a login page's, is passed over. */
async function* linesOf(body: ReadableStream<Uint8Array> | null, onData: () => void): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body ?? []) {
    onData();
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines.flatMap(parsed);
  }
  yield* parsed(rest);
}

/** @returns none or one */
function parsed(line: string): unknown[] {
  const value = jsonIn(line);
  return value === undefined ? [] : [value];
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

/** @throws StatusError or ListError when it is none */
function eventOf<T extends KubernetesObject>(line: unknown): WatchEvent<T> {
  const { type, object } = Object(line) as { type?: unknown; object?: unknown };
  if (type === "ERROR") {
    throw new StatusError(Number(Reflect.get(Object(object), "code")), JSON.stringify(object), undefined);
  }
  const { name, resourceVersion } = Object(Object(object).metadata) as { name?: unknown; resourceVersion?: unknown };
  if (
    !types.includes(type) ||
    typeof resourceVersion !== "string" ||
    resourceVersion === "" ||
    (type !== "BOOKMARK" && typeof name !== "string")
  ) {
    throw new ListError(`a line of the answer is no event: ${JSON.stringify({ type, object }).slice(0, 100)}`);
  }
  return { type: type as WatchEvent<T>["type"], object: object as T, resourceVersion };
}
