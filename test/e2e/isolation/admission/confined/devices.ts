import { type Attempt, create, inside, merge, named, refused } from "../../hostile/attempt.ts";
import { container, deploys, gpu, pod, pods, policy, runs } from "./attempt.ts";

export const templates = inside("ann", "resourceclaimtemplates");
export const resourceClaims = inside("ann", "resourceclaims");
export const asking = (request: object) => ({ devices: { requests: [{ name: "one", ...request }] } });
export const ofClass = (deviceClassName: string, more: object = {}) => ({ exactly: { deviceClassName, ...more } });
const claims = (request: object) => create(resourceClaims, named("a", { spec: asking(request) }));
const claimsByTemplate = (request: object) => create(templates, named("a", { spec: { spec: asking(request) } }));

/** Devices that ann may not have. */
export const devices: readonly Attempt[] = [
  [
    "refuses a device that the type does not name",
    create(pods, pod("a", "amd.com/gpu")),
    policy(
      "devices",
      "Pod 'a' asks for the device 'amd.com/gpu', which namespace 'ann' may not have: it may have gpu.example.com, nvidia.com/gpu; leave it out, or ask platform@example.org",
    ),
  ],
  [
    "refuses a device that the type does not name, in an init container",
    runs({ initContainers: [{ ...container("amd.com/gpu"), name: "first" }] }),
    policy("devices", "Pod 'a' asks for the device 'amd.com/gpu'"),
  ],
  [
    "refuses a device that the type does not name, by a Deployment",
    deploys({ containers: [container("amd.com/gpu")] }),
    policy("devices", "Deployment 'a' asks for the device 'amd.com/gpu'"),
  ],
  [
    "refuses a device for an ephemeral container",
    merge(`${pods}/plain/ephemeralcontainers`, {
      spec: { ephemeralContainers: [{ ...container(gpu), name: "later" }] },
    }),
    /spec.ephemeralContainers\[0\].resources: Forbidden/,
  ],
  ["refuses more devices than the type says", create(pods, pod("a", gpu, "2")), /exceeded quota: quota/],
  [
    "refuses a device of another class, by a ResourceClaim",
    claims(ofClass("tpu.example.com")),
    policy(
      "devices",
      "ResourceClaim 'a' asks for a device of class 'tpu.example.com', which namespace 'ann' may not have",
    ),
  ],
  ...refused(policy("devices", "ResourceClaim 'a' asks for a device of class 'tpu.example.com'"), {
    "refuses a device of another class as the first choice of a ResourceClaim": claims({
      firstAvailable: ["tpu", "gpu"].map((name) => ({ name, deviceClassName: `${name}.example.com` })),
    }),
  }),
  [
    "refuses a device of another class, by a ResourceClaimTemplate",
    claimsByTemplate(ofClass("tpu.example.com")),
    policy("devices", "ResourceClaimTemplate 'a' asks for a device of class 'tpu.example.com'"),
  ],
  [
    "refuses a device of another class, as an extended resource",
    create(pods, pod("a", "deviceclass.resource.kubernetes.io/tpu.example.com")),
    policy("devices", "Pod 'a' asks for the device 'deviceclass.resource.kubernetes.io/tpu.example.com'"),
  ],
  [
    "refuses others' devices, by adminAccess",
    claimsByTemplate(ofClass("gpu.example.com", { adminAccess: true })),
    /adminAccess/,
  ],
  [
    "refuses all devices of an allowed class at once",
    claims(ofClass("gpu.example.com", { allocationMode: "All" })),
    /exceeded quota: quota, requested: gpu.example.com.deviceclass.resource.k8s.io\/devices=/,
  ],
  ...refused(policy("finalizers", "ResourceClaim 'a' has the finalizer 'example.org/never'"), {
    "refuses a ResourceClaim that nobody can delete": create(resourceClaims, {
      metadata: { name: "a", finalizers: ["example.org/never"] },
      spec: asking(ofClass("gpu.example.com")),
    }),
  }),
];
