import { gatewayApi } from "../../cluster/kinds/apiVersions.ts";
import type { Member } from "../../config/member/member.ts";
import { apiGroup } from "../../config/names/customKinds.ts";
import { namespaceName } from "../../config/names/names.ts";
import type { MemberRoute } from "../../config/route/memberRoute.ts";
import { besideGateway } from "../../config/route/route.ts";
import type { Settings } from "../../config/settings.ts";
import { isMap } from "../../config/values/maps.ts";
import { valueAt } from "../../config/values/mistakes.ts";
import { annotation, list } from "../field.ts";
import { metadataOf } from "../metadata.ts";
import type { RoutePart } from "./driver.ts";
import { certificateAnnotations, certificateName } from "./ingress.ts";

/**
 * Adds a listener for the member's host to the Gateway, with a certificate of its own. Beside the Gateway, so that the key is
 * in a Secret that members can neither read nor replace, cert-manager needs no rights at home to answer a CA there, and the
 * Gateway takes listeners from no namespace but its own. Only the member's own routes may attach to it.
 * @see https://gateway-api.sigs.k8s.io/geps/gep-1713/
 */
export const listeners: RoutePart = {
  part: "listeners",
  kind: "ListenerSet",
  place: "gateway",
  name: ({ name }) => name,
  purpose: "treatment",
  build: listenerSet,
  reference: ({ name }) => `"kind":"ListenerSet","name":"${name}"`,
  fields: {
    "spec.listeners": list("certificate of the host", certificateText),
    [annotation("cert-manager.io/issuer")]: { what: "issuer of the certificate" },
    [annotation("cert-manager.io/cluster-issuer")]: { what: "cluster's issuer of the certificate" },
  },
};

/** The reference by which the member's HTTPRoute attaches to it. */
export const listenersRef = ({ name }: Pick<Member, "name">, { route }: Pick<Settings, "route">) => ({
  group: apiGroup(gatewayApi),
  kind: "ListenerSet",
  name,
  namespace: besideGateway({ route }),
});

/** States the API server's defaults within the list, which is compared whole. @throws Error if the settings lack a part */
function listenerSet(member: Member, route: MemberRoute, settings: Settings) {
  const { gateway, tls } = settings.route;
  if (gateway === undefined || tls === undefined) {
    throw new Error("route.gateway or route.tls is missing: no route has a ListenerSet without it");
  }
  return {
    metadata: metadataOf(member.name, member, settings, {
      namespace: gateway.namespace,
      annotations: certificateAnnotations(settings.route, {}),
    }),
    spec: {
      parentRef: { group: apiGroup(gatewayApi), kind: "Gateway", name: gateway.name },
      listeners: [
        {
          name: "https",
          hostname: route.host,
          port: 443,
          protocol: "HTTPS",
          tls: {
            mode: "Terminate",
            certificateRefs: [{ group: "", kind: "Secret", name: certificateName(route, settings.route) }],
          },
          allowedRoutes: {
            namespaces: {
              from: "Selector",
              selector: { matchLabels: { "kubernetes.io/metadata.name": namespaceName(member) } },
            },
          },
        },
      ],
    },
  };
}

/** Such as `bob.apps.example.org by Secret bob.apps.example.org-tls`. */
function certificateText(listener: object): string | undefined {
  const { hostname } = Object(listener);
  const secret = valueAt(listener, ["tls", "certificateRefs", 0, "name"]);
  return isMap(listener) && secret !== undefined ? `${hostname} by Secret ${secret}` : undefined;
}
