import type { Side } from "./fewEnough.ts";
import { partOfPods } from "./podSpecs.ts";

/**
 * CEL: annotations of the pods that an object is or makes; empty for other kinds. A custom kind may have something else
 * under these fields.
 */
export const podAnnotationsOf = (object: Side) =>
  `(${object} == null || !(request.resource.group in ['', 'apps', 'batch']) ? dyn({})
    : ${partOfPods(object, "metadata", "annotations")})`;

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

const ofNetworks = `^([^/]*[.])?(${networks.map((domain) => domain.replaceAll(".", "[.]")).join("|")})/|^io[.]cilium[./]`;

const safeToEvict = "cluster-autoscaler.kubernetes.io/safe-to-evict";

/** What these plugins write into a running pod: a copy of it has them too. */
const results = "^cni[.]projectcalico[.]org/(podIPs?|containerID)$|^k8s[.]v1[.]cni[.]cncf[.]io/network-status$";

/**
 * CEL: those of a map of them, with their values, by which a pod chooses its network, or keeps an autoscaler from removing
 * its node. That it may be evicted is nobody's harm.
 */
export const actingIn = (annotations: string) =>
  `${annotations}.filter(key, (key.matches('${ofNetworks}') && !key.matches('${results}')) || key.startsWith('karpenter.sh/')
    || (key == '${safeToEvict}' && string(${annotations}[key]) != 'true')).map(key, key + '=' + string(${annotations}[key]))`;
