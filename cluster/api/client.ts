import { setTimeout as sleep } from "node:timers/promises";
import { DeadlineError, type Purpose, readError, StatusError, UnknownKindError, writeError } from "./errors.ts";
import type { ApiTarget } from "./kubeconfig/kubeconfig.ts";
import { HttpMethod, IsomorphicFetchHttpLibrary, RequestContext } from "./kubeconfig/kubernetesClient.ts";
import { signIn } from "./kubeconfig/signIn.ts";
import { type ListAt, type Page, pageOf, resourceNames } from "./listItems.ts";
import { allPages } from "./pages.ts";
import { pauseBefore, pauseBeforeWrite } from "./retry.ts";
import { ifUnknown } from "./unknownKinds.ts";

/** How a conversation with an API server waits. Tests wait less. */
export interface Waiting {
  /** For the whole of it, whatever it is that hangs; in milliseconds. */
  readonly patience: number;
  /** After so many milliseconds somebody is told what takes so long, by `tell`. */
  readonly quiet: number;
  readonly notify: (message: string) => void;
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
  /** Ends it early. Default: nothing does. */
  readonly signal?: AbortSignal;
}

export const defaultWaiting: Waiting = {
  patience: 60_000,
  quiet: 2_000,
  notify: () => undefined,
  pause: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }),
};

/** One LIST. */
export interface ListRequest {
  /** For messages, such as `the Namespaces`. */
  readonly what: string;
  /** Such as `/api/v1/namespaces`, with the query if there is one. */
  readonly path: string;
  /** Kind of the items. */
  readonly kind: string;
  /** Whether names, labels and times are enough; the API server then leaves out the rest. */
  readonly metadataOnly?: boolean;
}

/** One write: a POST of a new object, a PUT of a whole one, a PATCH, or a DELETE of all that a path stands for. */
export interface WriteRequest {
  /** What it does, for messages, such as `stop the pods of member 'bob'`. */
  readonly what: string;
  readonly method: "PATCH" | "DELETE" | "POST" | "PUT";
  /** Such as `/api/v1/namespaces/bob/pods`, with the query if there is one. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /**
   * Of the body; it tells the API server which kind of PATCH it is. Default: `application/json`.
   * @see https://kubernetes.io/docs/reference/using-api/api-concepts/#patch-and-apply
   */
  readonly contentType?: string;
}

/**
 * Signs in to an API server, has something done there, and ends whatever is still under way when that is over.
 * @throws RunError saying what was asked of whom, why it failed and what to do
 */
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

/** Asks an API server for lists and writes to it, and has one deadline for all that it does. */
export class ApiServer {
  readonly #target: ApiTarget;
  readonly #waiting: Waiting;
  readonly #purpose: Purpose;
  readonly #http = new IsomorphicFetchHttpLibrary();
  readonly #stop = new AbortController();
  readonly #end: number;
  readonly #timers: readonly NodeJS.Timeout[];
  readonly #signal: AbortSignal;
  #signedIn: ((request: RequestContext) => void) | undefined;
  /** What is under way, and how it goes. */
  readonly #steps = new Map<string, string>();

  constructor(target: ApiTarget, waiting: Waiting, purpose: Purpose) {
    this.#target = target;
    this.#waiting = waiting;
    this.#purpose = purpose;
    this.#end = performance.now() + waiting.patience;
    this.#signal = AbortSignal.any([this.#stop.signal, ...(waiting.signal === undefined ? [] : [waiting.signal])]);
    this.#timers = [
      setTimeout(() => this.#stop.abort(new DeadlineError(waiting.patience)), waiting.patience),
      setTimeout(() => waiting.notify(`Waiting for the API server ${target.server}: ${this.#underWay}`), waiting.quiet),
    ];
  }

  get #underWay(): string {
    return [...this.#steps.values()].join(", ");
  }

  /** Ends whatever is still under way, such as the other lists when one has failed. */
  close(): void {
    this.#timers.forEach(clearTimeout);
    this.#stop.abort();
  }

