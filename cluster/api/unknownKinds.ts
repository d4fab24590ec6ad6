const traefik =
  "Traefik's own kinds, which 'rewrite: strip' and 'backendProtocol: HTTPS' take with 'controller: traefik', are not\n" +
  "installed on this cluster: install its CustomResourceDefinitions and switch its provider for them on\n" +
  "(https://doc.traefik.io/traefik/reference/install-configuration/providers/kubernetes/kubernetes-crd/), or choose\n" +
  "another route.controller (docs/routes.md).";

/** BackendTLSPolicy is a v1 from this version on. */
const gatewayApi =
  "The Gateway API, version 1.4 or later, which 'route.kind: gateway' takes, is not installed on this cluster: install\n" +
  "its CustomResourceDefinitions (https://gateway-api.sigs.k8s.io/guides/; docs/gateway.md), or set route.kind to ingress.";

const admission =
  "What guards members are policies of a kind that Kubernetes has since 1.30: upgrade the cluster to Kubernetes 1.30 or\n" +
  "later, or choose another context.";

/** What to do where the API server does not know a kind; every API server knows all others. */
export const ifUnknown: ReadonlyMap<string, string> = new Map([
  ["Middleware", traefik],
  ["ServersTransport", traefik],
  ["BackendTLSPolicy", gatewayApi],
  ["Gateway", gatewayApi],
  ["HTTPRoute", gatewayApi],
  ["ValidatingAdmissionPolicy", admission],
  ["ValidatingAdmissionPolicyBinding", admission],
]);
