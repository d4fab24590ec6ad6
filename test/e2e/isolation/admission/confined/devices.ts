import { type Attempt, container, deployments, gpu, named, pod, pods, policy } from "./attempt.ts";

export const templates = "/apis/resource.k8s.io/v1/namespaces/ann/resourceclaimtemplates";
export const resourceClaims = "/apis/resource.k8s.io/v1/namespaces/ann/resourceclaims";
export const asking = (request: object) => ({ devices: { requests: [{ name: "one", ...request }] } });
export const ofClass = (deviceClassName: string, more: object = {}) => ({ exactly: { deviceClassName, ...more } });

/** Devices that ann may not have. */
export const devices: readonly Attempt[] = [
  [
    "refuses a device that the type does not name",
    "POST",
    pods,
    pod("a", "amd.com/gpu"),
    policy(
      "devices",
      "Pod 'a' asks for the device 'amd.com/gpu', which namespace 'ann' may not have: it may have gpu.example.com, nvidia.com/gpu; leave it out, or ask platform@example.org",
    ),
  ],
  [
    "refuses a device that the type does not name, in an init container",
    "POST",
    pods,
    named("a", {
      spec: { containers: [container()], initContainers: [{ ...container("amd.com/gpu"), name: "first" }] },
    }),
    policy("devices", "Pod 'a' asks for the device 'amd.com/gpu'"),
  ],
  [
    "refuses a device that the type does not name, by a Deployment",
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
    "refuses a device for an ephemeral container",
    "PATCH",
    `${pods}/plain/ephemeralcontainers`,
    { spec: { ephemeralContainers: [{ ...container(gpu), name: "later" }] } },
    /spec.ephemeralContainers\[0\].resources: Forbidden/,
  ],
  [
    "refuses more devices than the type says",
    "POST",
    pods,
    named("a", { spec: { containers: [container(gpu, "2")] } }),
    /exceeded quota: quota/,
  ],
  [
    "refuses a device of another class, by a ResourceClaim",
    "POST",
    resourceClaims,
    named("a", { spec: asking(ofClass("tpu.example.com")) }),
    policy(
      "devices",
      "ResourceClaim 'a' asks for a device of class 'tpu.example.com', which namespace 'ann' may not have",
    ),
  ],
  [
    "refuses a device of another class as the first choice of a ResourceClaim",
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
    "refuses a device of another class, by a ResourceClaimTemplate",
    "POST",
    templates,
    named("a", { spec: { spec: asking(ofClass("tpu.example.com")) } }),
    policy("devices", "ResourceClaimTemplate 'a' asks for a device of class 'tpu.example.com'"),
  ],
  [
    "refuses a device of another class, as an extended resource",
    "POST",
    pods,
    pod("a", "deviceclass.resource.kubernetes.io/tpu.example.com"),
    policy("devices", "Pod 'a' asks for the device 'deviceclass.resource.kubernetes.io/tpu.example.com'"),
  ],
  [
    "refuses others' devices, by adminAccess",
    "POST",
    templates,
    named("a", { spec: { spec: asking(ofClass("gpu.example.com", { adminAccess: true })) } }),
    /adminAccess/,
  ],
  [
    "refuses all devices of an allowed class at once",
    "POST",
    resourceClaims,
    named("a", { spec: asking(ofClass("gpu.example.com", { allocationMode: "All" })) }),
    /exceeded quota: quota, requested: gpu.example.com.deviceclass.resource.k8s.io\/devices=/,
  ],
  [
    "refuses a ResourceClaim that nobody can delete",
    "POST",
    resourceClaims,
    { metadata: { name: "a", finalizers: ["example.org/never"] }, spec: asking(ofClass("gpu.example.com")) },
    policy("finalizers", "ResourceClaim 'a' has the finalizer 'example.org/never'"),
  ],
];
