/** Domains of network plugins, whose annotations give a pod another network, or an address that may be somebody else's. */
const networks = [
  "antrea.io",
  "cilium.io",
  "cni.cncf.io",
  "multus-cni.io",
  "networking.gke.io",
  "ovn.kubernetes.io",
  "ovn.org",
  "projectcalico.org",
  "spidernet.io",
  "vpc.amazonaws.com",
];

/** Annotations of pods by which they choose their network, as a regular expression. */
export const ofNetworks = `^([^/]*[.])?(${networks.map((domain) => domain.replaceAll(".", "[.]")).join("|")})/|^io[.]cilium[./]`;

/** Has an autoscaler remove a node with the pod on it or not. */
export const safeToEvict = "cluster-autoscaler.kubernetes.io/safe-to-evict";

/** What these plugins write into a running pod: a copy of it has them too. */
export const results = "^cni[.]projectcalico[.]org/(podIPs?|containerID)$|^k8s[.]v1[.]cni[.]cncf[.]io/network-status$";
