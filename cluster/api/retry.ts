import { StatusError } from "./errors.ts";
import { codesOf } from "./networkErrors.ts";

const attempts = 5;
/** In milliseconds; doubles after each failure. */
const firstPause = 500;
/** Statuses of overload, of an API server that starts or stops, and of load balancers. */
const passingStatuses = [429, 500, 502, 503, 504];
/** Codes of a connection that broke. A refused connection is not retried, because no server is there. */
const brokenConnections = ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"];

export function pauseBefore(attempt: number, cause: unknown): number | undefined {
  const mayPass =
    cause instanceof StatusError
      ? passingStatuses.includes(cause.code)
      : codesOf(cause).some((code) => brokenConnections.includes(code));
  if (!mayPass || attempt >= attempts) {
    return undefined;
  }
  const asked = cause instanceof StatusError ? Number.parseInt(cause.retryAfter ?? "", 10) * 1000 : Number.NaN;
  return asked >= 0 ? asked : firstPause * 2 ** (attempt - 1);
}

const longestPause = 30_000;

/** Milliseconds before the next try in an outage; at random, so that kinds and watches don't all return at once. */
export const pauseInOutage = (pauses: number): number =>
  Math.min(longestPause, firstPause * 2 ** pauses) * (0.5 + Math.random() / 2);

/** With `Retry-After`, these mean that the API server has not started the request. */
const notBegun = [429, 503];

/** Pause before a write is repeated: only if it can't have been carried out, unlike after a broken connection. */
export function pauseBeforeWrite(attempt: number, cause: unknown): number | undefined {
  return cause instanceof StatusError && notBegun.includes(cause.code) && cause.retryAfter !== undefined
    ? pauseBefore(attempt, cause)
    : undefined;
}
