import type { Settings } from "../../config/settings.ts";
import { type Waiting, withApiServer } from "../apiServer/client.ts";
import { forEachOf } from "../apiServer/forEachOf.ts";
import { findTarget } from "../apiServer/kubeconfig.ts";
import { keyOf } from "../memberObjects.ts";
import type { ObjectName, OwnedObject } from "../snapshot.ts";

/**
 * Takes the owner references off, before the provider writes to any of these: from then on neither their owner's end nor
 * a failed or killed run can cost one of them. What is left undone, the next run finds and does.
 * @throws RunError naming the object and the reason
 */
export async function takeOffOwners(
  owned: readonly OwnedObject[],
  { cluster }: Settings,
  waiting: Partial<Waiting> = {},
): Promise<void> {
  if (owned.length === 0) {
    return;
  }
  await withApiServer(findTarget(cluster.context), waiting, async (api) => {
    await forEachOf(owned, (object) =>
      api.write({
        what: `take the owner references off ${keyOf(object)}`,
        method: "PATCH",
        path: pathOf(object),
        contentType: "application/merge-patch+json",
        // The uid is not to be changed: of another object of this name, the API server refuses the patch.
        body: { metadata: { uid: object.uid, ownerReferences: null } },
      }),
    );
  });
}

const apis: Readonly<Record<ObjectName["kind"], readonly [prefix: string, resource: string]>> = {
  BackendTLSPolicy: ["/apis/gateway.networking.k8s.io/v1", "backendtlspolicies"],
  ClusterRole: ["/apis/rbac.authorization.k8s.io/v1", "clusterroles"],
  ClusterRoleBinding: ["/apis/rbac.authorization.k8s.io/v1", "clusterrolebindings"],
  ConfigMap: ["/api/v1", "configmaps"],
  HTTPRoute: ["/apis/gateway.networking.k8s.io/v1", "httproutes"],
  Ingress: ["/apis/networking.k8s.io/v1", "ingresses"],
  LimitRange: ["/api/v1", "limitranges"],
  Middleware: ["/apis/traefik.io/v1alpha1", "middlewares"],
  Namespace: ["/api/v1", "namespaces"],
  NetworkPolicy: ["/apis/networking.k8s.io/v1", "networkpolicies"],
  ResourceQuota: ["/api/v1", "resourcequotas"],
  Role: ["/apis/rbac.authorization.k8s.io/v1", "roles"],
  RoleBinding: ["/apis/rbac.authorization.k8s.io/v1", "rolebindings"],
  Secret: ["/api/v1", "secrets"],
  ServersTransport: ["/apis/traefik.io/v1alpha1", "serverstransports"],
  Service: ["/api/v1", "services"],
};

function pathOf({ kind, name, namespace }: ObjectName): string {
  const [prefix, resource] = apis[kind];
  const place = namespace === undefined ? "" : `/namespaces/${namespace}`;
  return `${prefix}${place}/${resource}/${encodeURIComponent(name)}`;
}
