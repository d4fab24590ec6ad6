import { setTimeout as sleep } from "node:timers/promises";
import { HttpMethod, IsomorphicFetchHttpLibrary, RequestContext } from "@kubernetes/client-node";
import { DeadlineError, readError, StatusError } from "./errors.ts";
import type { Target } from "./kubeconfig.ts";
import { itemsOf } from "./listItems.ts";
import { pauseBefore } from "./retry.ts";
import { signIn } from "./signIn.ts";

/** How a read waits. Tests wait less. */
export interface Waiting {
  /** For the whole read, whatever it is that hangs; in milliseconds. */
  readonly patience: number;
  /** After so many milliseconds somebody is told what takes so long, by `tell`. */
  readonly quiet: number;
  readonly tell: (message: string) => void;
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

export const defaultWaiting: Waiting = {
  patience: 60_000,
  quiet: 2_000,
  tell: () => undefined,
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

/** Asks an API server for lists, and has one deadline for all that it does. */
export class ApiServer {
  readonly #target: Target;
  readonly #waiting: Waiting;
  readonly #http = new IsomorphicFetchHttpLibrary();
  readonly #stop = new AbortController();
  readonly #end: number;
  readonly #timers: readonly NodeJS.Timeout[];
  #signedIn: ((request: RequestContext) => void) | undefined;
  /** What is under way, and how it goes. */
  readonly #steps = new Map<string, string>();

  constructor(target: Target, waiting: Waiting) {
    this.#target = target;
    this.#waiting = waiting;
    this.#end = performance.now() + waiting.patience;
    this.#timers = [
      setTimeout(() => this.#stop.abort(new DeadlineError(waiting.patience)), waiting.patience),
      setTimeout(() => waiting.tell(`Waiting for the API server ${target.server}: ${this.#underWay}`), waiting.quiet),
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

  /** Gets the credentials, once for all lists: a plugin may open a browser, or take seconds each time. */
  async signIn(): Promise<void> {
    this.#signedIn = await this.#named("the credentials", `in ${this.#target.source} for`, () =>
      signIn(this.#target, this.#stop.signal),
    );
  }

  /**
   * The items of a list, all of them; none only if the API server says so itself. That they are a `T` is the API
   * server's word: it validates what it stores.
   */
  async list<T>({ what, path, kind, metadataOnly = false }: ListRequest): Promise<T[]> {
    return await this.#named(what, "from", async () => {
      const request = new RequestContext(this.#target.server + path, HttpMethod.GET);
      request.setHeaderParam("Accept", metadataOnly ? `${partial},application/json` : "application/json");
      request.setHeaderParam("User-Agent", "kubecamp");
      request.setSignal(this.#stop.signal);
      this.#signedIn?.(request);
      return itemsOf(await this.#answered(request, what), kind, metadataOnly) as T[];
    });
  }

  /** A LIST changes nothing, so that it can be asked again where that may help. */
  async #answered(request: RequestContext, what: string): Promise<string> {
    for (let attempt = 1; ; attempt++) {
      try {
        const { httpStatusCode, headers, body } = await this.#http.send(request).toPromise();
        const text = await body.text();
        if (httpStatusCode === 200) {
          return text;
        }
        throw new StatusError(httpStatusCode, text, headers["retry-after"]);
      } catch (cause) {
        const pause = pauseBefore(attempt, cause);
        if (pause === undefined || performance.now() + pause > this.#end) {
          throw cause;
        }
        const why = cause instanceof StatusError ? cause.code : "a lost connection";
        this.#steps.set(what, `${what} (asked again after ${why})`);
        await this.#waiting.pause(pause, this.#stop.signal);
      }
    }
  }

  async #named<T>(what: string, where: string, act: () => Promise<T>): Promise<T> {
    this.#steps.set(what, what);
    try {
      return await act();
    } catch (cause) {
      throw readError(`${what} ${where} the API server ${this.#target.server}`, cause);
    } finally {
      this.#steps.delete(what);
    }
  }
}

const partial = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
