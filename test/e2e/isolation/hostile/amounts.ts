import type { Answer } from "../../support/signIn/signedIn.ts";
import type { Ask, Attempt } from "./attempt.ts";
import {
  create,
  type Group,
  home,
  image,
  inside,
  labels,
  merge,
  named,
  patch,
  pod,
  podSpec,
  policy,
  rbac,
  template,
  tooMany,
  workload,
} from "./attempt.ts";

/** Makes a thousand until the first refusal, and returns that or the last answer. */
const thousandOf =
  (resource: string, made: (name: string) => object = named): Ask =>
  async ({ ask }) => {
    const answers: Answer[] = [];
    for (let index = 0; index < 1000 && answers.every(({ status }) => status < 400); index += 20) {
      const names = Array.from({ length: 20 }, (_, each) => `flood-${index + each}`);
      answers.push(...(await Promise.all(names.map((name) => ask("POST", home(resource), made(name))))));
    }
    return answers.find(({ status }) => status >= 400) ?? (answers.at(-1) as Answer);
  };
const claim = (storage: string) => ({ spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } } });
const limits = (of: object) => ({ resources: { limits: of } });

const little = { cpu: "10m", memory: "1Mi" };
const unlimited = (kind: string) =>
  policy("amounts", `${kind} 'own' has resources of the pod itself \\(spec.resources\\) without limits of both`);
const tooLong = (kind: string, name = "told") =>
  policy("amounts", `${kind} '${name}' has a text of more than 10000 characters`);

/** More than any quota or node has. */
const endless = 2_000_000_000;
/** Has labels of its own, since a controller adopts all pods that match its selector. */
const replicated = (name: string, replicas: number) => {
  const own = { app: name };
  return named(name, {
    spec: { replicas, selector: { matchLabels: own }, template: { metadata: { labels: own }, spec: podSpec() } },
  });
};
const fieldOf = (kind: string) => (kind === "Deployment" ? "replicas or maxSurge" : "replicas");
const atOnce = (kind: string, name: string, pods: number, field = fieldOf(kind), most = "'mallory' may have 50") =>
  policy(
    "amounts",
    `${kind} '${name}' asks for ${pods} pods at once \\(${field}\\), and namespace ${most}: ask for no more`,
  );
const job = (parallelism: number) => ({ parallelism, suspend: true, template: template({ restartPolicy: "Never" }) });
const autoscaler = (name: string, maxReplicas: number) =>
  named(name, {
    spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "some" }, minReplicas: 1, maxReplicas },
  });

const metric = {
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } },
};
const olderMetric = { type: "Resource", resource: { name: "cpu", targetAverageUtilization: 50 } };
const measured = (name: string, metrics: number) =>
  named(name, {
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "some" },
      minReplicas: 1,
      maxReplicas: 2,
      metrics: many(metrics, () => metric),
    },
  });
const long = "x".repeat(100_000);
const tooManyWords = policy("amounts", "Deployment 'long' has 11[0-9]{2} containers, ports, and words");

const many = <T>(length: number, each: (index: number) => T): T[] => Array.from({ length }, (_, index) => each(index));
const service = (name: string, ports: number) =>
  named(name, { spec: { selector: labels, ports: many(ports, (index) => ({ name: `p-${index}`, port: index + 1 })) } });
const texts = (count: number, text = "x".repeat(50)) =>
  Object.fromEntries(many(count, (index) => [`text-${index}`, text]));
/** A template of a claim. */
const claimed = (metadata: object) => ({
  metadata: { ...metadata, annotations: { note: "x".repeat(40_000) } },
  ...claim("1Mi"),
});
const noted = (name: string, metadata: object) => ({ metadata: { name, ...metadata } });
const items = (count: number, folder = "copies") =>
  many(count, (index) => ({ key: "large", path: `${folder}/${index}` }));