  /** Gets the credentials, once for all requests: a plugin may open a browser, or take seconds each time. */
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

  /**
   * The items of a list, all of them; none only if the API server says so itself. That they are a `T` is the API
   * server's word: it validates what it stores.
   */
  async list<T>(request: ListRequest): Promise<T[]> {
    return (await this.listAt<T>(request)).items;
  }

  /** Likewise, with the version from which on changes can be watched. */
  async listAt<T>({ what, path, kind, metadataOnly = false }: ListRequest): Promise<ListAt<T>> {
    const subject = `${what} from the API server ${this.#target.server}`;
    return await this.#step(
      what,
      (cause) => readError(subject, cause, this.#purpose),
      async () => {
        const answer = await allPages(path, (page) => this.#page(page, what, kind, metadataOnly)).catch(
          (cause: unknown) => {
            const remedy = ifUnknown(kind);
            throw remedy !== undefined && isNotFound(cause) ? new UnknownKindError(kind, remedy, cause) : cause;
          },
        );
        return answer as ListAt<T>;
      },
    );
  }

  async #page(path: string, what: string, kind: string, metadataOnly: boolean): Promise<Page> {
    const request = this.#request(HttpMethod.GET, path);
    request.setHeaderParam("Accept", metadataOnly ? `${partial},application/json` : "application/json");
    // A LIST changes nothing, so that it can be asked again where that may help.
    return pageOf(await this.#answered(request, what, [200], pauseBefore), kind, metadataOnly);
  }

  /**
   * Whether the API server has a resource, such as `httproutes` of `gateway.networking.k8s.io/v1`. Everybody may ask that,
   * while a LIST of what there is not may be forbidden instead of not found.
   * @see https://kubernetes.io/docs/concepts/overview/kubernetes-api/#discovery-api
   */
  async has(resource: string, groupVersion: string): Promise<boolean> {
    const what = `the resources of ${groupVersion}`;
    return await this.#step(
      what,
      (cause) => readError(`${what} from the API server ${this.#target.server}`, cause, this.#purpose),
      async () => {
        const request = this.#request(HttpMethod.GET, `/apis/${groupVersion}`);
        request.setHeaderParam("Accept", "application/json");
        const answer = await this.#answered(request, what, [200], pauseBefore).catch((cause: unknown) => {
          if (!isNotFound(cause)) {
            throw cause;
          }
        });
        return answer !== undefined && resourceNames(answer).includes(resource);
      },
    );
  }

  /**
   * Done when the API server says so: a deletion may have only begun by then.
   * @returns the answer, as text
   */
  async write({ what, method, path, body, contentType = "application/json" }: WriteRequest): Promise<string> {
    const subject = `${what} on the API server ${this.#target.server}`;
    return await this.#step(
      what,
      (cause) => writeError(subject, cause),
      async () => {
        const request = this.#request(HttpMethod[method], path);
        request.setHeaderParam("Accept", "application/json");
        if (body !== undefined) {
          request.setHeaderParam("Content-Type", contentType);
          request.setBody(JSON.stringify(body));
        }
        return await this.#answered(request, what, [200, 201, 202], pauseBeforeWrite);
      },
    );
  }

  #request(method: HttpMethod, path: string): RequestContext {
    const request = new RequestContext(this.#target.server + path, method);
    request.setHeaderParam("User-Agent", "kubecamp");
    request.setSignal(this.#signal);
    this.#signedIn?.(request);
    return request;
  }

  async #answered(
    request: RequestContext,
    what: string,
    fine: readonly number[],
    pauseFor: typeof pauseBefore,
  ): Promise<string> {
    for (let attempt = 1; ; attempt++) {
      try {
        const { httpStatusCode, headers, body } = await this.#http.send(request).toPromise();
        const text = await body.text();
        if (fine.includes(httpStatusCode)) {
          return text;
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

const isNotFound = (cause: unknown): cause is StatusError => cause instanceof StatusError && cause.code === 404;

const partial = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
