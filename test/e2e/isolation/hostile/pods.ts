import {
  capable,
  cronJob,
  debug,
  deploy,
  each,
  type Group,
  image,
  make,
  named,
  podSecurity,
  policy,
  refused,
  run,
  template,
} from "./attempt.ts";

const secured = (securityContext: object) => ({ securityContext });
const elsewhere = { host: "169.254.169.254", port: 80 };
const asks = policy("pods", "has the node ask the host '169.254.169.254' in a probe or a lifecycle hook");
const volume = (source: object) => ({ volumes: [{ name: "data", ...source }] });

/** Pods that would reach the node. */
export const pods: Group = {
  on: "the node that a pod is on",
  attempts: [
    ...refused(podSecurity("privileged"), {
      "runs a privileged container": run("a", {}, secured({ privileged: true })),
      "runs a privileged container before the others": run("b", {
        initContainers: [{ name: "root", image, ...secured({ privileged: true }) }],
      }),
      "adds a privileged container to a running pod": debug("web", secured({ privileged: true })),
    }),
    ...refused(podSecurity("non-default capabilities"), {
      "adds a container that may trace other processes to a running pod": debug("web", capable("SYS_PTRACE")),
      "runs a container with SYS_ADMIN, the widest right of the kernel": run("i", {}, capable("SYS_ADMIN")),
      "runs a container that may forge packets": run("j", {}, capable("NET_RAW")),
    }),
    ...refused(podSecurity("hostPath volumes"), {
      "mounts the node's files": run("c", volume({ hostPath: { path: "/" } })),
      "mounts a part of a single directory of the node": run("d", volume({ hostPath: { path: "/var/lib/kubelet" } }), {
        volumeMounts: [{ name: "data", mountPath: "/data", subPath: "pods" }],
      }),
    }),
    ["joins the node's network", run("e", { hostNetwork: true }), podSecurity("host namespaces")],
    ["sees the node's processes", run("f", { hostPID: true }), podSecurity("host namespaces")],
    ["shares the node's memory", run("g", { hostIPC: true }), podSecurity("host namespaces")],
    ...refused(podSecurity("hostPort"), {
      "takes a port of the node": run("h", {}, { ports: [{ containerPort: 80, hostPort: 80 }] }),
    }),
    [
      "sets a parameter of the kernel (sysctl)",
      run("k", { securityContext: { sysctls: [{ name: "kernel.msgmax", value: "1" }] } }),
      podSecurity("forbidden sysctls"),
    ],
    ...refused(podSecurity("seccompProfile"), {
      "runs a pod without seccomp": run("l", { securityContext: { seccompProfile: { type: "Unconfined" } } }),
    }),
    ...refused(podSecurity("forbidden AppArmor profile"), {
      "runs a pod without AppArmor": run("m", { securityContext: { appArmorProfile: { type: "Unconfined" } } }),
    }),
    ...refused(podSecurity("seLinuxOptions"), {
      "picks a type of SELinux for a pod": run("n", { securityContext: { seLinuxOptions: { type: "spc_t" } } }),
    }),
    ["sees all of /proc in a container", run("o", {}, secured({ procMount: "Unmasked" })), /procMount/],
    ...refused(podSecurity(".*hostProcess"), {
      "runs a pod as a process of a Windows node": run("p", {
        hostNetwork: true,
        securityContext: { windowsOptions: { hostProcess: true, runAsUserName: "NT AUTHORITY\\SYSTEM" } },
      }),
    }),
    [
      "has the kubelet's probe ask another address",
      run("q", {}, { livenessProbe: { httpGet: elsewhere } }),
      podSecurity("probe or lifecycle host"),
    ],
    ...refused(asks, {
      ...each(
        {
          "has a Deployment's liveness probe ask another address": { livenessProbe: { httpGet: elsewhere } },
          "has a Deployment's readiness probe ask another address by TCP": { readinessProbe: { tcpSocket: elsewhere } },
          "has a Deployment's startup probe ask another address": { startupProbe: { httpGet: elsewhere } },
          "has a postStart hook ask another address": { lifecycle: { postStart: { httpGet: elsewhere } } },
          "has a preStop hook ask another address by TCP": { lifecycle: { preStop: { tcpSocket: elsewhere } } },
        },
        (container) => deploy("q", {}, container),
      ),
      "has the probe of a sidecar container ask another address": deploy("q", {
        initContainers: [{ name: "beside", image, restartPolicy: "Always", livenessProbe: { httpGet: elsewhere } }],
      }),
      "has the probe of a CronJob's pods ask another address": make(
        "cronjobs",
        cronJob("q", {}, { livenessProbe: { httpGet: elsewhere } }),
      ),
    }),
    ...refused(/serviceaccount "namespace-controller" not found/, {
      "runs a pod as a controller's ServiceAccount": run("r", { serviceAccountName: "namespace-controller" }),
    }),
  ],
  controls: {
    "runs a pod": run("web", {}),
    "runs a Deployment with probes and a hook that ask its own pods": deploy(
      "asked",
      {},
      {
        livenessProbe: { httpGet: { path: "/", port: 80 } },
        readinessProbe: { tcpSocket: { port: 80 } },
        lifecycle: { preStop: { httpGet: { path: "/bye", port: 80 } } },
      },
    ),
    "adds a container for debugging to a running pod": debug("web", { name: "look", targetContainerName: "web" }),
    "runs a Job": make("jobs", named("once", { spec: { template: template({ restartPolicy: "Never" }) } })),
  },
};
