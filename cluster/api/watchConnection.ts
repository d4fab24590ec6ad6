import type { ReadableStream } from "node:stream/web";
import type { KubernetesObject } from "@kubernetes/client-node";
import { jsonIn } from "../../config/values/maps.ts";
import { DeadlineError, ListError, StatusError } from "./errors.ts";
import type { ApiTarget } from "./kubeconfig/kubeconfig.ts";
import { signIn } from "./kubeconfig/signIn.ts";
import {
  HttpMethod,
  IsomorphicFetchHttpLibrary,
  metadataAs,
  type RequestContext,
  requestTo,
} from "./kubernetesClient.ts";

/** An event of a watch. A bookmark's object has only a version, up to which nothing else has happened. */
export interface WatchEvent<T> {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";
  readonly object: T;
  readonly resourceVersion: string;
}

export interface WatchRequest {
  readonly path: string;
  /** Such as `kubecamp.dev/stack=prod`. Default: all objects. */
  readonly labelSelector?: string;
  /** Such as `metadata.name=isolation`; a right that names the object is then enough. Default: all objects. */
  readonly fieldSelector?: string;
  readonly metadataOnly?: boolean;
}

interface Watcher<T> {
  readonly patience: number;
  readonly silence: number;
  readonly settled: number;
  readonly signal: AbortSignal;
  holds(): void;
  event(event: WatchEvent<T>): void;
}

/** An error event: the changes since the version are not to be had. */
export class ErrorEvent extends StatusError {}

/** A line that is no event: the same version would bring it again. */
export class NoEventError extends ListError {}

/** After which the API server ends a connection, so that no old token goes on; at random, as in client-go. */
const seconds = { least: 300, most: 600 };

/** The client's own Watch ends a connection after half a minute of silence, while bookmarks come once a minute. */
export async function watchOnce<T extends KubernetesObject>(
  target: ApiTarget,
  request: WatchRequest,
  version: string,
  watcher: Watcher<T>,
): Promise<void> {
  const { signal } = watcher;
  const stop = new AbortController();
  const onAbort = () => stop.abort(signal.reason);
  signal.addEventListener("abort", onAbort);
  const context = contextOf(target.server, request, version);
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
    const signedIn = await signIn(target, stop.signal);
    signedIn.equip(context);
    signal.throwIfAborted();
    const { httpStatusCode, body } = await new IsomorphicFetchHttpLibrary().send(context).toPromise();
    if (httpStatusCode !== 200) {
      if (httpStatusCode === 401) {
        signedIn.forget();
      }
      throw new StatusError(httpStatusCode, await body.text(), undefined);
    }
    clearTimeout(late);
    const silence = endAfter(watcher.silence);
    timers.push(silence, setTimeout(hold, watcher.settled).unref());
    for await (const line of linesOf(body.stream(), () => silence.refresh())) {
      const event = eventOf<T>(line);
      // An error thrown in a callback is a bug, and must not look like a broken connection.
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

function contextOf(server: string, request: WatchRequest, resourceVersion: string): RequestContext {
  const { path, labelSelector, fieldSelector, metadataOnly } = request;
  const { least, most } = seconds;
  const query = {
    watch: true,
    resourceVersion,
    labelSelector,
    fieldSelector,
    allowWatchBookmarks: true,
    timeoutSeconds: Math.round(least + Math.random() * (most - least)),
  };
  const context = requestTo(server, HttpMethod.GET, path);
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined) {
      context.setQueryParam(key, String(value));
    }
  }
  context.setHeaderParam("Accept", metadataOnly ? metadataAs("PartialObjectMetadata") : "application/json");
  return context;
}

/** Lines of JSON; other lines, such as a login page's, are skipped. */
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

function parsed(line: string): unknown[] {
  const value = jsonIn(line);
  return value === undefined ? [] : [value];
}

const types: readonly unknown[] = ["ADDED", "MODIFIED", "DELETED", "BOOKMARK"];

function eventOf<T extends KubernetesObject>(line: unknown): WatchEvent<T> {
  const { type, object } = Object(line) as { type?: unknown; object?: unknown };
  if (type === "ERROR") {
    throw new ErrorEvent(Number(Reflect.get(Object(object), "code")), JSON.stringify(object), undefined);
  }
  const { name, resourceVersion } = Object(Object(object).metadata) as { name?: unknown; resourceVersion?: unknown };
  if (
    !types.includes(type) ||
    typeof resourceVersion !== "string" ||
    resourceVersion === "" ||
    (type !== "BOOKMARK" && typeof name !== "string")
  ) {
    throw new NoEventError(`a line of the answer is no event: ${JSON.stringify({ type, object }).slice(0, 100)}`);
  }
  return { type: type as WatchEvent<T>["type"], object: object as T, resourceVersion };
}
