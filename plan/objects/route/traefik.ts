import { withMember } from "../../../config/model/memberPlaceholder.ts";
import type { Member, MemberRoute, Settings } from "../../../config/model/settings.ts";
import { memberLabels } from "../../../naming/labels.ts";
import { backendCaSecretName, middlewareName, serversTransportName } from "../../../naming/names.ts";
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
 * Traefik's TLS to a member's Service. Traefik verifies by default, so this is there in any case.
 * @see https://doc.traefik.io/traefik/reference/routing-configuration/kubernetes/crd/http/serverstransport/
 */
export function serversTransport(member: Member, settings: Settings) {
  const { namespace, backend } = settings.route;
  return {
    metadata: {
      name: serversTransportName(member),
      namespace,
      labels: memberLabels(member, settings),
      annotations: goneAtOnce,
    },
    spec: {
      serverName: withMember(backend.serverName, member.name),
      ...(backend.ca === undefined
        ? { insecureSkipVerify: true }
        : { rootCAs: [{ secret: backendCaSecretName(settings) }] }),
    },
  };
}
