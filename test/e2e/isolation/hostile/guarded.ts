import type { ApiReader } from "../../support/cluster/apiClient.ts";

interface Live {
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly [key: string]: unknown };
  readonly status?: unknown;
  readonly [key: string]: unknown;
}

const lists = [
  "/api/v1/limitranges",
  "/api/v1/namespaces",
  "/api/v1/nodes",
  "/api/v1/resourcequotas",
  "/api/v1/serviceaccounts",
  "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
  "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies",
  "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings",
  "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
  "/apis/networking.k8s.io/v1/ingresses",
  "/apis/networking.k8s.io/v1/networkpolicies",
  "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
  "/apis/rbac.authorization.k8s.io/v1/clusterroles",
  "/apis/rbac.authorization.k8s.io/v1/rolebindings",
  "/apis/rbac.authorization.k8s.io/v1/roles",
];
const namespaceContents = ["configmaps", "endpoints", "pods", "persistentvolumeclaims", "secrets", "services"];

/** All objects that no attacker may change: the platform's and the victim's, without fields that controllers write. */
export async function guarded(read: ApiReader, victim: string): Promise<unknown[]> {
  const paths = [
    ...lists,
    ...namespaceContents.map((each) => `/api/v1/namespaces/${victim}/${each}`),
    `/apis/apps/v1/namespaces/${victim}/deployments`,
  ];
  const answers = await Promise.all(paths.map((path) => read(path)));
  return answers.flatMap((text, index) =>
    (JSON.parse(text) as { items: Live[] }).items.map((live) => ({ ...withoutStatus(live), path: paths[index] })),
  );
}

function withoutStatus({
  metadata: { resourceVersion, managedFields, generation, ...metadata },
  status,
  ...rest
}: Live) {
  return { metadata, ...rest };
}
