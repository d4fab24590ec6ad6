import type { ReadableStream } from "node:stream/web";
import type { KubernetesObject } from "@kubernetes/client-node";
import { jsonIn } from "../../config/values/maps.ts";
import { RunError } from "../../config/values/runError.ts";
import { firstFew } from "../../config/values/sentences.ts";
import {
  type ApiResource,
  allPages,
  type ListAt,
  objectIn,
  type Page,
  pageOf,
  resourcesIn,
  withoutManagers,
} from "./answers.ts";
import {
  DeadlineError,
  type Purpose,
  readError,
  StatusError,
  TooLongError,
  UnknownKindError,
  writeError,
} from "./errors.ts";
import type { ApiTarget } from "./kubeconfig/kubeconfig.ts";
import { type SignedIn, signIn } from "./kubeconfig/signIn.ts";
import {
  HttpMethod,
  IsomorphicFetchHttpLibrary,
  metadataAs,
  type RequestContext,
  requestTo,
} from "./kubernetesClient.ts";
import {
  type Answer,
  type AskRequest,
  defaultWaiting,
  type GetRequest,
  type ListRequest,
  quiet,
  type Waiting,
  type WriteRequest,
} from "./requests.ts";
import { pauseBefore, pauseBeforeWrite } from "./retry.ts";
import { ifUnknown } from "./unknownKinds.ts";

/** Signs in, calls `work`, and then ends all pending requests. @throws RunError with request, reason and remedy */
export async function withApiServer<T>(
  target: ApiTarget,
  waiting: Partial<Waiting>,
  work: (api: ApiServer) => Promise<T>,
  purpose: Purpose = "run",
): Promise<T> {
  const api = new ApiServer(target, { ...defaultWaiting, ...waiting }, purpose);
  try {
    await api.signIn();
    return await work(api);
  } finally {
    api.close();
  }
}

export class ApiServer {
  readonly #target: ApiTarget;
  readonly #waiting: Waiting;
  readonly #purpose: Purpose;
  readonly #http = new IsomorphicFetchHttpLibrary();
  readonly #stop = new AbortController();
  readonly #end: number;
  readonly #deadline: NodeJS.Timeout;
  #quiet: NodeJS.Timeout;
  readonly #signal: AbortSignal;
  #signedIn: SignedIn | undefined;
  readonly #steps = new Map<string, string>();

  constructor(target: ApiTarget, waiting: Waiting, purpose: Purpose) {
    this.#target = target;
    this.#waiting = waiting;
    this.#purpose = purpose;
    this.#end = performance.now() + waiting.patience;
    this.#signal = AbortSignal.any([this.#stop.signal, ...(waiting.signal === undefined ? [] : [waiting.signal])]);
    this.#deadline = setTimeout(() => this.#stop.abort(new DeadlineError(waiting.patience)), waiting.patience);
    this.#quiet = this.#reportLater();
  }

