import { withMember } from "../../../config/model/memberPlaceholder.ts";
import type { Member, MemberRoute, Settings } from "../../../config/model/settings.ts";
import { memberLabels } from "../../../naming/labels.ts";
import { backendCaSecretName, bodyLimitName, middlewareName, serversTransportName } from "../../../naming/names.ts";
import { goneAtOnce } from "../deletion.ts";

/**
 * Strips a member's path from requests.
 * @see https://doc.traefik.io/traefik/reference/routing-configuration/http/middlewares/stripprefix/
 */
export function middleware(member: Member, { path }: MemberRoute, settings: Settings) {
  return {
    metadata: {
      name: middlewareName(member),
      namespace: settings.route.namespace,
      labels: memberLabels(member, settings),
      annotations: goneAtOnce,
    },
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
    metadata: {
      name: bodyLimitName(member),
      namespace,
      labels: memberLabels(member, settings),
      annotations: goneAtOnce,
    },
    spec: { buffering: { maxRequestBodyBytes: bodyMiB * 2 ** 20 } },
  };
}

/**
 * Traefik's connection to a member's Service: how long it waits for an answer to begin, and TLS. Traefik verifies by
 * default, so with HTTPS this is there in any case.
 * @see https://doc.traefik.io/traefik/reference/routing-configuration/kubernetes/crd/http/serverstransport/
 */
export function serversTransport(member: Member, settings: Settings) {
  const { namespace, backend, limits: { timeoutSeconds } = {} } = settings.route;
  return {
    metadata: {
      name: serversTransportName(member),
      namespace,
      labels: memberLabels(member, settings),
      annotations: goneAtOnce,
    },
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
