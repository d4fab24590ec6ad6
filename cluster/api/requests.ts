import { setTimeout as sleep } from "node:timers/promises";
import type { KubernetesObject } from "@kubernetes/client-node";

/** Time limits of requests to an API server. Tests use shorter ones. */
export interface Waiting {
  /** Time limit for all requests together, in milliseconds. */
  readonly patience: number;
  /** Reports the pending steps once they take long; where nothing is pending then, it looks again as much later. */
  readonly notify: (message: string) => void;
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
  readonly signal?: AbortSignal;
}

/** Milliseconds without a report of the pending steps. */
export const quiet = 2_000;

export const defaultWaiting: Waiting = {
  patience: 60_000,
  notify: () => undefined,
  pause: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }),
};

export interface ListRequest {
  /** Subject for messages, such as `the Namespaces`. */
  readonly what: string;
  readonly path: string;
  readonly kind: string;
  /** Whether names, labels and times are enough; the API server then omits the rest. */
  readonly metadataOnly?: boolean;
  /** What is kept of an item, or undefined, asked page by page: hundreds of large objects take too much memory. */
  readonly keep?: (item: KubernetesObject) => unknown;
}

export interface GetRequest<T> {
  readonly what: string;
  readonly path: string;
  readonly accept?: string;
  /** Makes of the answer what is kept of it, or throws an error that is then told. Default: all of it. */
  readonly keep?: (answer: object) => T;
}

export interface WriteRequest {
  /** Purpose for messages, such as `stop the pods of member 'bob'`. */
  readonly what: string;
  readonly method: "PATCH" | "DELETE" | "POST" | "PUT";
  readonly path: string;
  readonly body?: unknown;
  /** Default: `application/json`, and for a PATCH, whose kind it selects, a JSON merge patch. */
  readonly contentType?: string;
}

/** A request whose refusal is an answer, too. */
export interface AskRequest extends Omit<WriteRequest, "method"> {
  readonly method: WriteRequest["method"] | "GET";
  /** Whom the API server is to take the caller for. Default: the kubeconfig's identity. */
  readonly as?: string;
  /** The group that the API server is to take `as` to be in. Default: none of its own. */
  readonly inGroup?: string;
}

export interface Answer {
  readonly status: number;
  /** The object, the list, or the Status of a refusal; a text if it is no JSON. */
  readonly body: unknown;
}
