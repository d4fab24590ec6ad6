/** Each promise of docs/security/security.md with the tests that try to break it, by path from this folder. */
export const promises: Readonly<Record<string, readonly string[]>> = {
  "Only the issuer's tokens sign members in, never as a user or group of Kubernetes": ["access/signIn.ts"],
  "Elsewhere, members read only what the [matrix](../reference/access-matrix.md) lists, never logs, ConfigMaps, Secrets or events":
    ["access/matrix.ts", "hostile/neighbour.ts"],
  "Members change nothing of others, the platform or the cluster": [
    "access/matrix.ts",
    "hostile/neighbour.ts",
    "hostile/control.ts",
  ],
  "Nor do they change their namespace's labels and annotations, quota, limits, network policies, roles, bindings, ServiceAccounts or policies' inputs, impersonate, or make ServiceAccount tokens or certificates":
    ["access/matrix.ts", "hostile/rails.ts", "hostile/control.ts", "hostile/identities.ts"],
  "Services lead to pods of their namespace, from within the cluster: no ExternalName, external IPs, NodePort, LoadBalancer, chosen cluster IP or ingress controller's annotations":
    ["admission/policies.ts", "hostile/services.ts"],
  "Nobody takes another's host or path": [
    "hostile/services.ts",
    "admission/policies.ts",
    "../program/route/route.test.ts",
  ],
  "Pods don't reach the node: Pod Security `baseline` or `restricted` in a pinned version, no probe or hook that calls another host":
    ["hostile/pods.ts", "admission/policies.ts"],
  "Pods don't displace others: only allowed PriorityClasses, no `nodeName`, no toleration of control plane taints (`node-role.kubernetes.io/…`, `CriticalAddonsOnly`), no affinity to or against others' pods, no remote volume that the node mounts":
    ["admission/policies.ts", "hostile/placement.ts"],
  "Only listed images run, in every container and volume": ["admission/images.ts", "hostile/images.ts"],
  "Nobody exceeds their share of CPU, memory, storage, pods and other objects": [
    "hostile/amounts.ts",
    "hostile/uncounted.ts",
    "../program/objects/acceptance.test.ts",
  ],
  "Where a [type's settings](../run/labs.md) say so, pods have only its devices, StorageClasses, RuntimeClasses and nodes, at most as many, and root in them is nobody on the node; no other pods run on its nodes":
    ["admission/pools.ts"],
  "Nobody exceeds the [amounts](../reference/limits.md#amounts)": [
    "hostile/amounts.ts",
    "hostile/settings.ts",
    "hostile/placement.ts",
    "hostile/byHand.ts",
    "admission/policies.ts",
  ],
  "Nothing outlasts a member: no finalizer that nobody removes, no pod with a long grace period, no token without expiry":
    ["hostile/lasting.ts", "hostile/deputies.ts"],
  "Access and routes end in the run that ends them, for [new requests](#the-cluster); no member can delay that": [
    "hostile/lasting.ts",
    "../program/membership/suspension.test.ts",
    "../program/membership/offboarding.test.ts",
  ],
  "Suspended members have no pods and no new Jobs": ["../program/membership/suspension.test.ts"],
  "No member's object stops `kubecamp up` or the watch for others, [but for a refresh](#the-cluster), or delays the end of access":
    ["hostile/reserved.ts", "marks.more.ts", "../program/route/gateway.test.ts", "../program/route/readiness.test.ts"],
  "Only the platform writes kubecamp's objects in members' namespaces (of buckets, a Gateway's CA and login, the certificate of their host, a kept starter app except its scale, [objects](../run/objects.md) without `theirs`), and no member's object passes for one":
    [
      "hostile/reserved.ts",
      "../program/objects/starter.test.ts",
      "../program/buckets/buckets.test.ts",
      "customKinds.more.ts",
      "given.test.ts",
    ],
  "No annotation of members' pods chooses another network or address (Multus, Calico, Cilium, Kube-OVN, OVN-Kubernetes, Antrea, Spiderpool, GKE, AWS), or keeps an autoscaler from removing a node (`karpenter.sh/`, `safe-to-evict` other than `true`)":
    ["hostile/reserved.ts"],
  "Whoever may edit the [members file alone](../run/pull-requests.md#the-repositorys-settings) can't take over namespaces, objects beside the controller or buckets, nor use a name of the cluster's software or of a domain":
    ["../program/membership/adoption.test.ts"],
  "Pods get no API token by default": ["hostile/rails.ts", "../program/objects/acceptance.test.ts"],
  "Pods reach their namespace, DNS and public addresses, no private or metadata addresses; only their namespace and the ingress controller reach them":
    ["admission/network.ts"],
  "[CI jobs](../run/pipelines.md) do what their member may at home, and nothing elsewhere; no other job, and no token longer than an hour":
    ["people/pipelines.ts"],
  "[Staff](../run/staff.md) do in a member's namespace what their role says, nothing elsewhere, and a restart changes nothing else":
    ["people/staff.ts"],
  "Access begins after the guard rails and ends before them": [
    "../program/membership/lifecycle.test.ts",
    "../program/membership/offboarding.test.ts",
  ],
  "A preview needs no right to write, read Secrets or logs, or enter containers": ["previewIdentity.more.ts"],
};
