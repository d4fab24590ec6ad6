import { imageFilter, imageRules } from "../../../config/images.ts";
import type { Member } from "../../../config/member/member.ts";
import { promisesPage } from "../pages.ts";
import type { Attempts } from "./attempt.ts";
import type { Permitted } from "./permitted.ts";

const withVolume = (source: object) => ({ pod: { volumes: [{ name: "data", ...source }] } });
const secured = (securityContext: object) => ({ container: { securityContext } });
/** Asks what only nodes reach. */
const host = { httpGet: { host: "169.254.169.254", port: 80 } };

/** What `baseline` allows. */
const ofRestricted = ({ pod }: Permitted) => ({
  "ran a container as any user, with the kernel's default rights": pod(secured({})),
  "ran a container that may gain rights": pod(secured({ allowPrivilegeEscalation: true })),
});

export const ofNodes = (may: Permitted, { type }: Member): Attempts => {
  const { pod, deployment } = may;
  return {
    promise: "Pods don't reach the node",
    page: promisesPage,
    attempts: {
      "ran a privileged container": pod(secured({ privileged: true })),
      "ran a privileged init container": pod({
        pod: { initContainers: [{ ...may.container({ securityContext: { privileged: true } }), name: "first" }] },
      }),
      "ran a container with SYS_ADMIN": pod(secured({ capabilities: { add: ["SYS_ADMIN"] } })),
      "ran a container without seccomp": pod(secured({ seccompProfile: { type: "Unconfined" } })),
      "mounted the node's files": pod(withVolume({ hostPath: { path: "/" } })),
      "joined the node's network": pod({ pod: { hostNetwork: true, hostUsers: undefined } }),
      "saw the node's processes": pod({ pod: { hostPID: true, hostUsers: undefined } }),
      "shared the node's memory": pod({ pod: { hostIPC: true, hostUsers: undefined } }),
      "took a port of the node": pod({ container: { ports: [{ containerPort: 80, hostPort: 80 }] } }),
      "had a probe call another host": deployment({ container: { livenessProbe: host } }),
      "had a hook call another host": deployment({ container: { lifecycle: { postStart: host } } }),
      ...(type.podSecurity === "restricted" ? ofRestricted(may) : {}),
    },
  };
};

const apart = (term: object) => ({
  pod: {
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: "kubernetes.io/hostname", labelSelector: {}, ...term },
        ],
      },
    },
  },
});
const tolerates = (toleration: object) => ({ pod: { tolerations: [{ operator: "Exists", ...toleration }] } });

export const ofPlaces = ({ pod, deployment, cronJob }: Permitted): Attempts => ({
  promise: "Pods don't displace others",
  page: promisesPage,
  attempts: {
    "ran a pod with the priority of the cluster's own": pod({ pod: { priorityClassName: "system-node-critical" } }),
    "made a CronJob with the priority of the cluster's own": cronJob({
      pod: { priorityClassName: "system-node-critical" },
    }),
    "ran a pod on a node by its name": pod({ pod: { nodeName: "kubecamp-verify" } }),
    "ran a pod that tolerates everything": pod(tolerates({})),
    "ran a pod on the control plane's nodes": pod(tolerates({ key: "node-role.kubernetes.io/control-plane" })),
    "made a Deployment for nodes of critical pods": deployment(tolerates({ key: "CriticalAddonsOnly" })),
    "kept pods of all namespaces off its node": pod(apart({ namespaceSelector: {} })),
    "kept pods of kube-system off its node": deployment(apart({ namespaces: ["kube-system"] })),
    "had the node mount a remote disk": pod(withVolume({ nfs: { server: "192.0.2.1", path: "/" } })),
    "had the node mount a disk by a driver": deployment(withVolume({ csi: { driver: "nfs.csi.k8s.io" } })),
  },
});

const offTheList = "kubecamp.invalid/verify:1";

/** Images that a list refuses, for a member with one. */
export function forbiddenImage({ images = ["*"] }: Pick<Member, "images">): string | undefined {
  const rules = imageRules(images);
  return rules === undefined || imageFilter(rules)(offTheList) ? undefined : offTheList;
}

export const imagesPromise = { promise: "Only listed images run", page: "docs/reference/images.md" };

export function ofImages({ container, pod, deployment, cronJob }: Permitted, member: Member): Attempts {
  const image = forbiddenImage(member);
  const more = { ...container({ image }), name: "more" };
  return {
    ...imagesPromise,
    attempts:
      image === undefined
        ? {}
        : {
            "ran an image off the list": pod({ container: { image } }),
            "ran an image off the list in a second container": pod({ pod: { containers: [container(), more] } }),
            "ran an image off the list in an init container": pod({ pod: { initContainers: [more] } }),
            "mounted an image off the list": pod(withVolume({ image: { reference: image } })),
            "made a Deployment with an image off the list": deployment({ container: { image } }),
            "made a CronJob with an image off the list": cronJob({ container: { image } }),
          },
  };
}

const annotated = (key: string, value: string) => ({ annotations: { [key]: value } });

export const ofAnnotations = ({ pod, deployment, cronJob }: Permitted): Attempts => ({
  promise: "No annotation of members' pods chooses another network or address, or keeps a node from being removed",
  page: promisesPage,
  attempts: {
    "joined another network (Multus)": pod({ metadata: annotated("k8s.v1.cni.cncf.io/networks", "kube-system/nodes") }),
    "chose a pod's address (Calico)": pod({ metadata: annotated("cni.projectcalico.org/ipAddrs", '["192.0.2.1"]') }),
    "kept a Deployment's nodes (Karpenter)": deployment({ ofPods: annotated("karpenter.sh/do-not-disrupt", "true") }),
    "kept a CronJob's nodes (Cluster Autoscaler)": cronJob({
      ofPods: annotated("cluster-autoscaler.kubernetes.io/safe-to-evict", "false"),
    }),
  },
});
