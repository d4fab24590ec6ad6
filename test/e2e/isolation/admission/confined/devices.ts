import { type Attempt, container, deployments, gpu, named, pod, pods, policy } from "./attempt.ts";

export const templates = "/apis/resource.k8s.io/v1/namespaces/ann/resourceclaimtemplates";
export const resourceClaims = "/apis/resource.k8s.io/v1/namespaces/ann/resourceclaims";
export const asking = (request: object) => ({ devices: { requests: [{ name: "one", ...request }] } });
export const ofClass = (deviceClassName: string, more: object = {}) => ({ exactly: { deviceClassName, ...more } });

/** Devices that ann may not have. */
export const devices: readonly Attempt[] = [
  [
    "a device that is not named",
    "POST",
    pods,
    pod("a", "amd.com/gpu"),
    policy(
      "devices",
      "Pod 'a' asks for the device 'amd.com/gpu', which namespace 'ann' may not have: it may have gpu.example.com, nvidia.com/gpu; leave it out, or ask platform@example.org",
    ),
  ],
  [
    "one in a container before the others",
    "POST",
    pods,
    named("a", {
      spec: { containers: [container()], initContainers: [{ ...container("amd.com/gpu"), name: "first" }] },
    }),
    policy("devices", "Pod 'a' asks for the device 'amd.com/gpu'"),
  ],
  [
    "one by a Deployment",
    "POST",
    deployments,
    named("a", {
      spec: {
        selector: { matchLabels: { app: "a" } },
        template: { metadata: { labels: { app: "a" } }, spec: pod("a", "amd.com/gpu").spec },
      },
    }),
    policy("devices", "Deployment 'a' asks for the device 'amd.com/gpu'"),
  ],
  [
    "one by an ephemeral container, which may have no resources at all",
    "PATCH",
    `${pods}/plain/ephemeralcontainers`,
    { spec: { ephemeralContainers: [{ ...container(gpu), name: "later" }] } },
    /spec.ephemeralContainers\[0\].resources: Forbidden/,
  ],
  ["more than one", "POST", pods, named("a", { spec: { containers: [container(gpu, "2")] } }), /exceeded quota: quota/],
  [
    "one of another class, by a claim",
    "POST",
    resourceClaims,
    named("a", { spec: asking(ofClass("tpu.example.com")) }),
    policy(
      "devices",
      "ResourceClaim 'a' asks for a device of class 'tpu.example.com', which namespace 'ann' may not have",
    ),
  ],
  [
    "one of another class, if there is one",
    "POST",
    resourceClaims,
    named("a", {
      spec: asking({
        firstAvailable: ["tpu", "gpu"].map((name) => ({ name, deviceClassName: `${name}.example.com` })),
      }),
    }),
    policy("devices", "ResourceClaim 'a' asks for a device of class 'tpu.example.com'"),
  ],
  [
    "one of another class, by a template",
    "POST",
    templates,
    named("a", { spec: { spec: asking(ofClass("tpu.example.com")) } }),
    policy("devices", "ResourceClaimTemplate 'a' asks for a device of class 'tpu.example.com'"),
  ],
  [
    "one of another class, as an extended resource",
    "POST",
    pods,
    pod("a", "deviceclass.resource.kubernetes.io/tpu.example.com"),
    policy("devices", "Pod 'a' asks for the device 'deviceclass.resource.kubernetes.io/tpu.example.com'"),
  ],
  [
    "those of others, by adminAccess",
    "POST",
    templates,
    named("a", { spec: { spec: asking(ofClass("gpu.example.com", { adminAccess: true })) } }),
    /adminAccess/,
  ],
  [
    "all of its class",
    "POST",
    resourceClaims,
    named("a", { spec: asking(ofClass("gpu.example.com", { allocationMode: "All" })) }),
    /exceeded quota: quota, requested: gpu.example.com.deviceclass.resource.k8s.io\/devices=/,
  ],
  [
    "to have a claim that nobody can delete",
    "POST",
    resourceClaims,
    { metadata: { name: "a", finalizers: ["example.org/never"] }, spec: asking(ofClass("gpu.example.com")) },
    policy("finalizers", "ResourceClaim 'a' has the finalizer 'example.org/never'"),
  ],
];
