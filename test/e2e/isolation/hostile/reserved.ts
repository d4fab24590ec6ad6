import { signatureKey, unknown } from "../../../../naming/pulumiMarks.ts";
import { create, type Group, home, inside, labels, named, patch, pod, policy, template, workload } from "./attempt.ts";

const configMap = home("configmaps/theirs");
const refused = (words: string) => policy("reserved", words);
/** Pulumi's mark of a file. */
const asset = "c44067f5952c0a294b673a41bacd8c17";
const knows = "which only the platform may set: leave it out";

const safeToEvict = "cluster-autoscaler.kubernetes.io/safe-to-evict";
const acts = refused(
  "has the annotation '.*', by which its pods would choose their network or keep their node: leave it",
);
const annotated = (name: string, annotations: Readonly<Record<string, string>>) => {
  const { metadata, ...rest } = pod(name);
  return { ...rest, metadata: { ...metadata, annotations } };
};
const steered = (annotations: Readonly<Record<string, string>>) =>
  patch(home("pods/steered"), { metadata: { annotations } });
const deploys = (annotations: Readonly<Record<string, string>>) =>
  create(home("deployments"), {
    ...workload("evicted"),
    spec: { selector: { matchLabels: labels }, template: { ...template(), metadata: { labels, annotations } } },
  });

/** Names, labels and annotations that runs rely on and that only runs may write. */
export const reserved: Group = {
  on: "what is kubecamp's at home",
  attempts: [
    [
      "makes the ConfigMap with the CA that a Gateway's routes would have",
      create(home("configmaps"), named("kubecamp-backend-ca", { immutable: true, data: { "ca.crt": "mine" } })),
      refused(
        "ConfigMap 'kubecamp-backend-ca' belongs to the platform, and only the platform can create, change or delete it",
      ),
    ],
    [
      "labels a Secret as a bucket's",
      create(home("secrets"), { metadata: { name: "mine", labels: { "kubecamp.dev/bucket": "mine" } } }),
      refused(`Secret 'mine' has 'kubecamp.dev/bucket=mine', ${knows}`),
    ],
    [
      "labels a Deployment as one of a member who leaves another stack",
      create(home("deployments"), {
        ...workload("starter"),
        metadata: { name: "starter", labels: { "kubecamp.dev/stack": "x", "kubecamp.dev/member": "mallory" } },
      }),
      refused(`Deployment 'starter' has 'kubecamp.dev/(stack=x|member=mallory)', ${knows}`),
    ],
    [
      "annotates an existing ConfigMap as applied by a run",
      patch(configMap, { metadata: { annotations: { "kubecamp.dev/applied": "0123456789abcdef" } } }),
      refused(`ConfigMap 'theirs' has 'kubecamp.dev/applied=0123456789abcdef', ${knows}`),
    ],
    [
      "labels a ConfigMap as managed by kubecamp",
      patch(configMap, { metadata: { labels: { "app.kubernetes.io/managed-by": "kubecamp" } } }),
      refused(`ConfigMap 'theirs' has 'app.kubernetes.io/managed-by=kubecamp', ${knows}`),
    ],
    [
      "gives a ConfigMap a label that Pulumi takes for a mark of its own",
      patch(configMap, { metadata: { labels: { [signatureKey]: "x" } } }),
      refused(`ConfigMap 'theirs' has '${signatureKey}=x', ${knows}`),
    ],
    [
      "has Pulumi take a ConfigMap for a file that is on the machine of the run",
      patch(configMap, { data: { [signatureKey]: asset, path: "/dev/zero" } }),
      refused(`ConfigMap 'theirs' has the key ${signatureKey}`),
    ],
    [
      "has Pulumi take a Secret's type for an unknown value",
      create(home("secrets"), { metadata: { name: "mine" }, type: unknown }),
      refused(`Secret 'mine' has the key ${signatureKey}, or a type,`),
    ],
    [
      "has Pulumi take the annotations of a Deployment's pods for a file",
      create(home("deployments"), {
        ...workload("starter"),
        spec: {
          selector: { matchLabels: labels },
          template: { ...template(), metadata: { labels, annotations: { [signatureKey]: asset } } },
        },
      }),
      refused(`Deployment 'starter' has the key ${signatureKey}`),
    ],
    [
      "annotates a pod so that it joins another network",
      create(home("pods"), annotated("networks", { "k8s.v1.cni.cncf.io/networks": "kube-system/nodes" })),
      refused("Pod 'networks' has the annotation 'k8s.v1.cni.cncf.io/networks=kube-system/nodes', by which"),
    ],
    [
      "gives a running pod another address by Calico's annotation",
      steered({ "cni.projectcalico.org/ipAddrs": '["10.0.0.10"]' }),
      acts,
    ],
    [
      "gives a running pod another address by Kube-OVN's annotation",
      steered({ "ovn.kubernetes.io/ip_address": "10.0.0.10" }),
      acts,
    ],
    [
      "gives a running pod an address on a further network",
      steered({ "net.default.ovn.kubernetes.io/ip_address": "10.0.0.10" }),
      acts,
    ],
    ["takes a running pod out of Cilium's rules", steered({ "policy.cilium.io/no-track-port": "53" }), acts],
    ["keeps a running pod's node from being removed", steered({ "karpenter.sh/do-not-disrupt": "true" }), acts],
    ["has a Deployment's pods keep their nodes from being removed", deploys({ [safeToEvict]: "false" }), acts],
    [
      "has a CronJob's pods keep their nodes from being removed",
      create(
        home("cronjobs"),
        named("keep", {
          spec: {
            schedule: "@yearly",
            jobTemplate: {
              spec: {
                template: { ...template({ restartPolicy: "Never" }), metadata: { annotations: { [safeToEvict]: "" } } },
              },
            },
          },
        }),
      ),
      acts,
    ],
    [
      "annotates a pod of an admin's so that it joins another network",
      ({ ask }) =>
        ask("POST", inside("ada", "pods"), annotated("networks", { "k8s.v1.cni.cncf.io/networks": "nodes" })),
      acts,
      "ada",
    ],
  ],
  controls: [
    ["runs a pod with an annotation of their own", create(home("pods"), annotated("steered", { team: "a" }))],
    [
      "annotates a pod that it may be evicted",
      steered({ [safeToEvict]: "true", "kubernetes.io/egress-bandwidth": "1M" }),
    ],
    ["annotates a Deployment's pods that they may be evicted", deploys({ [safeToEvict]: "true" })],
    [
      "makes a ConfigMap with a file of any other name",
      create(home("configmaps"), named("pages", { data: { [`${signatureKey}.txt`]: "x" } })),
    ],
    [
      "makes a ConfigMap that Helm manages",
      create(home("configmaps"), {
        metadata: { name: "theirs", labels: { "app.kubernetes.io/managed-by": "Helm" }, annotations: { a: "b" } },
      }),
    ],
    ["changes a ConfigMap that Helm manages", patch(configMap, { data: { a: "b" } })],
  ],
};
