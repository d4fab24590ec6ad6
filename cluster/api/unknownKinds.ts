import { type CustomKind, isCustomKind, partsOfCustom } from "../../config/names/customKinds.ts";
import { controllerResources } from "../../config/route/controllers/resources.ts";
import { admission, envoyGateway, gatewayApi } from "../kinds/apiVersions.ts";
import { type Kind, kindEntry, kinds } from "../kinds/kinds.ts";

const traefikMissing =
  "Traefik's own kinds, which 'rewrite: strip', 'backendProtocol: HTTPS', 'limits' and 'login' take at Traefik, are not\n" +
  "installed on this cluster: install its CustomResourceDefinitions and switch its provider for them on\n" +
  "(https://doc.traefik.io/traefik/reference/install-configuration/providers/kubernetes/kubernetes-crd/), or choose\n" +
  "another route.controller (docs/run/routes.md).";

/** BackendTLSPolicy is a v1 since this version. */
const gatewayApiMissing =
  "The Gateway API, version 1.4 or later, which 'route.kind: gateway' takes, is not installed on this cluster: install\n" +
  "its CustomResourceDefinitions (https://gateway-api.sigs.k8s.io/guides/; docs/run/gateway.md), or set route.kind to ingress.";

const listenerSetMissing =
  "ListenerSet, which 'route.tls' takes at a Gateway, is not installed on this cluster: install the Gateway API's\n" +
  "CustomResourceDefinitions of version 1.5 or later (https://gateway-api.sigs.k8s.io/guides/; docs/run/gateway.md), or leave\n" +
  "route.tls out.";

const envoyMissing =
  "Envoy Gateway's own kinds, which 'route.login' takes at a Gateway, are not installed on this cluster: use Envoy Gateway 1.8\n" +
  "or later (https://gateway.envoyproxy.io/docs/install/; docs/run/login.md), or leave route.login out.";

const admissionMissing =
  "The policies that guard members are of a kind that Kubernetes has since 1.30: upgrade the cluster to Kubernetes 1.30 or\n" +
  "later, or choose another context.";

/** By kind, or else by API version. */
const remedies: ReadonlyMap<string, string> = new Map([
  ["ListenerSet", listenerSetMissing],
  [envoyGateway, envoyMissing],
  [controllerResources.Middleware.apiVersion, traefikMissing],
  [gatewayApi, gatewayApiMissing],
  [admission, admissionMissing],
]);

function customMissing(custom: CustomKind): string {
  const { kind, apiVersion } = partsOfCustom(custom);
  return (
    `The kind ${kind} of ${apiVersion}, which 'objectKinds' allows, is not installed on this cluster: install its\n` +
    "CustomResourceDefinition, or remove it from objectKinds and objects (docs/run/objects.md)."
  );
}

export function ifUnknown(kind: string): string | undefined {
  if (isCustomKind(kind)) {
    return customMissing(kind);
  }
  return Object.hasOwn(kinds, kind)
    ? (remedies.get(kind) ?? remedies.get(kindEntry(kind as Kind).apiVersion))
    : undefined;
}
