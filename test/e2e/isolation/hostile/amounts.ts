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
      "fills the node's disk",
      create(home("pods"), pod("disk", {}, limits({ "ephemeral-storage": "1Ti" }))),
      /exceeded quota: quota, requested: .*limits.ephemeral-storage=1Ti/,
    ],
    [
      "takes a volume that is larger than allowed",
      create(home("persistentvolumeclaims"), named("large", claim("2Ti"))),
      /maximum storage usage per PersistentVolumeClaim is 1000Mi/,
    ],
    [
      "asks for nothing and means to take all",
      create(home("pods"), pod("zero", {}, limits({ cpu: "0" }))),
      /minimum cpu usage per Container is 10m/,
    ],
    [
      "asks for less than the kubelet gives at least, many times",
      create(home("pods"), pod("least", {}, limits({ cpu: "9m" }))),
      /minimum cpu usage per Container is 10m/,
    ],
    [
      "reserves a node with requests of the pod itself, and small limits of its container",
      create(home("pods"), pod("own", { resources: { requests: { cpu: "30", memory: "200Gi" } } }, limits(little))),
      unlimited("Pod"),
    ],
    [
      "has a Deployment's pods reserve it",
      create(home("deployments"), workload("own", { resources: { requests: { cpu: "30" } } }, limits(little))),
      unlimited("Deployment"),
    ],
    [
      "reserves its memory alone, with a limit of CPU",
      create(
        home("pods"),
        pod("own", { resources: { requests: { memory: "200Gi" }, limits: { cpu: "10m" } } }, limits(little)),
      ),
      unlimited("Pod"),
    ],
    [
      "reserves it as a member without quota, where no sum could be too much",
      create(inside("ada", "pods"), pod("own", { resources: { requests: { cpu: "30" } } }, limits(little))),
      unlimited("Pod"),
      "ada",
    ],
    [
      "reserves it with limits of the pod itself",
      create(home("pods"), pod("own", { resources: { limits: { cpu: "30", memory: "1Mi" } } }, limits(little))),
      /exceeded quota: quota, requested: limits.cpu=30/,
    ],
    [
      "requests more for a container than its limit",
      create(home("pods"), pod("own", {}, { resources: { requests: { cpu: "30" }, limits: little } })),
      /must be less than or equal to cpu limit/,
    ],
    [
      "requests disk space beyond the limit that it gets",
      create(home("pods"), pod("own", {}, { resources: { requests: { "ephemeral-storage": "1Ti" } } })),
      /must be less than or equal to ephemeral-storage limit/,
    ],
    [
      "has a first container reserve it",
      create(
        home("pods"),
        pod("own", { initContainers: [{ name: "first", image, ...limits({ cpu: "30" }) }] }, limits(little)),
      ),
      /exceeded quota: quota, requested: .*requests.cpu=30/,
    ],
    [
      "has one beside the others reserve it",
      create(
        home("pods"),
        pod("own", {
          initContainers: [{ name: "beside", image, restartPolicy: "Always", ...limits({ memory: "200Gi" }) }],
        }),
      ),
      /exceeded quota: quota, requested: .*requests.memory=/,
    ],
    [
      "requests more for a container than the limit that the LimitRange gives it",
      create(home("pods"), pod("unlimited", {}, { resources: { requests: { cpu: "500m" } } })),
      /requests: Invalid value: "500m": must be less than or equal to cpu limit of 100m/,
    ],
    [
      "limits a pod to less than what the LimitRange gives its container",
      create(home("pods"), pod("narrow", { resources: { limits: { cpu: "50m", memory: "50Mi" } } })),
      /must be greater than or equal to aggregate container requests of .*must be less than or equal to pod limits of/,
    ],
    ["says that its runtime needs it", create(home("pods"), pod("own", { overhead: { cpu: "30" } })), /overhead/i],
    [
      "makes a running pod larger",
      merge(home("pods/web/resize"), { spec: { containers: [{ name: "web", ...limits({ cpu: "30" }) }] } }),
      rbac("patch", "pods/resize"),
    ],
    [
      "adds a container to a running pod that has limits of its own",
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
      "has one do so that ran each minute",
      patch(home("cronjobs/hourly"), { spec: { schedule: "@every 999ms" } }),
      policy("amounts", "CronJob 'hourly' runs more often than once a minute"),
    ],
    [
      "has a ReplicaSet fail with 300 KB of a capability in each Event",
      create(home("replicasets"), {
        ...workload("told", {}, { securityContext: { capabilities: { add: [long] } } }),
      }),
      tooLong("ReplicaSet"),
    ],
    [
      "has it fail with many of them",
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
      "has a label of SELinux told",
      create(home("replicasets"), workload("told", { securityContext: { seLinuxOptions: { type: long } } })),
      tooLong("ReplicaSet"),
    ],
    [
      "has every node tell of a long image",
      create(home("deployments"), workload("told", {}, { image: `ghcr.io/acme/${"x".repeat(20_000)}` })),
      tooLong("Deployment"),
    ],
    [
      "has the kubelet tell of a probe's long path",
      create(home("pods"), pod("told", {}, { readinessProbe: { httpGet: { port: 80, path: `/${long}` } } })),
      tooLong("Pod"),
    ],
    [
      "has it tell of a long hook",
      create(home("pods"), pod("told", {}, { lifecycle: { postStart: { exec: { command: [long] } } } })),
      tooLong("Pod"),
    ],
    [
      "has it tell of a Secret with a long name",
      create(home("pods"), pod("told", volumes({ secret: { secretName: long } }))),
      tooLong("Pod"),
    ],
    [
      "has the scheduler tell of a claim with one",
      create(home("pods"), pod("told", volumes({ persistentVolumeClaim: { claimName: long } }))),
      tooLong("Pod"),
    ],
    [
      "has the runtime tell of a long path",
      create(
        home("pods"),
        pod("told", volumes({ emptyDir: {} }), { volumeMounts: [{ name: "v-0", mountPath: `/${long}` }] }),
      ),
      tooLong("Pod"),
    ],
    [
      "has it tell of a program that is not there",
      create(home("pods"), pod("told", {}, { command: [long] })),
      tooLong("Pod"),
    ],
    [
      "has a running pod do so",
      merge(home("pods/web/ephemeralcontainers"), {
        spec: { ephemeralContainers: [{ name: "told", image, workingDir: `/${long}` }] },
      }),
      tooLong("Pod", "web"),
    ],
    [
      "has an autoscaler tell of a long name each 15 seconds",
      create(
        home("horizontalpodautoscalers"),
        named("told", {
          spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: long }, maxReplicas: 2 },
        }),
      ),
      tooLong("HorizontalPodAutoscaler"),
    ],
    [
      "has a driver tell of the claim that it copies",
      create(
        home("persistentvolumeclaims"),
        named("told", { spec: { ...claim("1Mi").spec, dataSource: { kind: "PersistentVolumeClaim", name: long } } }),
      ),
      tooLong("PersistentVolumeClaim"),
    ],
    [
      "has the garbage collector tell of an owner",
      create(
        home("configmaps"),
        noted("told", { ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: long, uid: "1" }] }),
      ),
      tooLong("ConfigMap"),
    ],
    [
      "has the controller manager build two billion pods of a StatefulSet in its memory",
      patch(home("statefulsets/some/scale"), { spec: { replicas: endless } }),
      atOnce("Scale", "some", endless),
    ],
    [
      "says it in the StatefulSet itself",
      patch(home("statefulsets/some"), { spec: { replicas: endless } }),
      atOnce("StatefulSet", "some", endless),
    ],
    [
      "makes one that is like that",
      create(home("statefulsets"), replicated("endless", 50_000)),
      atOnce("StatefulSet", "endless", 50_000),
    ],
    [
      "makes one as a member without quota",
      create(inside("ada", "statefulsets"), replicated("endless", endless)),
      atOnce("StatefulSet", "endless", endless, "replicas", "'ada' may have 1000"),
      "ada",
    ],
    [
      "has a Deployment ask for a pod more than they may have",
      create(home("deployments"), replicated("endless", 51)),
      atOnce("Deployment", "endless", 51),
    ],
    [
      "scales a Deployment that is there",
      patch(home("deployments/some/scale"), { spec: { replicas: endless } }),
      atOnce("Scale", "some", endless),
    ],
    ...[endless, "100000%"].map(
      (maxSurge, index): Attempt => [
        `has a rollout make ${maxSurge} beside the others`,
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
      "has a ReplicaSet ask for them",
      create(home("replicasets"), replicated("endless", endless)),
      atOnce("ReplicaSet", "endless", endless),
    ],
    [
      "scales a ReplicaSet",
      patch(home("replicasets/some/scale"), { spec: { replicas: endless } }),
      atOnce("Scale", "some", endless),
    ],
    [
      "has a Job run them side by side",
      create(home("jobs"), named("endless", { spec: job(endless) })),
      atOnce("Job", "endless", endless, "parallelism"),
    ],
    [
      "has a CronJob make such Jobs",
      create(
        home("cronjobs"),
        named("endless", { spec: { schedule: "@yearly", jobTemplate: { spec: job(endless) } } }),
      ),
      atOnce("CronJob", "endless", endless, "parallelism"),
    ],
    [
      "has a HorizontalPodAutoscaler scale that far",
      create(home("horizontalpodautoscalers"), autoscaler("endless", endless)),
      atOnce("HorizontalPodAutoscaler", "endless", endless, "maxReplicas"),
    ],
    [
      "has it go by more metrics than everybody's autoscalers could ask for",
      create(home("horizontalpodautoscalers"), measured("endless", 11)),
      policy("amounts", "HorizontalPodAutoscaler 'endless' has 11 metrics, .*: leave it at 10"),
    ],
    [
      "has the kubelet keep a thousand ports with a container",
      create(home("pods"), pod("wide", {}, { ports: many(1000, (index) => ({ containerPort: index + 1 })) })),
      policy("amounts", "Pod 'wide' has 1001 containers, ports, and words of their preStop hooks"),
    ],
    [
      "has it keep a long address of a port",
      create(home("deployments"), workload("long", {}, { ports: [{ containerPort: 80, hostIP: long }] })),
      tooManyWords,
    ],
    [
      "has it keep a long command for its end",
      create(home("deployments"), workload("long", {}, { lifecycle: { preStop: { exec: { command: [long] } } } })),
      tooManyWords,
    ],
    [
      "has it keep a long header of a request at its end",
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
      "has it keep the long path of that",
      create(
        home("deployments"),
        workload("long", {}, { lifecycle: { preStop: { httpGet: { port: 80, path: `/${long}` } } } }),
      ),
      tooManyWords,
    ],
    [
      "has it keep a long path of a message at its end",
      create(home("deployments"), workload("long", {}, { terminationMessagePath: `/${long}` })),
      tooManyWords,
    ],
    [
      "has it keep 100 containers that are added to a running pod",
      merge(home("pods/web/ephemeralcontainers"), {
        spec: { ephemeralContainers: many(100, (index) => ({ name: `more-${index}`, image })) },
      }),
      policy("amounts", "Pod 'web' has 10[0-9] containers, ports, and words"),
    ],
    [
      "has it go by metrics in the words of an older version",
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
      "adds one to as many as there may be",
      merge(home("services/ports"), { spec: { ports: [{ name: "more", port: 1000 }] } }),
      policy("amounts", "Service 'ports' has 21 ports"),
    ],
    [
      "gives everybody 200 KiB to read with a ConfigMap",
      create(home("configmaps"), noted("noted", { annotations: { note: "x".repeat(200_000) } })),
      tooManyTexts,
    ],
    [
      "has it in many annotations",
      create(home("configmaps"), noted("noted", { annotations: texts(900) })),
      tooManyTexts,
    ],
    [
      "has it in 10,000 labels, more than the API server would add up",
      create(home("configmaps"), noted("noted", { labels: texts(10_000) })),
      tooMany("reserved", "labels and annotations, which everybody reads|labels, annotations and claim templates,"),
    ],
    [
      "has it in annotations of nothing, of which there are many",
      create(home("configmaps"), noted("noted", { annotations: texts(1001, "") })),
      tooMany("reserved", "labels and annotations, .*: leave it at 1000|labels, annotations and claim templates,"),
    ],
    [
      "has it in what a Service selects",
      create(home("services"), named("noted", { spec: { ports: [{ port: 80 }], selector: texts(900) } })),
      policy("amounts", "Service 'noted' has [0-9]+ characters of labels and annotations, with its selector,"),
    ],
    [
      "has a StatefulSet write it on its claims",
      create(
        home("statefulsets"),
        named("noted", { spec: { ...replicated("noted", 0).spec, volumeClaimTemplates: [claimed({ name: "data" })] } }),
      ),
      tooManyTexts,
    ],
    [
      "has a pod write it on a claim that comes and goes with it",
      create(home("pods"), pod("noted", volumes({ ephemeral: { volumeClaimTemplate: claimed({}) } }))),
      tooManyTexts,
    ],
    [
      "adds it to a Service that is there",
      patch(home("services/ports"), { metadata: { annotations: { note: "x".repeat(200_000) } } }),
      tooManyTexts,
    ],
    [
      "has a Deployment write it on its pods",
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
      "has a Deployment's pods do so, by several volumes",
      create(home("deployments"), workload("files", volumes(secret(60), secret(60)))),
      tooManyItems,
    ],
    [
      "does so by a projected volume",
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
      "does so by a projected volume of 1,000 sources, each a whole Secret",
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
      "has a StatefulSet claim as many",
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
      "has it look through 10,000 claims of a StatefulSet",
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
      "has everybody who lists ConfigMaps read the names of 60,000 empty entries",
      create(home("configmaps"), named("empty", { data: texts(60_000, "") })),
      policy("amounts", "ConfigMap 'empty' has 60000 entries, .*: leave it at 1000"),
    ],
    [
      "has them in a Secret",
      create(home("secrets"), named("empty", { stringData: texts(1001, "") })),
      policy("amounts", "Secret 'empty' has 1001 entries"),
    ],
    [
      "has them as bytes, and adds one to as many as there may be",
      patch(home("configmaps/full"), { binaryData: { more: "" } }),
      policy("amounts", "ConfigMap 'full' has 1001 entries"),
    ],
    [
      "gives every node 41 Services",
      thousandOf("services", (name) => service(name, 1)),
      /exceeded quota: quota, requested: count\/services=1, used: count\/services=40, limited: count\/services=40/,
    ],
    [
      "has the controller of all autoscalers look after 41",
      thousandOf("horizontalpodautoscalers", (name) => autoscaler(name, 2)),
      /exceeded quota: quota, requested: count\/horizontalpodautoscalers.autoscaling=1, .*limited: .*=40/,
    ],
    [
      "has the controller of all Jobs look after 101",
      thousandOf("jobs", (name) => named(name, { spec: job(1) })),
      /exceeded quota: quota, requested: count\/jobs.batch=1, .*limited: .*=100/,
    ],
    [
      "has 21 CronJobs make them",
      thousandOf("cronjobs", (name) => named(name, { spec: { schedule: "@yearly", jobTemplate: { spec: job(1) } } })),
      /exceeded quota: quota, requested: count\/cronjobs.batch=1, .*limited: .*=20/,
    ],
    [
      "has the controller of all ReplicaSets look after 501",
      thousandOf("replicasets", (name) => replicated(name, 0)),
      /exceeded quota: quota, requested: count\/replicasets.apps=1, .*limited: .*=500/,
    ],
  ],
  controls: [
    ["deletes the ConfigMaps again", ({ ask }) => ask("DELETE", home("configmaps"))],
    ["makes a StatefulSet", create(home("statefulsets"), replicated("some", 0))],
    ["makes a ReplicaSet", create(home("replicasets"), replicated("some", 0))],
    ["makes a Deployment", create(home("deployments"), replicated("some", 0))],
    ["has it scaled as far as they may have pods", create(home("horizontalpodautoscalers"), autoscaler("some", 50))],
    [
      "has a Job with as many side by side",
      create(home("jobs"), named("some", { spec: { ...job(50), completions: 100_000 } })),
    ],
    ["has it scaled by two metrics", create(home("horizontalpodautoscalers"), measured("two", 2))],
    ["makes a Service with 20 ports, as for tracing", create(home("services"), service("ports", 20))],
    [
      "notes down a lot about a ConfigMap",
      create(home("configmaps"), noted("told", { annotations: { note: "x".repeat(30_000) }, labels: texts(20) })),
    ],
    [
      "mounts 50 files of a Secret, and 49 volumes more",
      create(home("pods"), pod("fits", volumes(secret(50), ...many(49, () => ({ emptyDir: {} }))))),
    ],
    ["keeps 1,000 entries", create(home("configmaps"), named("full", { data: texts(1000, "") }))],
    [
      "has a Deployment with as many pods as they may have, of which the quota lets some run",
      patch(home("deployments/some/scale"), { spec: { replicas: 50 } }),
    ],
    [
      "has a CronJob each hour",
      create(home("cronjobs"), named("hourly", { spec: { schedule: "@every 1h", jobTemplate: { spec: job(1) } } })),
    ],
    [
      "has limits of a pod in place of those of its containers",
      create(home("pods"), pod("limited", { resources: { limits: { cpu: "50m", memory: "50Mi" } } }, limits(little))),
    ],
    [
      "has a probe run a script",
      create(
        home("pods"),
        pod("asked", {}, { readinessProbe: { exec: { command: ["sh", "-c", "true;".repeat(1500)] } } }),
      ),
    ],
    ["makes more ConfigMaps as a member without quota", create(inside("ada", "configmaps"), named("one")), "ada"],
  ],
};
