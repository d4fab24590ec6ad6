import { StatusError } from "./errors.ts";
import { codesOf } from "./networkErrors.ts";

const attempts = 5;
/** In milliseconds; after every further failure it is twice as long. */
const firstPause = 500;
/** Overload, an API server that starts or stops, and load balancers in front of it. */
const passingStatuses = [429, 500, 502, 503, 504];
/** A connection that was there and broke. One that was refused is no such thing: nobody is there to ask again. */
const brokenConnections = ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"];

/** How long to wait before a read is asked for once more, in milliseconds; undefined when that would not help. */
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

/** Said together with `Retry-After`, they mean that the API server has not begun with a request. */
const notBegun = [429, 503];

/** Likewise, of a write: only where it can't have been carried out, as it may be when a connection breaks. */
export function pauseBeforeWrite(attempt: number, cause: unknown): number | undefined {
  return cause instanceof StatusError && notBegun.includes(cause.code) && cause.retryAfter !== undefined
    ? pauseBefore(attempt, cause)
    : undefined;
}
