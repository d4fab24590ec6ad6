import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { KubeConfig } from "@kubernetes/client-node";
import type { TestStack } from "./stack.ts";

/** A changed copy of the sandbox's kubeconfig at another path. */
export async function otherKubeconfig(
  stack: TestStack,
  change: { server?: string; token?: string } = {},
): Promise<string> {
  const config = new KubeConfig();
  config.loadFromFile(stack.sandbox.kubeconfig);
  const cluster = config.getCurrentCluster();
  const user = config.getCurrentUser();
  const text = JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "elsewhere",
    contexts: [{ name: "elsewhere", context: { cluster: "sandbox", user: "somebody" } }],
    clusters: [
      {
        name: "sandbox",
        cluster: {
          server: change.server ?? cluster?.server,
          "certificate-authority": cluster?.caFile,
          "certificate-authority-data": cluster?.caData,
          "insecure-skip-tls-verify": cluster?.skipTLSVerify,
        },
      },
    ],
    users: [
      {
        name: "somebody",
        user:
          change.token === undefined
            ? {
                "client-certificate": user?.certFile,
                "client-certificate-data": user?.certData,
                "client-key": user?.keyFile,
                "client-key-data": user?.keyData,
              }
            : { token: change.token },
      },
    ],
  });
  const path = join(await mkdtemp(join(stack.folder, "kubeconfig-")), "config");
  await writeFile(path, text, { mode: 0o600 });
  return path;
}

/** A token of a new ServiceAccount that may list everything that a run reads except these kinds. */
export async function tokenWithout(stack: TestStack, name: string, ...kinds: readonly string[]): Promise<string> {
  const readable = {
    "": ["namespaces", "services", "limitranges", "resourcequotas", "serviceaccounts"],
    "discovery.k8s.io": ["endpointslices"],
    "networking.k8s.io": ["ingresses", "networkpolicies"],
    "admissionregistration.k8s.io": ["validatingadmissionpolicies", "validatingadmissionpolicybindings"],
    "rbac.authorization.k8s.io": ["clusterroles", "clusterrolebindings", "roles", "rolebindings"],
  };
  const rules = Object.entries(readable).map(([group, resources]) => ({
    apiGroups: [group],
    resources: resources.filter((resource) => !kinds.includes(resource)),
    verbs: ["list"],
  }));
  const api = "rbac.authorization.k8s.io";
  await stack.sandbox.apply(
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace: "default" } },
    {
      apiVersion: `${api}/v1`,
      kind: "ClusterRole",
      metadata: { name },
      rules: rules.filter((it) => it.resources.length),
    },
    {
      apiVersion: `${api}/v1`,
      kind: "ClusterRoleBinding",
      metadata: { name },
      roleRef: { apiGroup: api, kind: "ClusterRole", name },
      subjects: [{ kind: "ServiceAccount", name, namespace: "default" }],
    },
  );
  return await stack.sandbox.token(name, "default");
}
