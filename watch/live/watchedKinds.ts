import type { InformerRequest } from "../../cluster/apiServer/informer.ts";
import { ownKindsOf } from "../../cluster/controllerKinds.ts";
import type { ObjectName } from "../../cluster/snapshot.ts";
import type { Settings } from "../../config/settings.ts";
import { stackLabel } from "../../naming/labels.ts";
import { backendCaName } from "../../naming/names.ts";

const rbac = "/apis/rbac.authorization.k8s.io/v1";
const networking = "/apis/networking.k8s.io/v1";
const traefik = "/apis/traefik.io/v1alpha1";
const gateway = "/apis/gateway.networking.k8s.io/v1";

/** A kind of which only the stack's own objects are watched. */
export interface WatchedKind extends InformerRequest {
  readonly kind: Exclude<ObjectName["kind"], "Namespace" | "Service">;
}

/**
 * Every kind that the stack's objects are of, but for those of which other objects matter too; and for the one Secret,
 * which stays unwatched, since it is nobody's to change but those who could change the controller itself.
 */
export function watchedKinds({ stack, route }: Settings): WatchedKind[] {
  const labelSelector = `${stackLabel}=${stack}`;
  const kinds: Omit<WatchedKind, "labelSelector">[] = [
    { what: "the ClusterRoles", path: `${rbac}/clusterroles`, kind: "ClusterRole" },
    { what: "the ClusterRoleBindings", path: `${rbac}/clusterrolebindings`, kind: "ClusterRoleBinding" },
    { what: "the LimitRanges", path: "/api/v1/limitranges", kind: "LimitRange" },
    { what: "the NetworkPolicies", path: `${networking}/networkpolicies`, kind: "NetworkPolicy" },
    { what: "the ResourceQuotas", path: "/api/v1/resourcequotas", kind: "ResourceQuota" },
    { what: "the Roles", path: `${rbac}/roles`, kind: "Role" },
    { what: "the RoleBindings", path: `${rbac}/rolebindings`, kind: "RoleBinding" },
  ];
  if (route.kind === "ingress") {
    kinds.push({
      what: `the Ingresses of namespace '${route.namespace}'`,
      path: `${networking}/namespaces/${route.namespace}/ingresses`,
      kind: "Ingress",
    });
    for (const kind of ownKindsOf({ route })) {
      const what = `the ${kind}s of namespace '${route.namespace}'`;
      const path = `${traefik}/namespaces/${route.namespace}/${kind.toLowerCase()}s`;
      kinds.push({ what, path, kind });
    }
    return kinds.map((kind) => ({ ...kind, labelSelector }));
  }
  kinds.push({ what: "the HTTPRoutes", path: `${gateway}/httproutes`, kind: "HTTPRoute" });
  if (route.backend.protocol === "HTTPS") {
    const path = `${gateway}/backendtlspolicies`;
    kinds.push({ what: "the BackendTLSPolicies", path, kind: "BackendTLSPolicy" });
  }
  if (route.backend.protocol === "HTTPS" && route.backend.ca !== undefined) {
    const fieldSelector = `metadata.name=${backendCaName}`;
    kinds.push({
      what: `the ConfigMaps '${backendCaName}'`,
      path: "/api/v1/configmaps",
      kind: "ConfigMap",
      fieldSelector,
    });
  }
  return kinds.map((kind) => ({ ...kind, labelSelector }));
}
