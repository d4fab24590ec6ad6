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
      "runs a privileged container before the others",
      make("b", { initContainers: [{ name: "root", image, ...secured({ privileged: true }) }] }),
      podSecurity("privileged"),
    ],
    [
      "adds a privileged container to a running pod",
      merge(home("pods/web/ephemeralcontainers"), spy({ privileged: true })),
      podSecurity("privileged"),
    ],
    [
      "adds a container that may trace other processes to a running pod",
      merge(home("pods/web/ephemeralcontainers"), spy({ capabilities: { add: ["SYS_PTRACE"] } })),
      podSecurity("non-default capabilities"),
    ],
    ["mounts the node's files", make("c", volume({ hostPath: { path: "/" } })), podSecurity("hostPath volumes")],
    [
      "mounts a part of a single directory of the node",
      make("d", volume({ hostPath: { path: "/var/lib/kubelet" } }), {
        volumeMounts: [{ name: "data", mountPath: "/data", subPath: "pods" }],
      }),
      podSecurity("hostPath volumes"),
    ],
    ["joins the node's network", make("e", { hostNetwork: true }), podSecurity("host namespaces")],
    ["sees the node's processes", make("f", { hostPID: true }), podSecurity("host namespaces")],
    ["shares the node's memory", make("g", { hostIPC: true }), podSecurity("host namespaces")],
    [
      "takes a port of the node",
      make("h", {}, { ports: [{ containerPort: 80, hostPort: 80 }] }),
      podSecurity("hostPort"),
    ],
    [
      "runs a container with SYS_ADMIN, the widest right of the kernel",
      make("i", {}, secured({ capabilities: { add: ["SYS_ADMIN"] } })),
      podSecurity("non-default capabilities"),
    ],
    [
      "runs a container that may forge packets",
      make("j", {}, secured({ capabilities: { add: ["NET_RAW"] } })),
      podSecurity("non-default capabilities"),
    ],
    [
      "sets a parameter of the kernel (sysctl)",
      make("k", { securityContext: { sysctls: [{ name: "kernel.msgmax", value: "1" }] } }),
      podSecurity("forbidden sysctls"),
    ],
    [
      "runs a pod without seccomp",
      make("l", { securityContext: { seccompProfile: { type: "Unconfined" } } }),
      podSecurity("seccompProfile"),
    ],
    [
      "runs a pod without AppArmor",
      make("m", { securityContext: { appArmorProfile: { type: "Unconfined" } } }),
      podSecurity("forbidden AppArmor profile"),
    ],
    [
      "picks a type of SELinux for a pod",
      make("n", { securityContext: { seLinuxOptions: { type: "spc_t" } } }),
      podSecurity("seLinuxOptions"),
    ],
    ["sees all of /proc in a container", make("o", {}, secured({ procMount: "Unmasked" })), /procMount/],
    [
      "runs a pod as a process of a Windows node",
      make("p", {
        hostNetwork: true,
        securityContext: { windowsOptions: { hostProcess: true, runAsUserName: "NT AUTHORITY\\SYSTEM" } },
      }),
      podSecurity(".*hostProcess"),
    ],
    [
      "has the kubelet's probe ask another address",
      make("q", {}, { livenessProbe: { httpGet: { host: "169.254.169.254", port: 80 } } }),
      podSecurity("probe or lifecycle host"),
    ],
    [
      "has a Deployment's liveness probe ask another address",
      deploy("q", { livenessProbe: { httpGet: elsewhere } }),
      asks,
    ],
    [
      "has a Deployment's readiness probe ask another address by TCP",
      deploy("q", { readinessProbe: { tcpSocket: elsewhere } }),
      asks,
    ],
    [
      "has a Deployment's startup probe ask another address",
      deploy("q", { startupProbe: { httpGet: elsewhere } }),
      asks,
    ],
    [
      "has a postStart hook ask another address",
      deploy("q", { lifecycle: { postStart: { httpGet: elsewhere } } }),
      asks,
    ],
    [
      "has a preStop hook ask another address by TCP",
      deploy("q", { lifecycle: { preStop: { tcpSocket: elsewhere } } }),
      asks,
    ],
    [
      "has the probe of a sidecar container ask another address",
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
      "has the probe of a CronJob's pods ask another address",
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
      "runs a pod as a controller's ServiceAccount",
      make("r", { serviceAccountName: "namespace-controller" }),
      /serviceaccount "namespace-controller" not found/,
    ],
  ],
  controls: [
    ["runs a pod", make("web", {})],
    [
      "runs a Deployment with probes and a hook that ask its own pods",
      deploy("asked", {
        livenessProbe: { httpGet: { path: "/", port: 80 } },
        readinessProbe: { tcpSocket: { port: 80 } },
        lifecycle: { preStop: { httpGet: { path: "/bye", port: 80 } } },
      }),
    ],
    [
      "adds a container for debugging to a running pod",
      merge(home("pods/web/ephemeralcontainers"), {
        spec: { ephemeralContainers: [{ name: "look", image, targetContainerName: "web" }] },
      }),
    ],
    ["runs a Job", create(home("jobs"), named("once", { spec: { template: template({ restartPolicy: "Never" }) } }))],
  ],
};
