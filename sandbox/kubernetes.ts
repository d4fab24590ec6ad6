/** By the minor version of Kubernetes. Each builds from a Go module of its own: `tools/modules/kubernetes-<minor version>`. */
export const kubernetesVersions = {
  "1.36": {
    // renovate: k8s.io/kubernetes
    kubernetes: "1.36.3",
    // renovate: go.etcd.io/etcd/server/v3
    etcd: "3.6.8",
  },
  "1.37": {
    // renovate: k8s.io/kubernetes
    kubernetes: "1.37.2",
    // renovate: go.etcd.io/etcd/server/v3
    etcd: "3.7.0",
  },
} as const;

/** A minor version of Kubernetes that the sandbox can have. */
export type KubernetesMinor = keyof typeof kubernetesVersions;

export const kubernetesMinors = Object.keys(kubernetesVersions) as readonly KubernetesMinor[];

export const defaultKubernetes: KubernetesMinor = "1.36";
