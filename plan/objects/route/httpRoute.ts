import type { Member, MemberRoute, Settings } from "../../../config/model/settings.ts";
import { memberLabels, urlAnnotation } from "../../../naming/labels.ts";
import { httpRouteName, namespaceName, routedPort, routeUrl, serviceName } from "../../../naming/names.ts";
import { goneAtOnce } from "../deletion.ts";

/**
 * A member's public path at a shared Gateway. What the API server would fill in within a list is said outright: lists are
 * compared whole, and it would look like a change by hand.
 * @see https://gateway-api.sigs.k8s.io/api-types/httproute/
 */
export function httpRoute(member: Member, route: MemberRoute, settings: Settings) {
  return {
    metadata: {
      name: httpRouteName(member),
      namespace: namespaceName(member),
      labels: {
        ...memberLabels(member, settings),
        "app.kubernetes.io/name": "member-route",
        "app.kubernetes.io/created-by": "kubecamp",
      },
      // The Gateway heeds it for as long as it is there.
      annotations: { ...goneAtOnce, [urlAnnotation]: routeUrl(route) },
    },
    spec: {
      parentRefs: [parentRef(settings)],
      hostnames: [route.host],
      rules: [
        {
          matches: [{ path: { type: "PathPrefix", value: route.path } }],
          ...filtersOf(route, settings),
          backendRefs: [
            { group: "", kind: "Service", name: serviceName(member), port: routedPort(settings.route), weight: 1 },
          ],
        },
      ],
    },
  };
}

function parentRef({ route }: Settings) {
  if (route.gateway === undefined) {
    throw new Error("route.gateway is missing: no configuration has route.kind 'gateway' without it");
  }
  const { name, namespace, sectionName } = route.gateway;
  return {
    group: "gateway.networking.k8s.io",
    kind: "Gateway",
    name,
    namespace,
    ...(sectionName === undefined ? {} : { sectionName }),
  };
}

/** On a host of the member's own there is no prefix to take off. */
function filtersOf({ path }: MemberRoute, { route }: Settings) {
  return route.rewrite === "none" || path === "/"
    ? {}
    : {
        filters: [
          { type: "URLRewrite", urlRewrite: { path: { type: "ReplacePrefixMatch", replacePrefixMatch: "/" } } },
        ],
      };
}
