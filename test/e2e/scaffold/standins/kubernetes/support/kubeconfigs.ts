/** Kubeconfigs, as text, of those who may not do everything. */
import { CoreV1Api, KubeConfig, RbacAuthorizationV1Api } from "@kubernetes/client-node";

/** Nothing listens there. */
export const unreachableKubeconfig = kubeconfigText("https://127.0.0.1:1", undefined, "none");

/** Kubeconfig of a ServiceAccount that may read most objects and change none. */
export async function readOnlyKubeconfig(adminKubeconfig: string, name: string): Promise<string> {
  const config = new KubeConfig();
  config.loadFromFile(adminKubeconfig);
  const core = config.makeApiClient(CoreV1Api);
  await core.createNamespace({ body: { metadata: { name } } });
  await core.createNamespacedServiceAccount({ namespace: name, body: { metadata: { name } } });
  await config.makeApiClient(RbacAuthorizationV1Api).createClusterRoleBinding({
    body: {
      metadata: { name },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" },
      subjects: [{ kind: "ServiceAccount", name, namespace: name }],
    },
  });
  const { status } = await core.createNamespacedServiceAccountToken({
    namespace: name,
    name,
    body: { spec: { audiences: [] } },
  });
  const cluster = config.getCurrentCluster();
  return kubeconfigText(cluster?.server ?? "", cluster?.caFile, status?.token ?? "");
}

function kubeconfigText(server: string, caFile: string | undefined, token: string): string {
  const authority = caFile ? { "certificate-authority": caFile } : { "insecure-skip-tls-verify": true };
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "cluster", cluster: { server, ...authority } }],
    users: [{ name: "user", user: { token } }],
    contexts: [{ name: "context", context: { cluster: "cluster", user: "user" } }],
    "current-context": "context",
  });
}
