import { jsonIn } from "../../config/values/maps.ts";
import { type ErrorParts, RunError } from "../../config/values/runError.ts";
import { innermost, networkRemedy } from "./networkErrors.ts";

export class StatusError extends Error {
  readonly code: number;
  readonly body: string;
  readonly retryAfter: string | undefined;

  constructor(code: number, body: string, retryAfter: string | undefined) {
    // For an unknown path, the API server's whole answer is "404 page not found".
    super(`${code} ${statusMessage(body).replace(new RegExp(`^${code} `), "")}`.trim());
    this.code = code;
    this.body = body;
    this.retryAfter = retryAfter;
  }
}

class RemediedError extends Error {
  readonly remedy: string;

  constructor(reason: string, remedy: string, options?: ErrorOptions) {
    super(reason, options);
    this.remedy = remedy;
  }
}

export class UnknownKindError extends RemediedError {
  constructor(kind: string, remedy: string, cause: StatusError) {
    super(`it does not know the kind ${kind} (${cause.code}).`, remedy, { cause });
  }
}

export class CredentialError extends RemediedError {}

export class DeadApiError extends RemediedError {
  /** @param apis such as `metrics.k8s.io/v1beta1` */
  constructor(apis: readonly string[]) {
    const services = apis.map((api) => api.split("/").reverse().join("."));
    super(
      `the server of API ${apis.join(", ")} does not answer (APIService ${services.join(", ")}).`,
      "See why: kubectl get apiservices. Repair it, then run again. If its server was uninstalled: " +
        `kubectl delete apiservice ${services.join(" ")}`,
    );
  }
}

export class ListError extends Error {}

export class TooLongError extends Error {
  constructor(most: number) {
    super(`the answer has more than ${most / 2 ** 20} MiB.`);
  }
}

/** The identity may not read something; `reason` has the API server's words. */
export class ForbiddenError extends RunError {
  readonly reason: string;

  constructor(what: string, { why, remedy }: Required<ErrorParts>) {
    super(what, { why, remedy });
    this.reason = why;
  }
}

/** The object of a write was changed or deleted after it was read. */
export class OvertakenError extends RunError {}

/** A write may have been carried out: no answer refuses it. */
export class UnconfirmedError extends RunError {}

/** Reason for reading a cluster: a run that is about to change it, an overview or check, or a continuous watch. */
export type Purpose = "run" | "overview" | "watch";

export class DeadlineError extends Error {
  constructor(patience: number) {
    super(`not done within ${patience / 1000} seconds.`);
  }
}

/** @param purpose for a run, the message adds that nothing was changed */
export function readError(what: string, cause: unknown, purpose: Purpose = "run"): RunError {
  const { reason, remedy } = explain(cause, "list them");
  if (purpose === "watch") {
    return unanswered("read", what, { reason, remedy }, isForbidden(cause));
  }
  const guess = ": without this answer a run would have to guess, and could take live routes for dead";
  const untouched = `Nothing was changed${cause instanceof DeadApiError ? "" : guess}.\n`;
  const parts = { why: reason, remedy: `${purpose === "run" ? untouched : ""}${remedy}` };
  return isForbidden(cause)
    ? new ForbiddenError(`Can't read ${what}`, parts)
    : new RunError(`Can't read ${what}`, parts);
}

const isForbidden = (cause: unknown) => cause instanceof StatusError && cause.code === 403;

/** @param what such as `stop the pods of member 'bob' on the API server https://…` */
export function writeError(what: string, cause: unknown): RunError {
  if (cause instanceof StatusError && overtaken.includes(cause.code)) {
    const remedy = "Somebody else changed or deleted it in the meantime: run again.";
    return new OvertakenError(`Can't ${what}`, { why: cause.message, remedy });
  }
  const { reason, remedy } = explain(cause, "do that");
  const parts = { why: reason, remedy };
  const isRefused = cause instanceof StatusError && cause.code < 500;
  return isRefused ? new RunError(`Can't ${what}`, parts) : new UnconfirmedError(`Can't ${what}`, parts);
}

export function watchError(what: string, cause: unknown): RunError {
  return unanswered("watch", what, explain(cause, "watch them"), isForbidden(cause));
}

function unanswered(verb: string, what: string, { reason, remedy }: Explanation, isForbidden: boolean): RunError {
  const again = "What was known stays as it is, and it is tried again by itself.";
  const parts = { why: reason, remedy: [again, withoutRunning(remedy)].join("\n").trim() };
  const text = `Can't ${verb} ${what}`;
  return isForbidden ? new ForbiddenError(text, parts) : new RunError(text, parts);
}

/** The remedy without "run again", for watches, which retry by themselves. */
export function withoutRunning(remedy: string): string {
  return remedy
    .replace(/^Run again [^.]*\.$/, "")
    .replace(/(, then run again|: run again[^.]*)\.|(?<=\?) Then run again\./, (_, clause) =>
      clause === undefined ? "" : ".",
    );
}

const overtaken = [404, 409];

interface Explanation {
  readonly reason: string;
  readonly remedy: string;
}

/** @param right the right that an identity with a 403 lacks */
function explain(cause: unknown, right: string): Explanation {
  if (cause instanceof RemediedError) {
    return { reason: cause.message, remedy: cause.remedy };
  }
  if (cause instanceof StatusError) {
    return { reason: cause.message, remedy: statusRemedy(cause.code, right) };
  }
  if (cause instanceof ListError) {
    return {
      reason: cause.message,
      remedy: "Does a login page or a proxy answer in the API server's place? See that kubectl works, then run again.",
    };
  }
  if (cause instanceof DeadlineError) {
    return { reason: cause.message, remedy: "That step is slow or hangs: run again when it answers." };
  }
  const remedy = networkRemedy(cause) ?? "See that kubectl works with this kubeconfig, then run again.";
  return { reason: innermost(cause), remedy };
}

function statusRemedy(code: number, right: string): string {
  switch (code) {
    case 401:
      return "The credentials in the kubeconfig are not accepted, or have expired: sign in again, then run again.";
    case 403:
      return `Give the identity in the kubeconfig the right to ${right}, then run again.`;
    case 404:
      return "No Kubernetes API is there: correct the server in the kubeconfig, or choose another context, then run again.";
    case 422:
      return "The API server or a policy of the cluster does not allow that: correct what it names, then run again.";
    case 429:
      return "The API server has too much to do: run again later.";
    default:
      return "Run again when the API server answers.";
  }
}

function statusMessage(body: string): string {
  const { message } = Object(jsonIn(body)) as { message?: unknown };
  return typeof message === "string" ? message : body.trim().slice(0, 200);
}

export function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}
