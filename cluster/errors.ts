import { ApiException } from "@kubernetes/client-node";
import { RunError } from "@pulumi/pulumi";

/** Turns what a client threw into a message that says what was asked of whom, why it failed and what to do. */
export function readError(what: string, server: string, cause: unknown): RunError {
  const { reason, remedy } = explain(cause);
  return new RunError(
    `Can't read ${what} from the API server ${server}: ${reason}\n` +
      `Nothing has been touched: without this answer a run would have to guess, and could take live routes for dead.\n${remedy}`,
  );
}

function explain(cause: unknown): { reason: string; remedy: string } {
  if (cause instanceof ApiException) {
    const reason = `${cause.code} ${statusMessage(cause.body)}`.trim();
    if (cause.code === 401) {
      return { reason, remedy: "The credentials in the kubeconfig are not accepted: sign in again, then run again." };
    }
    if (cause.code === 403) {
      return { reason, remedy: "Give the identity in the kubeconfig the right to list them, then run again." };
    }
    return { reason, remedy: "Run again when the API server answers." };
  }
  if (cause instanceof Error && cause.name === "TimeoutError") {
    return { reason: "no answer in time.", remedy: "The API server is slow or hangs: run again when it answers." };
  }
  const reason = innermost(cause);
  return { reason, remedy: "Is the cluster up, and is the kubeconfig's context the right one? Then run again." };
}

/** A Status object as the API server sends it, parsed or not. */
function statusMessage(body: unknown): string {
  const status: unknown = typeof body === "string" ? parsed(body) : body;
  const message: unknown = typeof status === "object" && status !== null ? Reflect.get(status, "message") : undefined;
  return typeof message === "string" ? message : String(body ?? "").slice(0, 200);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** fetch says just "fetch failed"; the cause below says why. */
function innermost(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) {
    return innermost(error.errors[0]);
  }
  if (error instanceof Error) {
    return error.cause === undefined ? error.message || error.name : innermost(error.cause);
  }
  return String(error);
}
