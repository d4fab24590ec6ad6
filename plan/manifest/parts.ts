import type { LiveObject, StateKind } from "../../cluster/kinds/liveObject.ts";
import type { HomeRole, OthersView, Settings } from "../../config/model/settings.ts";
import { bucketLabel, madeAnnotation } from "../../naming/labels.ts";
import type { BucketPart } from "../../naming/logicalNames.ts";
import {
  type AdmissionPolicy,
  admissionPolicyName,
  backendCaName,
  backendCaSecretName,
  backendTlsPolicyName,
  clusterRoleBindingName,
  clusterRoleName,
  httpRouteName,
  ingressName,
  limitRangeName,
  middlewareName,
  namespaceName,
  networkPolicyName,
  resourceQuotaName,
  roleName,
  serversTransportName,
  serviceAccountName,
  serviceName,
  starterName,
  starterPagesName,
} from "../../naming/names.ts";

type OfStack = Pick<Settings, "stack">;
type Named = { readonly name: string };
/** Undefined for what no run makes. */
type Part = string | undefined;

/** What a run calls an object if it is what members of a stack share, as components/clusterAccess.ts has it. */
export function sharedPart({ kind, metadata: { name } }: LiveObject, stack: OfStack): Part {
  const policy = () => filledIn(name, (part) => admissionPolicyName(part as AdmissionPolicy, stack));
  const parts: Partial<Record<StateKind, () => Part>> = {
    ClusterRole: () => filledIn(name, (part) => clusterRoleName(part as OthersView, stack)),
    Secret: () => (name === backendCaSecretName(stack) ? "backend-ca" : undefined),
    ValidatingAdmissionPolicy: () => after("admission/", policy()),
    ValidatingAdmissionPolicyBinding: () => followed(after("admission/", policy()), "/binding"),
  };
  return after("access/", parts[kind]?.());
}

/** What a run calls an object if it is a member's, as components/memberEnvironment.ts has it. */
export function memberPart(live: LiveObject, member: Named, stack: OfStack): Part {
  const { name, namespace, annotations } = live.metadata;
  const isAtHome = namespace === namespaceName(member);
  const called = (part: string, wanted: string, fits: boolean) => () => (fits && name === wanted ? part : undefined);
  const home = (part: string, wanted: string) => called(part, wanted, isAtHome);
  const elsewhere = (part: string, wanted: string) => called(part, wanted, !isAtHome);
  const role = () => (isAtHome ? filledIn(name, (part) => roleName(part as HomeRole)) : undefined);
  const view = () => filledIn(name, (part) => clusterRoleBindingName(member, part as OthersView, stack));
  const ofBucket = (part: BucketPart) =>
    isAtHome && live.metadata.labels?.[bucketLabel] === name ? `bucket/${name}/${part}` : undefined;
  const parts: Partial<Record<StateKind, () => Part>> = {
    BackendTLSPolicy: home("route/backend-tls", backendTlsPolicyName(member)),
    ClusterRoleBinding: () => after("others/", view()),
    ConfigMap: () =>
      home("route/backend-ca", backendCaName)() ?? home("starter/pages", starterPagesName)() ?? ofBucket("config"),
    Deployment: home("starter/deployment", starterName),
    HTTPRoute: home("route/http", httpRouteName(member)),
    Ingress: elsewhere("route/ingress", ingressName(member)),
    LimitRange: home("limits", limitRangeName),
    Middleware: elsewhere("route/middleware", middlewareName(member)),
    Namespace: called("namespace", namespaceName(member), true),
    NetworkPolicy: home("isolation", networkPolicyName),
    ResourceQuota: home("quota", resourceQuotaName),
    Role: () => after("role/", role()),
    RoleBinding: () => after("binding/", role()),
    Secret: () => ofBucket("secret"),
    ServersTransport: elsewhere("route/transport", serversTransportName(member)),
    Service: isAtHome
      ? called("service", serviceName(member), annotations?.[madeAnnotation] !== undefined)
      : called("route/service", serviceName(member), Object(live.spec).type === "ExternalName"),
    ServiceAccount: home("service-account", serviceAccountName),
  };
  return parts[live.kind]?.();
}

/** What stands in a name where its builder puts a part: also one that an older kubecamp had, and this one has not. */
function filledIn(name: string, build: (part: string) => string): Part {
  const [start = "", end = ""] = build("\0").split("\0");
  const part = name.slice(start.length, name.length - end.length);
  return part !== "" && name === build(part) ? part : undefined;
}

const after = (start: string, part: Part): Part => (part === undefined ? undefined : start + part);
const followed = (part: Part, end: string): Part => (part === undefined ? undefined : part + end);
