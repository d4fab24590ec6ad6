export class Refused extends Error {}

/** The server did not answer, so that nothing is known. */
export class Unanswered extends Refused {}

/** Describes a server's failure: request, server, resource, reason and remedy. Other errors are returned unchanged. */
export function explained(error: unknown, who: string, server: string): Error {
  if (!(error instanceof S3Failure)) {
    return error instanceof Error ? error : new Error(String(error));
  }
  const text = `${who}: ${reason(error, server)}; ${wayOut(error)}`;
  return error.status === undefined ? new Unanswered(text) : new Refused(text);
}

function reason(failure: S3Failure, server: string): string {
  const { operation, code, status, message } = failure;
  const told = message === "" ? code : `${code}: ${message}`;
  const said = message.includes(code) ? message : told;
  return status === undefined
    ? `no answer to ${operation} from ${server} (${said})`
    : `${server} answers ${status} to ${operation} (${said})`;
}

function wayOut(failure: S3Failure): string {
  const { status } = failure;
  if (hasCode(failure, "ENOTFOUND", "EAI_AGAIN")) {
    return "is the S3 endpoint's name right? Then run again";
  }
  if (/CERT|SSL|TLS/.test(failure.code) && status === undefined) {
    return "the server needs a certificate for that name, from a CA that this machine knows (NODE_EXTRA_CA_CERTS adds one), then run again";
  }
  if (hasCode(failure, "Cancelled")) {
    return "it was stopped; run again to go on";
  }
  if (status === undefined || status >= 500 || hasCode(failure, "SlowDown", "TooManyRequests")) {
    return "what was done so far is kept: run again once the server answers";
  }
  if (hasCode(failure, "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "ExpiredToken")) {
    return "set the right access key and secret for the S3 server, then run again";
  }
  if (hasCode(failure, "RequestTimeTooSkewed", "RequestExpired")) {
    return "set this machine's clock, then run again";
  }
  if (hasCode(failure, "NoSuchBucket")) {
    return "somebody has deleted it: run 'pulumi up --refresh', which makes it anew, and empty";
  }
  if (hasCode(failure, "MalformedPolicy")) {
    return "correct the policy; each principal that it names must exist on that server";
  }
  if (status === 501 || status === 405) {
    return "leave out what this server doesn't have";
  }
  if (status === 403) {
    const isOpening = ["PutBucketAcl", "PutBucketPolicy"].includes(failure.operation);
    const block = isOpening ? " (on AWS, Block Public Access may prevent it)" : "";
    return `give the S3 server's access key the right to do this${block}, then run again`;
  }
  if (status === 200) {
    return "is the S3 endpoint right, and no page to sign in at before it? Then run again";
  }
  return "correct what the server names, then run again";
}

export class S3Failure extends Error {
  readonly operation: string;
  /** S3's error code, such as `NoSuchBucket`, or the system's, such as `ECONNREFUSED`. */
  readonly code: string;
  /** HTTP status; undefined without an answer. */
  readonly status: number | undefined;

  constructor(operation: string, failed: { code: string; status?: number | undefined; message: string }) {
    super(failed.message);
    this.operation = operation;
    this.code = failed.code;
    this.status = failed.status;
  }
}

export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof S3Failure && codes.includes(error.code);
}

/** Whether the bucket exists but belongs to somebody else or is in another region. */
export function isOutOfReach(error: unknown): boolean {
  return hasCode(error, "AccessDenied", "AllAccessDisabled", "PermanentRedirect");
}

/** `isOutOfReach`, where the server accepts this key and region for other buckets. */
export function isElsewhere(error: unknown): boolean {
  return isOutOfReach(error) || hasCode(error, "AuthorizationHeaderMalformed", "TemporaryRedirect");
}

export function isUnsupported(error: unknown): boolean {
  return (
    error instanceof S3Failure &&
    (error.status === 501 ||
      error.status === 405 ||
      hasCode(error, "NotImplemented", "MethodNotAllowed", "XNotImplemented", "NotSupported", "UnsupportedOperation"))
  );
}

/** Failures that pass, or that concern the key or the server rather than this request. */
const passing = [401, 403, 408, 429, 502, 503, 504];

const passingCodes = [
  "SlowDown",
  "TooManyRequests",
  "RequestTimeTooSkewed",
  "RequestExpired",
  "ExpiredToken",
  "InvalidToken",
];

/** Whether the server failed or the bucket is busy: another attempt may succeed. */
export function isPassing(error: unknown): boolean {
  return (error instanceof S3Failure && error.status === 500) || hasCode(error, "OperationAborted");
}

/** Whether a working server refuses this one request and will do so again; may be true even if `isPassing` is. */
export function isRefusal(error: unknown): boolean {
  const { status } = error instanceof S3Failure ? error : {};
  return status !== undefined && !passing.includes(status) && !hasCode(error, ...passingCodes);
}

/** Result of a request, or another value if it fails in a way that is an answer too. */
export async function orElse<T, E>(
  asked: Promise<T>,
  is: (error: unknown) => boolean,
  otherwise: E,
): Promise<Awaited<T> | E> {
  try {
    return await asked;
  } catch (error) {
    if (is(error)) {
      return otherwise;
    }
    throw error;
  }
}
