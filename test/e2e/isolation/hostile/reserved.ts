import { signatureKey, unknown } from "../../../../config/names/pulumiMarks.ts";
import {
  change,
  create,
  cronJob,
  deploy,
  each,
  type Group,
  home,
  inside,
  labels,
  make,
  named,
  patch,
  pod,
  policy,
  refused,
  workload,
} from "./attempt.ts";

const configMap = home("configmaps/theirs");
const platforms = (words: string) => policy("reserved", words);
/** Pulumi's mark of a file. */
const asset = "c44067f5952c0a294b673a41bacd8c17";
const knows = "which only the platform may set: leave it out";

const safeToEvict = "cluster-autoscaler.kubernetes.io/safe-to-evict";
const acts = platforms(
  "has the annotation '.*', by which its pods would choose their network or keep their node: leave it",
);
const annotated = (name: string, annotations: Readonly<Record<string, string>>) => ({
  ...pod(name),
  metadata: { name, labels, annotations },
});
const steered = (annotations: Readonly<Record<string, string>>) =>
  change("pods/steered", { metadata: { annotations } });
const deploys = (annotations: Readonly<Record<string, string>>) => deploy("evicted", {}, {}, { annotations });

/** Names, labels and annotations that runs rely on and that only runs may write. */
export const reserved: Group = {
  on: "what is kubecamp's at home",
  attempts: [
    [
      "makes the Secret with the certificate of their path, which controllers would serve for any host in it",
      make("secrets", named("kubecamp-route-tls", { data: {} })),
      policy(
        "reserved",
        "Secret 'kubecamp-route-tls' belongs to the platform, and only the platform can create, change or delete it",
      ),
    ],
    [
      "makes the ConfigMap with the CA that a Gateway's routes would have",
      make("configmaps", named("kubecamp-backend-ca", { immutable: true, data: { "ca.crt": "mine" } })),
      platforms(
        "ConfigMap 'kubecamp-backend-ca' belongs to the platform, and only the platform can create, change or delete it",
      ),
    ],
    [
      "labels a Secret as a bucket's",
      make("secrets", { metadata: { name: "mine", labels: { "kubecamp.dev/bucket": "mine" } } }),
      platforms(`Secret 'mine' has 'kubecamp.dev/bucket=mine', ${knows}`),
    ],
    ...refused(platforms(`Deployment 'starter' has 'kubecamp.dev/(stack=x|member=mallory)', ${knows}`), {
      "labels a Deployment as one of a member who leaves another stack": make("deployments", {
        ...workload("starter"),
        metadata: { name: "starter", labels: { "kubecamp.dev/stack": "x", "kubecamp.dev/member": "mallory" } },
      }),
    }),
    [
      "annotates an existing ConfigMap as applied by a run",
      patch(configMap, { metadata: { annotations: { "kubecamp.dev/applied": "0123456789abcdef" } } }),
      platforms(`ConfigMap 'theirs' has 'kubecamp.dev/applied=0123456789abcdef', ${knows}`),
    ],
    [
      "labels a ConfigMap as managed by kubecamp",
      patch(configMap, { metadata: { labels: { "app.kubernetes.io/managed-by": "kubecamp" } } }),
      platforms(`ConfigMap 'theirs' has 'app.kubernetes.io/managed-by=kubecamp', ${knows}`),
    ],
    [
      "gives a ConfigMap a label that Pulumi takes for a mark of its own",
      patch(configMap, { metadata: { labels: { [signatureKey]: "x" } } }),
      platforms(`ConfigMap 'theirs' has '${signatureKey}=x', ${knows}`),
    ],
    [
      "has Pulumi take a ConfigMap for a file that is on the machine of the run",
      patch(configMap, { data: { [signatureKey]: asset, path: "/dev/zero" } }),
      platforms(`ConfigMap 'theirs' has the key ${signatureKey}`),
    ],
    [
      "has Pulumi take a Secret's type for an unknown value",
      make("secrets", { metadata: { name: "mine" }, type: unknown }),
      platforms(`Secret 'mine' has the key ${signatureKey}, or a type,`),
    ],
    ...refused(platforms(`Deployment 'starter' has the key ${signatureKey}`), {
      "has Pulumi take the annotations of a Deployment's pods for a file": deploy(
        "starter",
        {},
        {},
        { annotations: { [signatureKey]: asset } },
      ),
    }),
    [
      "annotates a pod so that it joins another network",
      make("pods", annotated("networks", { "k8s.v1.cni.cncf.io/networks": "kube-system/nodes" })),
      platforms("Pod 'networks' has the annotation 'k8s.v1.cni.cncf.io/networks=kube-system/nodes', by which"),
    ],
    ...refused(acts, {
      ...each(
        {
          "gives a running pod another address by Calico's annotation": {
            "cni.projectcalico.org/ipAddrs": '["10.0.0.10"]',
          },
          "gives a running pod another address by Kube-OVN's annotation": {
            "ovn.kubernetes.io/ip_address": "10.0.0.10",
          },
          "gives a running pod an address on a further network": {
            "net.default.ovn.kubernetes.io/ip_address": "10.0.0.10",
          },
          "takes a running pod out of Cilium's rules": { "policy.cilium.io/no-track-port": "53" },
          "keeps a running pod's node from being removed": { "karpenter.sh/do-not-disrupt": "true" },
        },
        steered,
      ),
      "has a Deployment's pods keep their nodes from being removed": deploys({ [safeToEvict]: "false" }),
      "has a CronJob's pods keep their nodes from being removed": make(
        "cronjobs",
        cronJob("keep", {}, {}, { annotations: { [safeToEvict]: "" } }),
      ),
    }),
    [
      "annotates a pod of an admin's so that it joins another network",
      create(inside("ada", "pods"), annotated("networks", { "k8s.v1.cni.cncf.io/networks": "nodes" })),
      acts,
      "ada",
    ],
  ],
  controls: {
    "runs a pod with an annotation of their own": make("pods", annotated("steered", { team: "a" })),
    "annotates a pod that it may be evicted": steered({
      [safeToEvict]: "true",
      "kubernetes.io/egress-bandwidth": "1M",
    }),
    "annotates a Deployment's pods that they may be evicted": deploys({ [safeToEvict]: "true" }),
    "makes a ConfigMap with a file of any other name": make(
      "configmaps",
      named("pages", { data: { [`${signatureKey}.txt`]: "x" } }),
    ),
    "makes a ConfigMap that Helm manages": make("configmaps", {
      metadata: { name: "theirs", labels: { "app.kubernetes.io/managed-by": "Helm" }, annotations: { a: "b" } },
    }),
    "changes a ConfigMap that Helm manages": patch(configMap, { data: { a: "b" } }),
  },
};
