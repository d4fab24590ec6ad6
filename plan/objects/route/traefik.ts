import { withMember } from "../../../config/model/memberPlaceholder.ts";
import type { Member, MemberRoute, Settings } from "../../../config/model/settings.ts";
import { memberLabels } from "../../../naming/labels.ts";
import { backendCaSecretName, middlewareName, serversTransportName } from "../../../naming/names.ts";
import { goneAtOnce } from "../deletion.ts";

/**
 * Takes a member's path off the requests for what is below it.
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
 * How Traefik speaks TLS to a member's Service. It verifies unless it is told not to, so there is one in any case.
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
