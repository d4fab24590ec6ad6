import topLevelDomains from "tlds" with { type: "json" };
import { defaultClusterDomain } from "../names/names.ts";
import { controllers } from "../route/controllers.ts";
import type { Settings } from "../settings.ts";

/** Namespaces that cluster software usually has, besides those that end in `-system`, as most of its guides say. */
const usual: ReadonlySet<string> = new Set([
  ...Object.values(controllers).map(({ namespace }) => namespace),
  "argo",
  "argocd",
  "calico-apiserver",
  "cert-manager",
  "external-dns",
  "external-secrets",
  "gpu-operator",
  "istio-ingress",
  "karpenter",
  "keda",
  "kubernetes-dashboard",
  "kyverno",
  "linkerd",
  "local-path-storage",
  "logging",
  "monitoring",
  "olm",
  "rook-ceph",
  "tekton-pipelines",
  "tigera-operator",
  "vault",
  "velero",
]);

export function usedByCluster(name: string, { route, network }: Settings): string | undefined {
  if (name === "default" || name.startsWith("kube-")) {
    return "one of Kubernetes' own namespaces";
  }
  for (const [at, server] of Object.entries({ route, "route.also": route.also })) {
    if (name === server?.namespace) {
      const whose =
        server.kind === "ingress" ? "the ingress controller's namespace" : "the namespace of the Gateway's pods";
      return `${whose} (${at}.namespace)`;
    }
    if (name === server?.gateway?.namespace) {
      return `the Gateway's namespace (${at}.gateway.namespace)`;
    }
  }
  return name === network.dnsNamespace ? "the namespace of the cluster's DNS (network.dnsNamespace)" : undefined;
}

export function useOf(name: string, settings: Settings): string | undefined {
  const use = usedByCluster(name, settings);
  if (use !== undefined) {
    return use;
  }
  if (/^kubecamp(-|$)/.test(name)) {
    return "a name of kubecamp's own namespaces";
  }
  if (/^openshift(-|$)/.test(name)) {
    return "one of OpenShift's own namespaces";
  }
  return name.endsWith("-system") || usual.has(name) ? "a usual namespace of the cluster's software" : undefined;
}

/** Names of networks without a registry, such as a cloud's `metadata.google.internal`. */
const privateDomains = [
  "corp",
  "home",
  "internal",
  "intranet",
  "lan",
  "local",
  "localdomain",
  "localhost",
  "mail",
  "private",
];

const domains: ReadonlySet<string> = new Set([...topLevelDomains, ...privateDomains]);

/**
 * Why Services of a namespace with this name would have the names of others; undefined if they don't. A pod looks for
 * `github.com` as `github.com.svc.cluster.local` first, which is the Service `github` in the namespace `com`.
 * @see https://kubernetes.io/docs/concepts/services-networking/dns-pod-service/#namespaces-of-services
 */
export function confusionOf(name: string, { cluster }: Pick<Settings, "cluster">): string | undefined {
  const { domain = defaultClusterDomain } = cluster;
  if (["svc", "pod", "cluster", ...domain.split(".")].includes(name)) {
    return `ends or begins the names of other members' Services, such as web.bob.svc.${domain}`;
  }
  if (domains.has(name) || name.startsWith("xn--")) {
    return `is a top-level domain, so that pods would take the member's Services for hosts such as example.${name}`;
  }
  return /^[a-z]{2}$/.test(name) ? "has two letters, as countries' top-level domains have" : undefined;
}

export const isUnfit = (name: string, settings: Settings): boolean =>
  (useOf(name, settings) ?? confusionOf(name, settings)) !== undefined;
