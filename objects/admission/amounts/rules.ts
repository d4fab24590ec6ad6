import { keepsPods, most, type Rule, sideOf, type When } from "./amount.ts";
import { mostMounts, mostSettings } from "./containers.ts";

/** CEL: a CronJob's schedule; nothing for other kinds. */
const scheduleOf = (when: When) =>
  `${sideOf(when)} == null || ${sideOf(when)}.kind != 'CronJob' ? '' : string(dyn(${sideOf(when)}).?spec.?schedule.orValue(''))`;

const every = "@every ";

/**
 * CronJobs run once a minute at most, as Cron's own schedules do: one controller makes everybody's Jobs, and another all their
 * pods.
 * @see https://pkg.go.dev/github.com/robfig/cron/v3#hdr-Intervals
 */
export const leastInterval: Rule = {
  from: { schedule: scheduleOf },
  isMet: `!variables.schedule.contains('${every}') || variables.schedule == variables.scheduleBefore
    || duration(variables.schedule.split('${every}')[1]) >= duration('1m')`,
  what: `"runs more often than once a minute (schedule '" + variables.schedule + "'), and would hold up everybody's Jobs: let it be once a minute or less"`,
};

/**
 * A pod's own resources limit both CPU and memory. Kubernetes compares a pod's own requests only with its own limits: without
 * those, a pod could reserve a node, and have the limits of its containers counted. Requests of which a pod says nothing
 * itself, Kubernetes fills in.
 * @see https://kubernetes.io/docs/tasks/configure-pod-container/assign-pod-level-resources/
 */
export const requestsWithinLimits: Rule = {
  isMet: `${keepsPods} || variables.pod.?resources.orValue({}).size() == 0
    || ['cpu', 'memory'].all(each, each in variables.pod.?resources.?limits.orValue({}))`,
  what: `"has resources of the pod itself (spec.resources) without limits of both cpu and memory, and could reserve more than it is counted for: set both in spec.resources.limits, or leave spec.resources out"`,
};

/** Limit of characters of what an Event repeats. A probe's script may have some thousand. */
const mostRepeated = 10_000;

/** Fields of a container that refusals, the kubelet and the container runtime repeat in Events. */
const ofContainers = [
  "image",
  "lifecycle",
  "livenessProbe",
  "readinessProbe",
  "securityContext",
  "startupProbe",
  "workingDir",
];
/** Lists of a container's, of which Events repeat single items. */
const listsOfContainers = ["envFrom", "volumeDevices", "volumeMounts"];

const ofPods = ["dnsConfig", "schedulerName", "securityContext"];
const listsOfPods = ["imagePullSecrets", "volumes"];

/** Fields of the spec of other kinds, such as the claim that another one copies. */
const ofOthers = ["dataSource", "dataSourceRef", "metrics", "scaleTargetRef", "schedule", "serviceName", "timeZone"];

/** CEL: whether a value has too many characters, whatever its type. */
const isLong = (value: string) => `'%s'.format([${value}]).size() > ${mostRepeated}`;

/** CEL: the program of a container, `each`, if it does not leave that to its image. */
const program = "each.?command.orValue(each.?args.orValue([]))[?0].orValue('')";

const anyLong = (owner: string, fields: readonly string[]) =>
  `[${fields.map((field) => `'${field}'`).join(", ")}].exists(field, ${isLong(`${owner}[?field].orValue('')`)})`;
const anyLongIn = (owner: string, lists: readonly string[]) =>
  lists.map((list) => `${owner}.?${list}.orValue([]).exists(one, ${isLong("one")})`);

/** CEL: whether an object has a long text, unless it has too many lists to look through. */
function hasLongText(when: When): string {
  const object = `dyn(${sideOf(when)})`;
  const pod = `variables.pod${when}`;
  const ofContainer = [
    anyLong("each", ofContainers),
    ...anyLongIn("each", listsOfContainers),
    // The program that is not found; the kubelet writes variables out first.
    isLong(program),
    `${program}.contains('$(') && (each.?env.orValue([]).exists(one, ${isLong("one.?value.orValue('')")})
      || (has(each.command) && (each.?envFrom.orValue([]).size() > 0 || each.?env.orValue([]).exists(one, has(one.valueFrom)))))`,
    `each.?env.orValue([]).exists(one, ${isLong("one.?valueFrom.orValue('')")})`,
  ];
  const all = [
    isLong(`${object}.metadata.?ownerReferences.orValue('')`),
    anyLong(`${object}.?spec.orValue({})`, ofOthers),
    anyLong(pod, ofPods),
    ...anyLongIn(pod, listsOfPods),
    `variables.claims${when}.exists(each, ${isLong("each.?spec.orValue('')")})`,
    `variables.each${when}.exists(each, ${ofContainer.join(" || ")})`,
  ];
  const tooMany = [
    `variables.volumes${when} > ${most}`,
    `variables.listed${when} > ${mostSettings}`,
    `variables.mounts${when} > ${mostMounts}`,
  ];
  return `${sideOf(when)} == null || ${tooMany.join(" || ")} ? false : ${all.map((each) => `(${each})`).join(" || ")}`;
}

/**
 * Texts of which Events tell, such as a capability that Pod Security refuses, or an image that no node finds: controllers and
 * kubelets repeat them in one Event after another, and in the status of the object.
 */
export const shortInEvents: Rule = {
  from: { hasLongText },
  isMet: "!variables.hasLongText || variables.hasLongTextBefore",
  what: `"has a text of more than ${mostRepeated} characters, such as an image, a path, a probe, a name or a capability, which Events would repeat: shorten it"`,
};
