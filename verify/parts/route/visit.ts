import { type RequestOptions, request } from "node:https";
import { text } from "node:stream/consumers";
import type { TLSSocket } from "node:tls";

/** An answer to a GET, whether or not its certificate is trusted. */
export interface Visit {
  readonly status: number;
  readonly body: string;
  /** Node's code for what is wrong with the certificate, such as `CERT_HAS_EXPIRED`. */
  readonly distrust: string | undefined;
}

/** Milliseconds for an answer. */
const patience = 20_000;

/** Follows no redirect, and sends nothing but the URL. @throws Error without an answer */
export async function visit(url: string, options: RequestOptions = {}): Promise<Visit> {
  const { promise, resolve, reject } = Promise.withResolvers<Visit>();
  const signal = AbortSignal.timeout(patience);
  // An answer behind a certificate that this machine does not trust is worth knowing, too.
  const asked = request(url, { agent: false, rejectUnauthorized: false, signal, ...options }, (response) => {
    const { authorized, authorizationError } = response.socket as TLSSocket;
    const { statusCode: status = 0 } = response;
    const distrust = authorized ? undefined : codeOf(authorizationError);
    text(response).then((body) => resolve({ status, body, distrust }), reject);
  });
  asked.on("error", reject).end();
  return await promise;
}

/** It is declared as an Error, and mostly is the code of one. */
const codeOf = (cause: unknown) => (cause instanceof Error && "code" in cause ? String(cause.code) : String(cause));
