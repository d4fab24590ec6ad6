import type { Member } from "../../config/member/member.ts";
import {
  allowName,
  backendCaSecretName,
  bodyLimitName,
  loginName,
  middlewareName,
  serversTransportName,
} from "../../config/names/names.ts";
import type { MemberRoute } from "../../config/route/route.ts";
import type { Settings } from "../../config/settings.ts";
import { withMember } from "../../config/values/placeholders.ts";
import { letInUrl, signedInUrl, visitorHeaders } from "../../plan/routes/login.ts";
import { metadataOf } from "../metadata.ts";

/**
 * Strips a member's path from requests.
 * @see https://doc.traefik.io/traefik/reference/routing-configuration/http/middlewares/stripprefix/
 */
export function middleware(member: Member, { path }: MemberRoute, settings: Settings) {
  return {
    metadata: metadataOf(middlewareName(member), member, settings, { namespace: settings.route.namespace }),
    spec: { stripPrefix: { prefixes: [path] } },
  };
}

/**
 * Limits the body of requests. Traefik then also holds each answer back until it is complete.
 * @throws Error if the settings have no such limit
 * @see https://doc.traefik.io/traefik/reference/routing-configuration/http/middlewares/buffering/
 */
export function bodyLimitMiddleware(member: Member, settings: Settings) {
  const { namespace, limits: { bodyMiB } = {} } = settings.route;
  if (bodyMiB === undefined) {
    throw new Error("route.limits.bodyMiB is missing: no route has a Middleware for it without it");
  }
  return {
    metadata: metadataOf(bodyLimitName(member), member, settings, { namespace }),
    spec: { buffering: { maxRequestBodyBytes: bodyMiB * 2 ** 20 } },
  };
}

/**
 * Asks the proxy whether a visitor has signed in. Traefik passes any answer but a 2xx on to the visitor, so that the proxy can
 * send them to sign in, and answers 500 itself if the proxy doesn't.
 * @see https://doc.traefik.io/traefik/reference/routing-configuration/http/middlewares/forwardauth/
 */
export const loginMiddleware = (member: Member, settings: Settings) =>
  asking(loginName(member), signedInUrl(settings), member, settings);

/** Asks the proxy whether a visitor who has signed in may use the member's path. */
export const allowMiddleware = (member: Member, settings: Settings) =>
  asking(allowName(member), letInUrl(member, settings), member, settings);

function asking(name: string, address: string, member: Member, settings: Settings) {
  return {
    metadata: metadataOf(name, member, settings, { namespace: settings.route.namespace }),
    spec: askingLogin(address),
  };
}

/** @param address URL that answers with 2xx for those who are let in */
export const askingLogin = (address: string) => ({
  forwardAuth: { address, authResponseHeaders: [...visitorHeaders] },
});

/**
 * Traefik's connection to a member's Service: how long it waits for an answer to begin, and TLS. Traefik verifies by
 * default, so with HTTPS this is there in any case.
 * @see https://doc.traefik.io/traefik/reference/routing-configuration/kubernetes/crd/http/serverstransport/
 */
export function serversTransport(member: Member, settings: Settings) {
  const { namespace, backend, limits: { timeoutSeconds } = {} } = settings.route;
  return {
    metadata: metadataOf(serversTransportName(member), member, settings, { namespace }),
    spec: {
      ...(backend.protocol === "HTTPS" ? tlsOf(member, settings) : {}),
      ...(timeoutSeconds === undefined ? {} : { forwardingTimeouts: { responseHeaderTimeout: `${timeoutSeconds}s` } }),
    },
  };
}

function tlsOf(member: Member, settings: Settings) {
  const { ca, serverName } = settings.route.backend;
  return {
    serverName: withMember(serverName, member.name),
    ...(ca === undefined ? { insecureSkipVerify: true } : { rootCAs: [{ secret: backendCaSecretName(settings) }] }),
  };
}