  /** The caller may wait for something else, such as Pods that end. */
  #reportLater(): NodeJS.Timeout {
    const { notify } = this.#waiting;
    return setTimeout(() => {
      if (this.#steps.size === 0) {
        this.#quiet = this.#reportLater();
      } else {
        notify(`Waiting for the API server ${this.#target.server}: ${firstFew([...this.#steps.values()], 3)}`);
      }
    }, quiet);
  }

  /** Ends pending requests, such as other lists after one has failed. */
  close(): void {
    clearTimeout(this.#deadline);
    clearTimeout(this.#quiet);
    this.#stop.abort();
  }

  /** Gets credentials once for all requests: a plugin may open a browser, or take seconds each time. */
  async signIn(): Promise<void> {
    const what = "the credentials";
    const subject = `${what} in ${this.#target.source} for the API server ${this.#target.server}`;
    await this.#step(
      what,
      (cause) => readError(subject, cause, this.#purpose),
      async () => {
        this.#signedIn = await signIn(this.#target, this.#signal);
      },
    );
  }

  /** All items; empty only if the API server says so. It validates what it stores, so `T` is not checked. */
  async list<T>(request: ListRequest): Promise<T[]> {
    return (await this.listAt<T>(request)).items;
  }

  async listAt<T>(request: ListRequest): Promise<ListAt<T>> {
    const { what, path, kind } = request;
    return await this.#read(what, async () => {
      const answer = await allPages(path, (page, most) => this.#page(page, most, request)).catch((cause: unknown) => {
        const remedy = ifUnknown(kind);
        throw remedy !== undefined && isNotFound(cause) ? new UnknownKindError(kind, remedy, cause) : cause;
      });
      return answer as ListAt<T>;
    });
  }

  async #page(path: string, most: number, asked: ListRequest): Promise<Page> {
    const { what, kind, metadataOnly = false, keep = withoutManagers } = asked;
    const request = this.#request(HttpMethod.GET, path);
    request.setHeaderParam("Accept", metadataOnly ? partial : "application/json");
    const page = pageOf(await this.#answered(request, what, { ...reading, most }), kind, metadataOnly);
    const kept = page.items.map((item) => keep(item as KubernetesObject));
    return { ...page, items: kept.filter((item) => item !== undefined) };
  }

  /** Whether the API server has a resource, such as `httproutes` of `gateway.networking.k8s.io/v1`. */
  async has(resource: string, groupVersion: string): Promise<boolean> {
    return (await this.resources(groupVersion))?.some(({ name }) => name === resource) === true;
  }

  /** Undefined without such a version. Everyone may ask this, while a LIST of an unknown resource may be forbidden. */
  async resources(groupVersion: string): Promise<readonly ApiResource[] | undefined> {
    const what = `the resources of ${groupVersion}`;
    return await this.#read(what, async () => {
      const answer = await this.#found(`/apis/${groupVersion}`, what, "application/json");
      return answer === undefined ? undefined : resourcesIn(answer);
    });
  }

  /** One object, or another answer in JSON; undefined if the API server says that there is none. */
  async get<T>(request: GetRequest<T>): Promise<T | undefined> {
    const { what, path, accept = "application/json", keep = (object) => object as T } = request;
    return await this.#read(what, async () => {
      const answer = await this.#found(path, what, accept);
      return answer === undefined ? undefined : keep(objectIn(answer));
    });
  }

  async #found(path: string, what: string, accept: string): Promise<string | undefined> {
    const request = this.#request(HttpMethod.GET, path);
    request.setHeaderParam("Accept", accept);
    return await this.#answered(request, what, reading).catch((cause: unknown) => {
      if (!isNotFound(cause)) {
        throw cause;
      }
      return undefined;
    });
  }

  /** Resolves with the answer when the API server accepts; a deletion may only have begun by then. */
  async write(request: WriteRequest): Promise<string> {
    const { what } = request;
    return await this.#writing(what, () => this.#answered(this.#written(request), what, writing));
  }

  /**
   * Asks, perhaps as somebody else, and takes a refusal for an answer.
   * @see https://kubernetes.io/docs/reference/access-authn-authz/user-impersonation/
   * @throws RunError if there is no answer
   */
  async ask({ as, inGroup, ...asked }: AskRequest): Promise<Answer> {
    const { what } = asked;
    return await this.#writing(what, async () => {
      const request = this.#written(asked);
      if (as !== undefined) {
        request.setHeaderParam("Impersonate-User", inUtf8(as));
      }
      if (inGroup !== undefined) {
        request.setHeaderParam("Impersonate-Group", inUtf8(inGroup));
      }
      try {
        return { status: 200, body: readable(await this.#answered(request, what, writing)) };
      } catch (cause) {
        if (cause instanceof StatusError) {
          return { status: cause.code, body: readable(cause.body) };
        }
        throw cause;
      }
    });
  }

  async #writing<T>(what: string, act: () => Promise<T>): Promise<T> {
    const subject = `${what} on the API server ${this.#target.server}`;
    return await this.#step(what, (cause) => writeError(subject, cause), act);
  }

  #written({ method, path, body, contentType }: Omit<AskRequest, "as" | "inGroup">): RequestContext {
    const request = this.#request(HttpMethod[method], path);
    request.setHeaderParam("Accept", "application/json");
    if (body !== undefined) {
      const usual = method === "PATCH" ? "application/merge-patch+json" : "application/json";
      request.setHeaderParam("Content-Type", contentType ?? usual);
      request.setBody(JSON.stringify(body));
    }
    return request;
  }

  #request(method: HttpMethod, path: string): RequestContext {
    const request = requestTo(this.#target.server, method, path);
    request.setSignal(this.#signal);
    this.#signedIn?.equip(request);
    return request;
  }

  async #answered(request: RequestContext, what: string, { fine, pauseFor, most }: Manner): Promise<string> {
    for (let attempt = 1; ; attempt++) {
      try {
        const { httpStatusCode, headers, body } = await this.#http.send(request).toPromise();
        const text = await textOf(body, most);
        if (fine.includes(httpStatusCode)) {
          return text;
        }
        if (httpStatusCode === 401) {
          this.#signedIn?.forget();
        }
        throw new StatusError(httpStatusCode, text, headers["retry-after"]);
      } catch (cause) {
        const pause = pauseFor(attempt, cause);
        if (pause === undefined || performance.now() + pause > this.#end) {
          throw cause;
        }
        const why = cause instanceof StatusError ? cause.code : "a lost connection";
        this.#steps.set(what, `${what} (asked again after ${why})`);
        await this.#waiting.pause(pause, this.#signal);
      }
    }
  }

  async #read<T>(what: string, act: () => Promise<T>): Promise<T> {
    const subject = `${what} from the API server ${this.#target.server}`;
    // A caller's own error says what is the matter by itself.
    const reported = (cause: unknown) => (cause instanceof RunError ? cause : readError(subject, cause, this.#purpose));
    return await this.#step(what, reported, act);
  }

  async #step<T>(what: string, reported: (cause: unknown) => Error, act: () => Promise<T>): Promise<T> {
    this.#steps.set(what, what);
    try {
      return await act();
    } catch (cause) {
      throw reported(cause);
    } finally {
      this.#steps.delete(what);
    }
  }
}

interface Manner {
  readonly fine: readonly number[];
  readonly pauseFor: typeof pauseBefore;
  /** Most bytes of the answer that are read. Default: all. */
  readonly most?: number;
}

const reading: Manner = { fine: [200], pauseFor: pauseBefore };
const writing: Manner = { fine: [200, 201, 202], pauseFor: pauseBeforeWrite };

/** Headers are sent as Latin-1, and Kubernetes reads names as UTF-8. */
const inUtf8 = (name: string): string => Buffer.from(name).toString("latin1");

const readable = (text: string): unknown => jsonIn(text) ?? text;

interface Body {
  text(): Promise<string>;
  stream(): ReadableStream<Uint8Array> | null;
}

/** @throws TooLongError if the body has more bytes, of which the rest is then not read */
async function textOf(body: Body, most = Number.POSITIVE_INFINITY): Promise<string> {
  const stream = most === Number.POSITIVE_INFINITY ? null : body.stream();
  if (stream === null) {
    return await body.text();
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // To throw in the loop cancels the stream.
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > most) {
      throw new TooLongError(most);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

const isNotFound = (cause: unknown): cause is StatusError => cause instanceof StatusError && cause.code === 404;

/** An API server that does not know the form answers with whole objects. */
const partial = `${metadataAs("PartialObjectMetadataList")},application/json`;
