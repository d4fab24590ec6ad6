import { controllers } from "../../config/route/controllers.ts";
import { gateway } from "../route/drivers/gateway.ts";
import { celTexts, isPlatform, type PolicyContent } from "./admissionPolicy.ts";

/**
 * API groups of routes from the public to a Service, or of their configuration, with all kinds: the Gateway API's, and those
 * of ingress controllers and meshes that read them in any namespace.
 */
const routeGroups = [
  ...gateway.apiGroups,
  ...[
    ...Object.values(controllers).flatMap(({ apiGroups }) => apiGroups),
    "networking.istio.io",
    "route.openshift.io",
  ].sort(),
];

/** Controllers that write where Services lead or take off gone owners; the last is all of Kubernetes' in one. */
const endpointControllers = [
  "system:serviceaccount:kube-system:endpoint-controller",
  "system:serviceaccount:kube-system:endpointslice-controller",
  "system:serviceaccount:kube-system:endpointslicemirroring-controller",
  "system:serviceaccount:kube-system:generic-garbage-collector",
  "system:kube-controller-manager",
];

/**
 * Lets only the platform write some objects in a member's namespace, whatever roles somebody may have there: routes, by
 * which a member could take another's host or path; endpoints of Services, which could have any address; and Secrets that
 * Kubernetes fills with a ServiceAccount's token, although that needs no right to make tokens. The platform is whoever may
 * patch the namespace itself. No other controllers are exempt, not even those of kube-system: one that makes Secrets from a
 * custom kind would make what its member may not. Kubernetes' own fill the Secrets with tokens, which is no new one.
 * @see https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-authorizer-library
 */
export const routesPolicy: PolicyContent = {
  requests: [
    { apiGroups: ["networking.k8s.io"], resources: ["ingresses"] },
    { apiGroups: routeGroups, resources: ["*"] },
    { apiGroups: [""], resources: ["endpoints", "secrets"] },
    { apiGroups: ["discovery.k8s.io"], resources: ["endpointslices"] },
  ],
  variables: {
    title: "object.kind + \" '\" + object.metadata.?name.orValue('') + \"': \"",
    isPlatform,
    isKubernetes: `request.userInfo.username in ${celTexts(endpointControllers)}`,
    isTarget: "request.resource.resource in ['endpoints', 'endpointslices']",
    isSecret: "request.resource.resource == 'secrets' && request.resource.group == ''",
    // Controllers with the right to write change finalizers, owners and labels.
    isUntouched: `
      oldObject != null && has(object.spec) && has(oldObject.spec) && object.spec == oldObject.spec
      && object.metadata.?annotations.orValue({}) == oldObject.metadata.?annotations.orValue({})`,
    // A token from before, unless it is to become another ServiceAccount's.
    isOldToken: `
      oldObject != null && object.metadata.?annotations['kubernetes.io/service-account.name'].orValue('')
      == oldObject.metadata.?annotations['kubernetes.io/service-account.name'].orValue('')`,
    isToken: "variables.isSecret && dyn(object).?type.orValue('') == 'kubernetes.io/service-account-token'",
  },
  validations: [
    {
      expression: "variables.isTarget || variables.isSecret || variables.isUntouched || variables.isPlatform",
      messageExpression: `
        variables.title + "only the platform makes routes in namespace '" + request.namespace
        + "', so that nobody takes another's host or path: make the Service '" + request.namespace
        + "-svc', and your path leads to it; ask " + variables.contact + " for anything else"`,
    },
    {
      expression: "!variables.isTarget || variables.isKubernetes || variables.isPlatform",
      messageExpression: `
        variables.title + "only Kubernetes itself writes where the Services of namespace '" + request.namespace
        + "' lead, since any address could stand there: give the Service a selector of your own pods; ask " + variables.contact + " for anything else"`,
    },
    {
      expression: "!variables.isToken || variables.isOldToken || variables.isPlatform",
      messageExpression: `
        variables.title + "Kubernetes would fill it with a token that never ends (type kubernetes.io/service-account-token), "
        + "which only the platform may have: mount a projected serviceAccountToken; ask " + variables.contact + " for anything else"`,
    },
  ],
};
