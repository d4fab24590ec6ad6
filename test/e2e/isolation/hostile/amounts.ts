import type { Answer } from "../../support/signIn/signedIn.ts";
import {
  type Ask,
  type Attempt,
  capable,
  change,
  claimSpec,
  create,
  debug,
  deploy,
  each,
  type Group,
  home,
  image,
  inside,
  labels,
  make,
  many,
  merge,
  named,
  podSpec,
  policy,
  refused,
  run,
  statefulSet,
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
const claim = (storage = "1Mi") => ({ spec: claimSpec({}, storage) });
const limits = (of: object) => ({ resources: { limits: of } });

const shared = { cpu: "200m", memory: "200Mi" };
const little = { cpu: "10m", memory: "1Mi" };
/** A pod itself with these requests and limits, and small limits of its container. */
const own = (resources: object) => ["own", { resources }, limits(little)] as const;
const unlimited = policy(
  "amounts",
  "(Pod|Deployment) 'own' has resources of the pod itself \\(spec.resources\\) without limits of both",
);
/** From 1.37 on, the pod itself gets limits, of as much as it requests, and the quota counts those. */
const counted = /exceeded quota: quota, requested: .*limits.memory=200Gi/;
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
const replicas = (count: number) => ({ spec: { replicas: count } });
const job = (parallelism: number) => ({ parallelism, suspend: true, template: template({ restartPolicy: "Never" }) });
const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "some" };
/** A CronJob that makes such Jobs. */
const cron = (name: string, pods = 1, schedule = "@yearly") =>
  named(name, { spec: { schedule, jobTemplate: { spec: job(pods) } } });
const autoscaler = (name: string, maxReplicas: number) =>
  named(name, { spec: { scaleTargetRef, minReplicas: 1, maxReplicas } });

const metric = {
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } },
};
const olderMetric = { type: "Resource", resource: { name: "cpu", targetAverageUtilization: 50 } };
const measured = (name: string, metrics: number) =>
  named(name, { spec: { scaleTargetRef, minReplicas: 1, maxReplicas: 2, metrics: many(metrics, () => metric) } });
const long = "x".repeat(100_000);
const tooManyWords = policy("amounts", "Deployment 'long' has 11[0-9]{2} containers, ports, and words");

const service = (name: string, ports: number) =>
  named(name, { spec: { selector: labels, ports: many(ports, (index) => ({ name: `p-${index}`, port: index + 1 })) } });
const texts = (count: number, text = "x".repeat(50)) =>
  Object.fromEntries(many(count, (index) => [`text-${index}`, text]));
const note = (length: number) => ({ note: "x".repeat(length) });
/** A template of a claim. */
const claimed = (metadata: object) => ({
  metadata: { ...metadata, annotations: note(40_000) },
  ...claim(),
});
const noted = (name: string, metadata: object) => ({ metadata: { name, ...metadata } });
const items = (count: number, folder = "copies") =>
  many(count, (index) => ({ key: "large", path: `${folder}/${index}` }));
const volumes = (...sources: readonly object[]) => ({
  volumes: sources.map((source, index) => ({ name: `v-${index}`, ...source })),
});
const empty = (count: number) => many(count, () => ({ emptyDir: {} }));
const secret = (count: number) => ({ secret: { secretName: "key", items: items(count) } });
const tooManyItems = policy("amounts", "has [0-9]+ items in its volumes, which the node would keep in its memory");
const tooManyTexts = policy("amounts", "has [0-9]+ characters of labels and annotations");

