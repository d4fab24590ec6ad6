/** Kubeconfigs, as text, of those who may not do everything. */
import { KubeConfig } from "@kubernetes/client-node";
import type { TestSandbox } from "../../../../support/sandbox.ts";
import { namespaceNamed } from "./objects.ts";

/** Nothing listens there. */
export const unreachableKubeconfig = kubeconfigText("https://127.0.0.1:1", undefined, "none");

/** Kubeconfig of a ServiceAccount that may read most objects and change none. */
export async function readOnlyKubeconfig(sandbox: TestSandbox, name: string): Promise<string> {
  const api = "rbac.authorization.k8s.io";
  await sandbox.create(
    namespaceNamed(name),
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace: name } },
    {
      ...{ apiVersion: `${api}/v1`, kind: "ClusterRoleBinding", metadata: { name } },
      roleRef: { apiGroup: api, kind: "ClusterRole", name: "view" },
      subjects: [{ kind: "ServiceAccount", name, namespace: name }],
    },
  );
  const config = new KubeConfig();
  config.loadFromFile(sandbox.kubeconfig);
  const cluster = config.getCurrentCluster();
  return kubeconfigText(cluster?.server ?? "", cluster?.caFile, await sandbox.token(name, name));
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
