import { hasCode, S3Failure } from "./s3/s3.ts";

/** An error for the operator: obstacle, reason and remedy. */
export class Refused extends Error {}

/** The server did not answer, so that nothing is known. */
export class Unanswered extends Refused {}

/**
 * Describes a server's failure: request, server, resource, reason and remedy. Other errors are returned unchanged.
 * @param who the resource, such as `bucket 'alice-data' of alice`
 * @param server the server's address
 */
export function explained(error: unknown, who: string, server: string): Error {
  if (!(error instanceof S3Failure)) return error instanceof Error ? error : new Error(String(error));
  const text = `${who}: ${reason(error, server)}; ${wayOut(error)}`;
  return error.status === undefined ? new Unanswered(text) : new Refused(text);
}

function reason(failure: S3Failure, server: string): string {
  const { operation, code, status, message } = failure;
  const said = message.includes(code) ? message : message === "" ? code : `${code}: ${message}`;
  return status === undefined
    ? `no answer to ${operation} from ${server} (${said})`
    : `${server} answers ${status} to ${operation} (${said})`;
}

function wayOut(failure: S3Failure): string {
  const { status } = failure;
  if (hasCode(failure, "ENOTFOUND", "EAI_AGAIN")) return "is the S3 endpoint's name right? Then run again";
  if (/CERT|SSL|TLS/.test(failure.code) && status === undefined) {
    return "the server needs a certificate for that name, from a CA that this machine knows (NODE_EXTRA_CA_CERTS adds one), then run again";
  }
  if (hasCode(failure, "Cancelled")) return "it was stopped; run again to go on";
  if (status === undefined || status >= 500 || hasCode(failure, "SlowDown", "TooManyRequests")) {
    return "what was done so far is kept: run again once the server answers";
  }
  if (hasCode(failure, "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "ExpiredToken")) {
    return "set the right access key and secret for the S3 server, then run again";
  }
  if (hasCode(failure, "RequestTimeTooSkewed", "RequestExpired")) return "set this machine's clock, then run again";
  if (hasCode(failure, "NoSuchBucket")) {
    return "somebody has deleted it: run 'pulumi up --refresh', which makes it anew, and empty";
  }
  if (hasCode(failure, "MalformedPolicy")) {
    return "correct the policy; each principal that it names must exist on that server";
  }
  if (status === 501 || status === 405) return "leave out what this server doesn't have";
  if (status === 403) {
    const isOpening = ["PutBucketAcl", "PutBucketPolicy"].includes(failure.operation);
    const block = isOpening ? " (on AWS, Block Public Access may prevent it)" : "";
    return `give the S3 server's access key the right to do this${block}, then run again`;
  }
  if (status === 200) return "is the S3 endpoint right, and no page to sign in at before it? Then run again";
  return "correct what the server names, then run again";
}