/** More than a member's share. */
export const amounts: Group = {
  on: "more than their share",
  attempts: [
    ["makes 1,000 ConfigMaps", thousandOf("configmaps"), /exceeded quota: quota, requested: (count\/)?configmaps=1,/],
    ["makes 1,000 Secrets", thousandOf("secrets"), /exceeded quota: quota, requested: (count\/)?secrets=1,/],
    ...refused(/exceeded quota: quota, requested: limits.cpu=64/, {
      "runs a pod with all CPU of the node": run("cpu", {}, limits({ cpu: "64" })),
    }),
    ...refused(/exceeded quota: quota, requested: .*limits.memory=256Gi/, {
      "runs a pod with all memory of the node": run("memory", {}, limits({ memory: "256Gi" })),
    }),
    ...refused(/exceeded quota: quota, requested: .*limits.ephemeral-storage=1Ti/, {
      "runs a pod with all disk space of the node": run("disk", {}, limits({ "ephemeral-storage": "1Ti" })),
    }),
    ...refused(/maximum storage usage per PersistentVolumeClaim is 1000Mi/, {
      "claims a volume that is larger than allowed": make("persistentvolumeclaims", named("large", claim("2Ti"))),
    }),
    ...refused(/minimum cpu usage per Container is 10m/, {
      "runs a container with a CPU limit of zero": run("zero", {}, limits({ cpu: "0" })),
      "runs a container with less CPU than the kubelet gives at least": run("least", {}, limits({ cpu: "9m" })),
    }),
    ...refused(
      policy("amounts", "(Pod|Deployment) 'shared' has resources of the pod itself .*, and a container without"),
      {
        "gives a pod limits that its containers would not get": run("shared", { resources: { limits: shared } }),
        "gives a Deployment's pods limits that their containers would not get": deploy("shared", {
          resources: { limits: shared },
        }),
      },
    ),
    ...refused(new RegExp(`${unlimited.source}|${counted.source}`), {
      "reserves a node with requests of the pod itself beside small limits": run(
        ...own({ requests: { cpu: "30", memory: "200Gi" } }),
      ),
      "reserves a node's memory alone, with a limit of CPU": run(
        ...own({ requests: { memory: "200Gi" }, limits: { cpu: "10m" } }),
      ),
    }),
    ...refused(unlimited, {
      "reserves a node with requests of a Deployment's pods themselves": deploy(...own({ requests: { cpu: "30" } })),
    }),
    [
      "reserves a node as a member without quota",
      create(inside("ada", "deployments"), workload(...own({ requests: { cpu: "30" } }))),
      unlimited,
      "ada",
    ],
    [
      "reserves a node with limits of the pod itself",
      run(...own({ limits: { cpu: "30", memory: "1Mi" } })),
      /exceeded quota: quota, requested: limits.cpu=30/,
    ],
    [
      "requests more for a container than its limit",
      run("own", {}, { resources: { requests: { cpu: "30" }, limits: little } }),
      /must be less than or equal to cpu limit/,
    ],
    [
      "requests disk space for a container beyond the default limit",
      run("own", {}, { resources: { requests: { "ephemeral-storage": "1Ti" } } }),
      /must be less than or equal to ephemeral-storage limit/,
    ],
    [
      "reserves a node with an init container",
      run("own", { initContainers: [{ name: "first", image, ...limits({ cpu: "30" }) }] }, limits(little)),
      /exceeded quota: quota, requested: .*requests.cpu=30/,
    ],
    ...refused(/exceeded quota: quota, requested: .*requests.memory=/, {
      "reserves a node with a sidecar container": run("own", {
        initContainers: [{ name: "beside", image, restartPolicy: "Always", ...limits({ memory: "200Gi" }) }],
      }),
    }),
    [
      "requests more for a container than the LimitRange's limit for it",
      run("unlimited", {}, { resources: { requests: { cpu: "500m" } } }),
      /requests: Invalid value: "500m": must be less than or equal to cpu limit of 100m/,
    ],
    [
      "limits a pod to less than the LimitRange gives its container",
      run("narrow", { resources: { limits: { cpu: "50m", memory: "50Mi" } } }),
      /must be less than or equal to pod limits of/,
    ],
    ["reserves a node with the overhead of a pod's runtime", run("own", { overhead: { cpu: "30" } }), /overhead/i],
    ...refused(/resources/, {
      "adds a container with limits of its own to a running pod": debug("web", limits({ cpu: "30" })),
    }),
    [
      "has a CronJob make a Job each second",
      make("cronjobs", cron("often", 1, "@every 1s")),
      policy("amounts", "CronJob 'often' runs more often than once a minute \\(schedule '@every 1s'\\)"),
    ],
    [
      "has an existing CronJob make a Job each second",
      change("cronjobs/hourly", { spec: { schedule: "@every 999ms" } }),
      policy("amounts", "CronJob 'hourly' runs more often than once a minute"),
    ],
    ...refused(
      tooLong("ReplicaSet"),
      each(
        {
          "has a ReplicaSet's Events tell of a long capability": [{}, capable(long)],
          "has a ReplicaSet's Events tell of a thousand capabilities": [
            {},
            capable(...many(1000, (index) => `CAP_${index}_OF_MINE`)),
          ],
          "has a ReplicaSet's Events tell of a long type of SELinux": [
            { securityContext: { seLinuxOptions: { type: long } } },
          ],
        },
        (fields) => make("replicasets", workload("told", ...fields)),
      ),
    ),
    [
      "has every node's Events tell of a long image",
      deploy("told", {}, { image: `ghcr.io/acme/${"x".repeat(20_000)}` }),
      tooLong("Deployment"),
    ],
    ...refused(tooLong("Pod"), {
      ...each(
        {
          "has the kubelet's Events tell of a probe's long path": {
            readinessProbe: { httpGet: { port: 80, path: `/${long}` } },
          },
          "has the kubelet's Events tell of a long hook": { lifecycle: { postStart: { exec: { command: [long] } } } },
          "has the runtime's Events tell of a long path": { volumeMounts: [{ name: "v-0", mountPath: `/${long}` }] },
          "has the runtime's Events tell of a long command that is not there": { command: [long] },
        },
        (container) => run("told", volumes({ emptyDir: {} }), container),
      ),
      ...each(
        {
          "has the kubelet's Events tell of a Secret with a long name": { secret: { secretName: long } },
          "has the scheduler's Events tell of a claim with a long name": { persistentVolumeClaim: { claimName: long } },
        },
        (source) => run("told", volumes(source)),
      ),
    }),
    ...refused(tooLong("Pod", "web"), {
      "adds a container with a long working directory to a running pod": debug("web", { workingDir: `/${long}` }),
    }),
    ...refused(tooLong("HorizontalPodAutoscaler"), {
      "has an autoscaler's Events tell of a long name each 15 seconds": make(
        "horizontalpodautoscalers",
        named("told", { spec: { scaleTargetRef: { ...scaleTargetRef, name: long }, maxReplicas: 2 } }),
      ),
    }),
    ...refused(tooLong("PersistentVolumeClaim"), {
      "has a driver's Events tell of a long name of the claim that it copies": make(
        "persistentvolumeclaims",
        named("told", { spec: { ...claim().spec, dataSource: { kind: "PersistentVolumeClaim", name: long } } }),
      ),
    }),
    [
      "has the garbage collector's Events tell of a long name of an owner",
      make("configmaps", noted("told", { ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: long, uid: "1" }] })),
      tooLong("ConfigMap"),
    ],
    ...refused(atOnce("Scale", "some", endless), {
      "scales a StatefulSet to two billion pods": change("statefulsets/some/scale", replicas(endless)),
      "scales a Deployment to two billion pods": change("deployments/some/scale", replicas(endless)),
      "scales a ReplicaSet to two billion pods": change("replicasets/some/scale", replicas(endless)),
    }),
    ...refused(atOnce("StatefulSet", "some", endless), {
      "changes a StatefulSet's own spec to two billion pods": change("statefulsets/some", replicas(endless)),
    }),
    ...refused(atOnce("(StatefulSet|ReplicaSet)", "endless", endless), {
      "makes a StatefulSet with two billion pods": make("statefulsets", replicated("endless", endless)),
      "makes a ReplicaSet with two billion pods": make("replicasets", replicated("endless", endless)),
    }),
    [
      "makes a StatefulSet with two billion pods as a member without quota",
      create(inside("ada", "statefulsets"), replicated("endless", endless)),
      atOnce("StatefulSet", "endless", endless, "replicas", "'ada' may have 1000"),
      "ada",
    ],
    ...refused(atOnce("Deployment", "endless", 51), {
      "makes a Deployment with one pod more than they may have": make("deployments", replicated("endless", 51)),
    }),
    ...[endless, "100000%"].map(
      (maxSurge, index): Attempt => [
        `has a rollout make ${maxSurge} pods beside the others`,
        make("deployments", {
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
    ...refused(atOnce("(Job|CronJob)", "endless", endless, "parallelism"), {
      "makes a Job with two billion pods side by side": make("jobs", named("endless", { spec: job(endless) })),
      "makes a CronJob whose Jobs have two billion pods": make("cronjobs", cron("endless", endless)),
    }),
    [
      "makes an autoscaler that scales to two billion pods",
      make("horizontalpodautoscalers", autoscaler("endless", endless)),
      atOnce("HorizontalPodAutoscaler", "endless", endless, "maxReplicas"),
    ],
    ...refused(policy("amounts", "HorizontalPodAutoscaler 'endless' has 11 metrics, .*: leave it at 10"), {
      "makes an autoscaler that goes by 11 metrics": make("horizontalpodautoscalers", measured("endless", 11)),
    }),
    [
      "has the kubelet keep a thousand ports with a container",
      run("wide", {}, { ports: many(1000, (index) => ({ containerPort: index + 1 })) }),
      policy("amounts", "Pod 'wide' has 1001 containers, ports, and words of their preStop hooks"),
    ],
    ...refused(tooManyWords, {
      ...each(
        {
          "has the kubelet keep a long address of a port": { ports: [{ containerPort: 80, hostIP: long }] },
          "has the kubelet keep a long path of a termination message": { terminationMessagePath: `/${long}` },
        },
        (container) => deploy("long", {}, container),
      ),
      ...each(
        {
          "has the kubelet keep a long command of a preStop hook": { exec: { command: [long] } },
          "has the kubelet keep a long header of a preStop hook": {
            httpGet: { port: 80, httpHeaders: [{ name: "a", value: long }] },
          },
          "has the kubelet keep a long path of a preStop hook": { httpGet: { port: 80, path: `/${long}` } },
        },
        (preStop) => deploy("long", {}, { lifecycle: { preStop } }),
      ),
    }),
    ...refused(policy("amounts", "Pod 'web' has 10[0-9] containers, ports, and words"), {
      "has the kubelet keep 100 containers that are added to a running pod": debug("web", ...many(100, () => ({}))),
    }),
    ...refused(policy("amounts", "HorizontalPodAutoscaler 'old' has 11 metrics"), {
      "makes an autoscaler of an older version that goes by 11 metrics": create(
        home("horizontalpodautoscalers").replace("/v2/", "/v1/"),
        {
          metadata: {
            name: "old",
            annotations: { "autoscaling.alpha.kubernetes.io/metrics": JSON.stringify(many(11, () => olderMetric)) },
          },
          spec: { scaleTargetRef, maxReplicas: 2 },
        },
      ),
    }),
    ...refused(
      tooMany("services", "ports, each of which every node has to have: leave it at 20[,;]|external IPs and ports,"),
      {
        "gives every node 10,000 ports of a Service": make("services", service("wide", 10_000)),
      },
    ),
    [
      "adds a port to a Service that has as many as it may",
      merge(home("services/ports"), { spec: { ports: [{ name: "more", port: 1000 }] } }),
      policy("amounts", "Service 'ports' has 21 ports"),
    ],
    ...refused(tooManyTexts, {
      ...each(
        {
          "gives everybody 200 KiB to read with a ConfigMap": note(200_000),
          "gives everybody many annotations of a ConfigMap to read": texts(900),
        },
        (annotations) => make("configmaps", noted("noted", { annotations })),
      ),
      "has a StatefulSet write a long annotation on its claims": make(
        "statefulsets",
        statefulSet("noted", claimed({ name: "data" })),
      ),
      "has a pod write a long annotation on its ephemeral claim": run(
        "noted",
        volumes({ ephemeral: { volumeClaimTemplate: claimed({}) } }),
      ),
      "adds a long annotation to an existing Service": change("services/ports", {
        metadata: { annotations: note(200_000) },
      }),
      "has a Deployment write a long annotation on its pods": deploy("noted", {}, {}, { annotations: note(40_000) }),
    }),
    [
      "gives everybody 10,000 labels of a ConfigMap to read",
      make("configmaps", noted("noted", { labels: texts(10_000) })),
      tooMany("reserved", "labels and annotations, which everybody reads|labels, annotations and claim templates,"),
    ],
    [
      "gives everybody 1,001 empty annotations of a ConfigMap to read",
      make("configmaps", noted("noted", { annotations: texts(1001, "") })),
      tooMany("reserved", "labels and annotations, .*: leave it at 1000|labels, annotations and claim templates,"),
    ],
    [
      "gives everybody a Service's long selector to read",
      make("services", named("noted", { spec: { ports: [{ port: 80 }], selector: texts(900) } })),
      policy("amounts", "Service 'noted' has [0-9]+ characters of labels and annotations, with its selector,"),
    ],
    ...refused(tooManyItems, {
      "has the kubelet keep 1 MiB of a Secret in its memory, 500 times": run("files", volumes(secret(500))),
      "has the kubelet keep 120 copies of a Secret by several volumes": deploy(
        "files",
        volumes(secret(60), secret(60)),
      ),
      "has the kubelet keep 250 copies of a Secret by a projected volume": run(
        "files",
        volumes({
          projected: {
            sources: many(5, (index) => ({ secret: { name: "key", items: items(50, `copies-${index}`) } })),
          },
        }),
      ),
    }),
    [
      "has the kubelet keep 1,000 sources of a projected volume",
      run("files", volumes({ projected: { sources: many(1000, () => ({ secret: { name: "key" } })) } })),
      tooMany("pods", "volumes, with the sources|tolerations, volumes with their sources"),
    ],
    ...refused(policy("amounts", "Pod 'mounts' has 200 volumes"), {
      "has a node mount 200 volumes": run("mounts", volumes(...empty(200))),
    }),
    ...refused(policy("amounts", "StatefulSet 'mounts' has 200 volumes"), {
      "has a StatefulSet claim 200 volumes for each pod": make(
        "statefulsets",
        statefulSet("mounts", ...many(200, (index) => named(`data-${index}`, claim()))),
      ),
    }),
    [
      "has the API server look for bad ones among 10,000 volumes",
      run("mounts", volumes(...empty(10_000))),
      tooMany(
        "(?:pods|images|storage)",
        "volumes, with the sources|tolerations, volumes with their sources, |containers and volumes,|volumes, claim templates",
      ),
    ],
    ...refused(tooMany("(?:finalizers|reserved|storage)", "volumes, with the sources|.*claim templates"), {
      "has the API server look through 10,000 claims of a StatefulSet": make(
        "statefulsets",
        statefulSet("mounts", ...many(10_000, (index) => named(`data-${index}`, claim()))),
      ),
    }),
    [
      "gives everybody the names of a ConfigMap's 60,000 entries to read",
      make("configmaps", named("empty", { data: texts(60_000, "") })),
      policy("amounts", "ConfigMap 'empty' has 60000 entries, .*: leave it at 1000"),
    ],
    ...refused(policy("amounts", "Secret 'empty' has 1001 entries"), {
      "makes a Secret with 1,001 empty entries": make("secrets", named("empty", { stringData: texts(1001, "") })),
    }),
    [
      "adds an entry of bytes to a ConfigMap that has as many as it may",
      change("configmaps/full", { binaryData: { more: "" } }),
      policy("amounts", "ConfigMap 'full' has 1001 entries"),
    ],
    ...refused(
      /exceeded quota: quota, requested: count\/services=1, used: count\/services=40, limited: count\/services=40/,
      {
        "gives every node 41 Services": thousandOf("services", (name) => service(name, 1)),
      },
    ),
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
      thousandOf("cronjobs", (name) => cron(name)),
      /exceeded quota: quota, requested: count\/cronjobs.batch=1, .*limited: .*=20/,
    ],
    [
      "has the controller of all ReplicaSets look after 501 of theirs",
      thousandOf("replicasets", (name) => replicated(name, 0)),
      /exceeded quota: quota, requested: count\/replicasets.apps=1, .*limited: .*=500/,
    ],
  ],
  controls: {
    "deletes all ConfigMaps of their namespace": ({ ask }) => ask("DELETE", home("configmaps")),
    "makes a StatefulSet without pods": make("statefulsets", replicated("some", 0)),
    "makes a ReplicaSet without pods": make("replicasets", replicated("some", 0)),
    "makes a Deployment without pods": make("deployments", replicated("some", 0)),
    "has a Deployment scaled as far as they may have pods": make("horizontalpodautoscalers", autoscaler("some", 50)),
    "makes a Job with as many pods as they may have side by side": make(
      "jobs",
      named("some", { spec: { ...job(50), completions: 100_000 } }),
    ),
    "has a Deployment scaled by two metrics": make("horizontalpodautoscalers", measured("two", 2)),
    "makes a Service with 20 ports, as for tracing": make("services", service("ports", 20)),
    "makes a ConfigMap with long annotations and 20 labels": make(
      "configmaps",
      noted("told", { annotations: note(30_000), labels: texts(20) }),
    ),
    "mounts 50 files of a Secret, and 49 volumes more": run("fits", volumes(secret(50), ...empty(49))),
    "makes a ConfigMap with 1,000 entries": make("configmaps", named("full", { data: texts(1000, "") })),
    "scales a Deployment to as many pods as they may have": change("deployments/some/scale", replicas(50)),
    "makes a CronJob that runs each hour": make("cronjobs", cron("hourly", 1, "@every 1h")),
    "gives a pod limits in place of those of its containers": run(
      "limited",
      { resources: { limits: { cpu: "50m", memory: "50Mi" } } },
      limits(little),
    ),
    "runs a pod whose probe runs a script": run(
      "asked",
      {},
      { readinessProbe: { exec: { command: ["sh", "-c", "true;".repeat(1500)] } } },
    ),
    "makes more ConfigMaps as a member without quota": [create(inside("ada", "configmaps"), named("one")), "ada"],
  },
};
