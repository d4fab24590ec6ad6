import {
  create,
  type Group,
  home,
  image,
  merge,
  named,
  pod,
  podSecurity,
  policy,
  template,
  workload,
} from "./attempt.ts";

const make = (name: string, spec: object, container: object = {}) => create(home("pods"), pod(name, spec, container));
const secured = (securityContext: object) => ({ securityContext });
const spy = (securityContext: object) => ({
  spec: { ephemeralContainers: [{ name: "spy", image, targetContainerName: "web", securityContext }] },
});
/** Pod Security judges pods alone, and checks these fields only from Kubernetes 1.34 on. */
const deploy = (name: string, container: object, spec: object = {}) =>
  create(home("deployments"), workload(name, spec, container));
const elsewhere = { host: "169.254.169.254", port: 80 };
const asks = policy("pods", "has the node ask the host '169.254.169.254' in a probe or a lifecycle hook");
const volume = (source: object) => ({ volumes: [{ name: "data", ...source }] });

/** Pods that would reach the node. */
export const pods: Group = {
  on: "the node that a pod is on",
  attempts: [
    ["runs a privileged container", make("a", {}, secured({ privileged: true })), podSecurity("privileged")],
    [
      "adds one to a running pod",
      merge(home("pods/web/ephemeralcontainers"), spy({ privileged: true })),
      podSecurity("privileged"),
    ],
    ["mounts the node's files", make("c", volume({ hostPath: { path: "/" } })), podSecurity("hostPath volumes")],
    ["joins the node's network", make("e", { hostNetwork: true }), podSecurity("host namespaces")],
    [
      "has all rights of the kernel",
      make("i", {}, secured({ capabilities: { add: ["SYS_ADMIN"] } })),
      podSecurity("non-default capabilities"),
    ],
    ["sees all of /proc", make("o", {}, secured({ procMount: "Unmasked" })), /procMount/],
    [
      "has the kubelet's probe ask another address",
      make("q", {}, { livenessProbe: { httpGet: { host: "169.254.169.254", port: 80 } } }),
      podSecurity("probe or lifecycle host"),
    ],
    ["has a Deployment's probe ask it", deploy("q", { livenessProbe: { httpGet: elsewhere } }), asks],
    ["has it asked when the container ends", deploy("q", { lifecycle: { preStop: { tcpSocket: elsewhere } } }), asks],
    [
      "has it asked for a container beside the others",
      deploy(
        "q",
        {},
        {
          initContainers: [{ name: "beside", image, restartPolicy: "Always", livenessProbe: { httpGet: elsewhere } }],
        },
      ),
      asks,
    ],
    [
      "has a CronJob's pods ask it",
      create(
        home("cronjobs"),
        named("q", {
          spec: {
            schedule: "* * * * *",
            jobTemplate: {
              spec: { template: template({ restartPolicy: "Never" }, { livenessProbe: { httpGet: elsewhere } }) },
            },
          },
        }),
      ),
      asks,
    ],
    [
      "runs as a controller's ServiceAccount",
      make("r", { serviceAccountName: "namespace-controller" }),
      /serviceaccount "namespace-controller" not found/,
    ],
  ],
  controls: [
    ["runs a pod", make("web", {})],
    [
      "runs one that is asked how it is",
      deploy("asked", {
        livenessProbe: { httpGet: { path: "/", port: 80 } },
        readinessProbe: { tcpSocket: { port: 80 } },
        lifecycle: { preStop: { httpGet: { path: "/bye", port: 80 } } },
      }),
    ],
    [
      "adds a container to it, to look for what is wrong",
      merge(home("pods/web/ephemeralcontainers"), {
        spec: { ephemeralContainers: [{ name: "look", image, targetContainerName: "web" }] },
      }),
    ],
    ["runs a Job", create(home("jobs"), named("once", { spec: { template: template({ restartPolicy: "Never" }) } }))],
  ],
};