const volumes = (...sources: readonly object[]) => ({
  volumes: sources.map((source, index) => ({ name: `v-${index}`, ...source })),
});
const secret = (count: number) => ({ secret: { secretName: "key", items: items(count) } });
const tooManyItems = policy("amounts", "has [0-9]+ items in its volumes, which the node would keep in its memory");
const tooManyTexts = policy("amounts", "has [0-9]+ characters of labels and annotations");

/** More than a member's share. */
export const amounts: Group = {
  on: "more than their share",
  attempts: [
    ["makes 1,000 ConfigMaps", thousandOf("configmaps"), /exceeded quota: quota, requested: (count\/)?configmaps=1,/],
    ["makes 1,000 Secrets", thousandOf("secrets"), /exceeded quota: quota, requested: (count\/)?secrets=1,/],
    [
      "runs a pod with all CPU of the node",
      create(home("pods"), pod("cpu", {}, limits({ cpu: "64" }))),
      /exceeded quota: quota, requested: limits.cpu=64/,
    ],
    [
      "runs a pod with all memory of the node",
      create(home("pods"), pod("memory", {}, limits({ memory: "256Gi" }))),
      /exceeded quota: quota, requested: .*limits.memory=256Gi/,
    ],
    [
      "runs a pod with all disk space of the node",
      create(home("pods"), pod("disk", {}, limits({ "ephemeral-storage": "1Ti" }))),
      /exceeded quota: quota, requested: .*limits.ephemeral-storage=1Ti/,
    ],
    [
      "claims a volume that is larger than allowed",
      create(home("persistentvolumeclaims"), named("large", claim("2Ti"))),
      /maximum storage usage per PersistentVolumeClaim is 1000Mi/,
    ],
    [
      "runs a container with a CPU limit of zero",
      create(home("pods"), pod("zero", {}, limits({ cpu: "0" }))),
      /minimum cpu usage per Container is 10m/,
    ],
    [
      "runs a container with less CPU than the kubelet gives at least",
      create(home("pods"), pod("least", {}, limits({ cpu: "9m" }))),
      /minimum cpu usage per Container is 10m/,
    ],
    [
      "reserves a node with requests of the pod itself beside small limits",
      create(home("pods"), pod("own", { resources: { requests: { cpu: "30", memory: "200Gi" } } }, limits(little))),
      unlimited("Pod"),
    ],
    [
      "reserves a node with requests of a Deployment's pods themselves",
      create(home("deployments"), workload("own", { resources: { requests: { cpu: "30" } } }, limits(little))),
      unlimited("Deployment"),
    ],
    [
      "reserves a node's memory alone, with a limit of CPU",
      create(
        home("pods"),
        pod("own", { resources: { requests: { memory: "200Gi" }, limits: { cpu: "10m" } } }, limits(little)),
      ),
      unlimited("Pod"),
    ],
    [
      "reserves a node as a member without quota",
      create(inside("ada", "pods"), pod("own", { resources: { requests: { cpu: "30" } } }, limits(little))),
      unlimited("Pod"),
      "ada",
    ],
    [
      "reserves a node with limits of the pod itself",
      create(home("pods"), pod("own", { resources: { limits: { cpu: "30", memory: "1Mi" } } }, limits(little))),
      /exceeded quota: quota, requested: limits.cpu=30/,
    ],
    [
      "requests more for a container than its limit",
      create(home("pods"), pod("own", {}, { resources: { requests: { cpu: "30" }, limits: little } })),
      /must be less than or equal to cpu limit/,
    ],
    [
      "requests disk space for a container beyond the default limit",
      create(home("pods"), pod("own", {}, { resources: { requests: { "ephemeral-storage": "1Ti" } } })),
      /must be less than or equal to ephemeral-storage limit/,
    ],
    [
      "reserves a node with an init container",
      create(
        home("pods"),
        pod("own", { initContainers: [{ name: "first", image, ...limits({ cpu: "30" }) }] }, limits(little)),
      ),
      /exceeded quota: quota, requested: .*requests.cpu=30/,
    ],
    [
      "reserves a node with a sidecar container",
      create(
        home("pods"),
        pod("own", {
          initContainers: [{ name: "beside", image, restartPolicy: "Always", ...limits({ memory: "200Gi" }) }],
        }),
      ),
      /exceeded quota: quota, requested: .*requests.memory=/,
    ],
    [
      "requests more for a container than the LimitRange's limit for it",
      create(home("pods"), pod("unlimited", {}, { resources: { requests: { cpu: "500m" } } })),
      /requests: Invalid value: "500m": must be less than or equal to cpu limit of 100m/,
    ],
    [
      "limits a pod to less than the LimitRange gives its container",
      create(home("pods"), pod("narrow", { resources: { limits: { cpu: "50m", memory: "50Mi" } } })),
      /must be greater than or equal to aggregate container requests of .*must be less than or equal to pod limits of/,
    ],
    [
      "reserves a node with the overhead of a pod's runtime",
      create(home("pods"), pod("own", { overhead: { cpu: "30" } })),
      /overhead/i,
    ],
    [
      "makes a running pod larger",
      merge(home("pods/web/resize"), { spec: { containers: [{ name: "web", ...limits({ cpu: "30" }) }] } }),
      rbac("patch", "pods/resize"),
    ],
    [
      "adds a container with limits of its own to a running pod",
      merge(home("pods/web/ephemeralcontainers"), {
        spec: { ephemeralContainers: [{ name: "larger", image, ...limits({ cpu: "30" }) }] },
      }),
      /resources/,
    ],
    [
      "has a CronJob make a Job each second",
      create(home("cronjobs"), named("often", { spec: { schedule: "@every 1s", jobTemplate: { spec: job(1) } } })),
      policy("amounts", "CronJob 'often' runs more often than once a minute \\(schedule '@every 1s'\\)"),
    ],
    [
      "has an existing CronJob make a Job each second",
      patch(home("cronjobs/hourly"), { spec: { schedule: "@every 999ms" } }),
      policy("amounts", "CronJob 'hourly' runs more often than once a minute"),
    ],
    [
      "has a ReplicaSet's Events tell of a long capability",
      create(home("replicasets"), {
        ...workload("told", {}, { securityContext: { capabilities: { add: [long] } } }),
      }),
      tooLong("ReplicaSet"),
    ],
    [
      "has a ReplicaSet's Events tell of a thousand capabilities",
      create(
        home("replicasets"),
        workload(
          "told",
          {},
          { securityContext: { capabilities: { add: many(1000, (index) => `CAP_${index}_OF_MINE`) } } },
        ),
      ),
      tooLong("ReplicaSet"),
    ],
    [
      "has a ReplicaSet's Events tell of a long type of SELinux",
      create(home("replicasets"), workload("told", { securityContext: { seLinuxOptions: { type: long } } })),
      tooLong("ReplicaSet"),
    ],
    [
      "has every node's Events tell of a long image",
      create(home("deployments"), workload("told", {}, { image: `ghcr.io/acme/${"x".repeat(20_000)}` })),
      tooLong("Deployment"),
    ],
    [
      "has the kubelet's Events tell of a probe's long path",
      create(home("pods"), pod("told", {}, { readinessProbe: { httpGet: { port: 80, path: `/${long}` } } })),
      tooLong("Pod"),
    ],
    [
      "has the kubelet's Events tell of a long hook",
      create(home("pods"), pod("told", {}, { lifecycle: { postStart: { exec: { command: [long] } } } })),
      tooLong("Pod"),
    ],
    [
      "has the kubelet's Events tell of a Secret with a long name",
      create(home("pods"), pod("told", volumes({ secret: { secretName: long } }))),
      tooLong("Pod"),
    ],
    [
      "has the scheduler's Events tell of a claim with a long name",
      create(home("pods"), pod("told", volumes({ persistentVolumeClaim: { claimName: long } }))),
      tooLong("Pod"),
    ],
    [
      "has the runtime's Events tell of a long path",
      create(
        home("pods"),
        pod("told", volumes({ emptyDir: {} }), { volumeMounts: [{ name: "v-0", mountPath: `/${long}` }] }),
      ),
      tooLong("Pod"),
    ],
    [
      "has the runtime's Events tell of a long command that is not there",
      create(home("pods"), pod("told", {}, { command: [long] })),
      tooLong("Pod"),
    ],
    [
      "adds a container with a long working directory to a running pod",
      merge(home("pods/web/ephemeralcontainers"), {
        spec: { ephemeralContainers: [{ name: "told", image, workingDir: `/${long}` }] },
      }),
      tooLong("Pod", "web"),
    ],
    [
      "has an autoscaler's Events tell of a long name each 15 seconds",
      create(
        home("horizontalpodautoscalers"),
        named("told", {
          spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: long }, maxReplicas: 2 },
        }),
      ),
      tooLong("HorizontalPodAutoscaler"),
    ],
    [
      "has a driver's Events tell of a long name of the claim that it copies",
      create(
        home("persistentvolumeclaims"),
        named("told", { spec: { ...claim("1Mi").spec, dataSource: { kind: "PersistentVolumeClaim", name: long } } }),
      ),
      tooLong("PersistentVolumeClaim"),
    ],
    [
      "has the garbage collector's Events tell of a long name of an owner",
      create(
        home("configmaps"),
        noted("told", { ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: long, uid: "1" }] }),
      ),
      tooLong("ConfigMap"),
    ],
    [
      "scales a StatefulSet to two billion pods",
      patch(home("statefulsets/some/scale"), { spec: { replicas: endless } }),
      atOnce("Scale", "some", endless),
    ],
    [
      "changes a StatefulSet's own spec to two billion pods",
      patch(home("statefulsets/some"), { spec: { replicas: endless } }),
      atOnce("StatefulSet", "some", endless),
    ],
    [
      "makes a StatefulSet with 50,000 pods",
      create(home("statefulsets"), replicated("endless", 50_000)),
      atOnce("StatefulSet", "endless", 50_000),
    ],
    [
      "makes a StatefulSet with two billion pods as a member without quota",
      create(inside("ada", "statefulsets"), replicated("endless", endless)),
      atOnce("StatefulSet", "endless", endless, "replicas", "'ada' may have 1000"),
      "ada",
    ],
    [
      "makes a Deployment with one pod more than they may have",
      create(home("deployments"), replicated("endless", 51)),
      atOnce("Deployment", "endless", 51),
    ],
    [
      "scales a Deployment to two billion pods",
      patch(home("deployments/some/scale"), { spec: { replicas: endless } }),
      atOnce("Scale", "some", endless),
    ],
    ...[endless, "100000%"].map(
      (maxSurge, index): Attempt => [
        `has a rollout make ${maxSurge} pods beside the others`,
        create(home("deployments"), {
          metadata: { name: `surge-${index}` },
          spec: {
            selector: { matchLabels: labels },
            replicas: 1,
            strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge, maxUnavailable: 1 } },
            template: template(),
          },
        }),
        atOnce("Deployment", `surge-${index}`, index === 0 ? endless : 1000),
      ],
    ),
    [
      "makes a ReplicaSet with two billion pods",
      create(home("replicasets"), replicated("endless", endless)),
      atOnce("ReplicaSet", "endless", endless),
    ],
    [
      "scales a ReplicaSet to two billion pods",
      patch(home("replicasets/some/scale"), { spec: { replicas: endless } }),
      atOnce("Scale", "some", endless),
    ],
    [
      "makes a Job with two billion pods side by side",
      create(home("jobs"), named("endless", { spec: job(endless) })),
      atOnce("Job", "endless", endless, "parallelism"),
    ],
    [
      "makes a CronJob whose Jobs have two billion pods",
      create(
        home("cronjobs"),
        named("endless", { spec: { schedule: "@yearly", jobTemplate: { spec: job(endless) } } }),
      ),
      atOnce("CronJob", "endless", endless, "parallelism"),
    ],
    [
      "makes an autoscaler that scales to two billion pods",
      create(home("horizontalpodautoscalers"), autoscaler("endless", endless)),
      atOnce("HorizontalPodAutoscaler", "endless", endless, "maxReplicas"),
    ],
    [
      "makes an autoscaler that goes by 11 metrics",
      create(home("horizontalpodautoscalers"), measured("endless", 11)),
      policy("amounts", "HorizontalPodAutoscaler 'endless' has 11 metrics, .*: leave it at 10"),
    ],
    [
      "has the kubelet keep a thousand ports with a container",
      create(home("pods"), pod("wide", {}, { ports: many(1000, (index) => ({ containerPort: index + 1 })) })),
      policy("amounts", "Pod 'wide' has 1001 containers, ports, and words of their preStop hooks"),
    ],
    [
      "has the kubelet keep a long address of a port",
      create(home("deployments"), workload("long", {}, { ports: [{ containerPort: 80, hostIP: long }] })),
      tooManyWords,
    ],
    [
      "has the kubelet keep a long command of a preStop hook",
      create(home("deployments"), workload("long", {}, { lifecycle: { preStop: { exec: { command: [long] } } } })),
      tooManyWords,
    ],
    [
      "has the kubelet keep a long header of a preStop hook",
      create(
        home("deployments"),
        workload(
          "long",
          {},
          {
            lifecycle: { preStop: { httpGet: { port: 80, httpHeaders: [{ name: "a", value: long }] } } },
          },
        ),
      ),
      tooManyWords,
    ],
    [
      "has the kubelet keep a long path of a preStop hook",
      create(
        home("deployments"),
        workload("long", {}, { lifecycle: { preStop: { httpGet: { port: 80, path: `/${long}` } } } }),
      ),
      tooManyWords,
    ],
    [
      "has the kubelet keep a long path of a termination message",
      create(home("deployments"), workload("long", {}, { terminationMessagePath: `/${long}` })),
      tooManyWords,
    ],
    [
      "has the kubelet keep 100 containers that are added to a running pod",
      merge(home("pods/web/ephemeralcontainers"), {
        spec: { ephemeralContainers: many(100, (index) => ({ name: `more-${index}`, image })) },
      }),
      policy("amounts", "Pod 'web' has 10[0-9] containers, ports, and words"),
    ],
    [
      "makes an autoscaler of an older version that goes by 11 metrics",
      create(home("horizontalpodautoscalers").replace("/v2/", "/v1/"), {
        metadata: {
          name: "old",
          annotations: { "autoscaling.alpha.kubernetes.io/metrics": JSON.stringify(many(11, () => olderMetric)) },
        },
        spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "some" }, maxReplicas: 2 },
      }),
      policy("amounts", "HorizontalPodAutoscaler 'old' has 11 metrics"),
    ],
    [
      "gives every node 10,000 ports of a Service",
      create(home("services"), service("wide", 10_000)),
      tooMany("services", "ports, each of which every node has to have: leave it at 20[,;]|external IPs and ports,"),
    ],
    [
      "adds a port to a Service that has as many as it may",
      merge(home("services/ports"), { spec: { ports: [{ name: "more", port: 1000 }] } }),
      policy("amounts", "Service 'ports' has 21 ports"),
    ],
    [
      "gives everybody 200 KiB to read with a ConfigMap",
      create(home("configmaps"), noted("noted", { annotations: { note: "x".repeat(200_000) } })),
      tooManyTexts,
    ],
    [
      "gives everybody many annotations of a ConfigMap to read",
      create(home("configmaps"), noted("noted", { annotations: texts(900) })),
      tooManyTexts,
    ],
    [
      "gives everybody 10,000 labels of a ConfigMap to read",
      create(home("configmaps"), noted("noted", { labels: texts(10_000) })),
      tooMany("reserved", "labels and annotations, which everybody reads|labels, annotations and claim templates,"),
    ],
    [
      "gives everybody 1,001 empty annotations of a ConfigMap to read",
      create(home("configmaps"), noted("noted", { annotations: texts(1001, "") })),
      tooMany("reserved", "labels and annotations, .*: leave it at 1000|labels, annotations and claim templates,"),
    ],
    [
      "gives everybody a Service's long selector to read",
      create(home("services"), named("noted", { spec: { ports: [{ port: 80 }], selector: texts(900) } })),
      policy("amounts", "Service 'noted' has [0-9]+ characters of labels and annotations, with its selector,"),
    ],
    [
      "has a StatefulSet write a long annotation on its claims",
      create(
        home("statefulsets"),
        named("noted", { spec: { ...replicated("noted", 0).spec, volumeClaimTemplates: [claimed({ name: "data" })] } }),
      ),
      tooManyTexts,
    ],
    [
      "has a pod write a long annotation on its ephemeral claim",
      create(home("pods"), pod("noted", volumes({ ephemeral: { volumeClaimTemplate: claimed({}) } }))),
      tooManyTexts,
    ],
    [
      "adds a long annotation to an existing Service",
      patch(home("services/ports"), { metadata: { annotations: { note: "x".repeat(200_000) } } }),
      tooManyTexts,
    ],
    [
      "has a Deployment write a long annotation on its pods",
      create(home("deployments"), {
        ...named("noted"),
        spec: {
          selector: { matchLabels: labels },
          template: { ...template(), metadata: { labels, annotations: { note: "x".repeat(40_000) } } },
        },
      }),
      tooManyTexts,
    ],
    [
      "has the kubelet keep 1 MiB of a Secret in its memory, 500 times",
      create(home("pods"), pod("files", volumes(secret(500)))),
      tooManyItems,
    ],
    [
      "has the kubelet keep 120 copies of a Secret by several volumes",
      create(home("deployments"), workload("files", volumes(secret(60), secret(60)))),
      tooManyItems,
    ],
    [
      "has the kubelet keep 250 copies of a Secret by a projected volume",
      create(
        home("pods"),
        pod(
          "files",
          volumes({
            projected: {
              sources: many(5, (index) => ({ secret: { name: "key", items: items(50, `copies-${index}`) } })),
            },
          }),
        ),
      ),
      tooManyItems,
    ],
    [
      "has the kubelet keep 1,000 sources of a projected volume",
      create(
        home("pods"),
        pod("files", volumes({ projected: { sources: many(1000, () => ({ secret: { name: "key" } })) } })),
      ),
      policy("amounts", "Pod 'files' has 1001 volumes, with the sources of projected ones"),
    ],
    [
      "has a node mount 200 volumes",
      create(home("pods"), pod("mounts", volumes(...many(200, () => ({ emptyDir: {} }))))),
      policy("amounts", "Pod 'mounts' has 200 volumes"),
    ],
    [
      "has a StatefulSet claim 200 volumes for each pod",
      create(
        home("statefulsets"),
        named("mounts", {
          spec: {
            ...replicated("mounts", 0).spec,
            volumeClaimTemplates: many(200, (index) => named(`data-${index}`, claim("1Mi"))),
          },
        }),
      ),
      policy("amounts", "StatefulSet 'mounts' has 200 volumes"),
    ],
    [
      "has the API server look for bad ones among 10,000 volumes",
      create(home("pods"), pod("mounts", volumes(...many(10_000, () => ({ emptyDir: {} }))))),
      tooMany(
        "(?:pods|images|storage)",
        "volumes, with the sources|tolerations, volumes, |containers and volumes,|volumes, claim templates",
      ),
    ],
    [
      "has the API server look through 10,000 claims of a StatefulSet",
      create(
        home("statefulsets"),
        named("mounts", {
          spec: {
            ...replicated("mounts", 0).spec,
            volumeClaimTemplates: many(10_000, (index) => named(`data-${index}`, claim("1Mi"))),
          },
        }),
      ),
      tooMany("(?:finalizers|reserved|storage)", "volumes, with the sources|.*claim templates"),
    ],
    [
      "gives everybody the names of a ConfigMap's 60,000 entries to read",
      create(home("configmaps"), named("empty", { data: texts(60_000, "") })),
      policy("amounts", "ConfigMap 'empty' has 60000 entries, .*: leave it at 1000"),
    ],
    [
      "makes a Secret with 1,001 empty entries",
      create(home("secrets"), named("empty", { stringData: texts(1001, "") })),
      policy("amounts", "Secret 'empty' has 1001 entries"),
    ],
    [
      "adds an entry of bytes to a ConfigMap that has as many as it may",
      patch(home("configmaps/full"), { binaryData: { more: "" } }),
      policy("amounts", "ConfigMap 'full' has 1001 entries"),
    ],
    [
      "gives every node 41 Services",
      thousandOf("services", (name) => service(name, 1)),
      /exceeded quota: quota, requested: count\/services=1, used: count\/services=40, limited: count\/services=40/,
    ],
    [
      "has the controller of all autoscalers look after 41 of theirs",
      thousandOf("horizontalpodautoscalers", (name) => autoscaler(name, 2)),
      /exceeded quota: quota, requested: count\/horizontalpodautoscalers.autoscaling=1, .*limited: .*=40/,
    ],
    [
      "has the controller of all Jobs look after 101 of theirs",
      thousandOf("jobs", (name) => named(name, { spec: job(1) })),
      /exceeded quota: quota, requested: count\/jobs.batch=1, .*limited: .*=100/,
    ],
    [
      "makes 21 CronJobs",
      thousandOf("cronjobs", (name) => named(name, { spec: { schedule: "@yearly", jobTemplate: { spec: job(1) } } })),
      /exceeded quota: quota, requested: count\/cronjobs.batch=1, .*limited: .*=20/,
    ],
    [
      "has the controller of all ReplicaSets look after 501 of theirs",
      thousandOf("replicasets", (name) => replicated(name, 0)),
      /exceeded quota: quota, requested: count\/replicasets.apps=1, .*limited: .*=500/,
    ],
  ],
  controls: [
    ["deletes all ConfigMaps of their namespace", ({ ask }) => ask("DELETE", home("configmaps"))],
    ["makes a StatefulSet without pods", create(home("statefulsets"), replicated("some", 0))],
    ["makes a ReplicaSet without pods", create(home("replicasets"), replicated("some", 0))],
    ["makes a Deployment without pods", create(home("deployments"), replicated("some", 0))],
    [
      "has a Deployment scaled as far as they may have pods",
      create(home("horizontalpodautoscalers"), autoscaler("some", 50)),
    ],
    [
      "makes a Job with as many pods as they may have side by side",
      create(home("jobs"), named("some", { spec: { ...job(50), completions: 100_000 } })),
    ],
    ["has a Deployment scaled by two metrics", create(home("horizontalpodautoscalers"), measured("two", 2))],
    ["makes a Service with 20 ports, as for tracing", create(home("services"), service("ports", 20))],
    [
      "makes a ConfigMap with long annotations and 20 labels",
      create(home("configmaps"), noted("told", { annotations: { note: "x".repeat(30_000) }, labels: texts(20) })),
    ],
    [
      "mounts 50 files of a Secret, and 49 volumes more",
      create(home("pods"), pod("fits", volumes(secret(50), ...many(49, () => ({ emptyDir: {} }))))),
    ],
    ["makes a ConfigMap with 1,000 entries", create(home("configmaps"), named("full", { data: texts(1000, "") }))],
    [
      "scales a Deployment to as many pods as they may have",
      patch(home("deployments/some/scale"), { spec: { replicas: 50 } }),
    ],
    [
      "makes a CronJob that runs each hour",
      create(home("cronjobs"), named("hourly", { spec: { schedule: "@every 1h", jobTemplate: { spec: job(1) } } })),
    ],
    [
      "gives a pod limits in place of those of its containers",
      create(home("pods"), pod("limited", { resources: { limits: { cpu: "50m", memory: "50Mi" } } }, limits(little))),
    ],
    [
      "runs a pod whose probe runs a script",
      create(
        home("pods"),
        pod("asked", {}, { readinessProbe: { exec: { command: ["sh", "-c", "true;".repeat(1500)] } } }),
      ),
    ],
    ["makes more ConfigMaps as a member without quota", create(inside("ada", "configmaps"), named("one")), "ada"],
  ],
};
