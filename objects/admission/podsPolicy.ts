import { priorityClassesAnnotation } from "../../config/names/labels.ts";
import type { Settings } from "../../config/settings.ts";
import { admissionPolicy, title, type Validation, withBefore } from "./admissionPolicy.ts";
import { fewEnough, fewItems, mostJudged } from "./fewEnough.ts";
import { changesPods, podSpec, podSpecRequests } from "./podSpecs.ts";

/** Volume types that stay within the namespace; a node mounts any other with its own rights, from any place. */
const volumeTypes = [
  "configMap",
  "downwardAPI",
  "emptyDir",
  "ephemeral",
  "image",
  "persistentVolumeClaim",
  "projected",
  "secret",
];

/** Most seconds that a pod may take to end. */
export const mostToEnd = 300;

/**
 * Refuses pods that could harm others although the Pod Security Standard `baseline` allows them. Such a pod could evict
 * others from their nodes by priority, bypass the scheduler or run on the control plane's nodes, keep others' pods off
 * nodes, make a node mount or request what no NetworkPolicy lets the pod reach (`baseline` refuses this only from Kubernetes
 * 1.34 on), mount somebody else's disk, or delay a node's drain. An object keeps its former values; the pods that it makes
 * are judged in their turn.
 *
 * The policy is evaluated once for each PriorityClass of the cluster (its parameter), since every pod without one gets the
 * default class. Kubernetes always has two of its own. Members can't write PriorityClasses.
 * @see https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/
 */
export function podsPolicy(settings: Settings) {
  return admissionPolicy(
    "pods",
    { requests: podSpecRequests, matchConditions: changesPods, variables, validations },
    settings,
  );
}

const variables = {
  title,
  ...withBefore({
    pod: podSpec,
    priorityClass: "string(variables.pod.?priorityClassName.orValue(''))",
    node: "string(variables.pod.?nodeName.orValue(''))",
    ending: "int(variables.pod.?terminationGracePeriodSeconds.orValue(0))",
    tolerations: "variables.pod.?tolerations.orValue([])",
    volumes: "variables.pod.?volumes.orValue([])",
    // An ephemeral container has no probes and hooks.
    containers: "variables.pod.?containers.orValue([])",
    initContainers: "variables.pod.?initContainers.orValue([])",
    affinity: "variables.pod.?affinity.orValue({})",
    near: "variables.affinity.?podAffinity.?requiredDuringSchedulingIgnoredDuringExecution.orValue([])",
    ratherNear: "variables.affinity.?podAffinity.?preferredDuringSchedulingIgnoredDuringExecution.orValue([])",
    far: "variables.affinity.?podAntiAffinity.?requiredDuringSchedulingIgnoredDuringExecution.orValue([])",
    ratherFar: "variables.affinity.?podAntiAffinity.?preferredDuringSchedulingIgnoredDuringExecution.orValue([])",
    judged: `
      [variables.tolerations, variables.volumes, variables.containers, variables.initContainers,
        variables.near, variables.ratherNear, variables.far, variables.ratherFar]`,
    listed: "variables.judged.map(list, list.size()).sum()",
    count: `
      variables.listed > ${mostJudged} ? variables.listed
      : variables.listed + (variables.near + variables.far).map(each, each.?namespaces.orValue([]).size()).sum()
        + (variables.ratherNear + variables.ratherFar).map(each,
          each.?podAffinityTerm.?namespaces.orValue([]).size()).sum()`,
    isFew: fewItems.isFew,
    // Only these are compared with the former ones, of which a member has none: a comparison of each with each would
    // cost more than the API server allows. So for volumes.
    judgedTolerations: `
      (variables.isFew ? variables.tolerations : []).filter(each,
        each.?key.orValue('') in ['', 'CriticalAddonsOnly'] || each.key.startsWith('node-role.kubernetes.io/'))`,
    judgedVolumes: `
      (variables.isFew ? variables.volumes : []).filter(each,
        !(${volumeTypes.map((type) => `has(each.${type})`).join(" || ")}))`,
    // By HTTP or TCP, the node's kubelet can go to another host.
    judgedHosts: `
      (variables.isFew ? variables.containers + variables.initContainers : [])
      .map(each, [each.?livenessProbe, each.?readinessProbe, each.?startupProbe,
          each.?lifecycle.?postStart, each.?lifecycle.?preStop])
      .map(asked, asked.map(by, by.?httpGet.?host.orValue('')) + asked.map(by, by.?tcpSocket.?host.orValue('')))
      .map(hosts, hosts.filter(host, host != '')).filter(hosts, hosts.size() > 0)`,
  }),
  priorityClasses: `namespaceObject.metadata.?annotations[?'${priorityClassesAnnotation}'].orValue('')`,
  newTolerations: `
    variables.judgedTolerations.filter(each, !(each in variables.judgedTolerationsBefore))
    .map(each, string(each.?key.orValue('')))`,
  newVolumes: `
    variables.judgedVolumes.filter(each, !(each in variables.judgedVolumesBefore)).map(each, string(each.name))`,
  newHosts: `
    variables.judgedHosts.map(list, list.filter(host, !variables.judgedHostsBefore.exists(old, host in old)))
    .filter(list, list.size() > 0)`,
  terms: `
    !variables.isFew ? []
    : variables.near + variables.ratherNear.map(each, each.podAffinityTerm)
      + variables.far + variables.ratherFar.map(each, each.podAffinityTerm)`,
};

const validations: readonly Validation[] = [
  {
    expression: `
      variables.priorityClass != params.metadata.name || params.?globalDefault.orValue(false)
      || variables.priorityClass in variables.priorityClasses.split(',')
      || variables.priorityClass == variables.priorityClassBefore`,
    messageExpression: `
      variables.title + "has the PriorityClass '" + variables.priorityClass
      + "', with which its pods would push others' off their nodes: "
      + (variables.priorityClasses == '' ? "leave priorityClassName out"
        : "namespace '" + request.namespace + "' may name " + variables.priorityClasses.replace(',', ', '))
      + "; ask " + variables.contact + " if it has to be"`,
  },
  {
    expression: "variables.node == '' || variables.node == variables.nodeBefore",
    messageExpression: `
      variables.title + "goes to node '" + variables.node
      + "' past the scheduler and what that minds (nodeName): choose nodes with nodeSelector; ask " + variables.contact + " if it has to be"`,
  },
  {
    expression: `variables.ending <= ${mostToEnd} || variables.ending == variables.endingBefore`,
    messageExpression: `
      variables.title + "takes " + string(variables.ending) + " seconds to end, and would hold up whoever drains a node: "
      + "let terminationGracePeriodSeconds be ${mostToEnd} or less; ask " + variables.contact + " if it has to be"`,
  },
  {
    expression: "variables.newTolerations.size() == 0",
    messageExpression: `
      variables.title + "tolerates "
      + (variables.newTolerations[0] == '' ? "everything that keeps pods off a node"
        : "'" + variables.newTolerations[0] + "', which keeps pods off the control plane's nodes")
      + ": leave that toleration out; ask " + variables.contact + " if it has to be"`,
  },
  {
    expression: `
      variables.affinity == variables.affinityBefore
      || variables.terms.all(term, !has(term.namespaceSelector)
        && term.?namespaces.orValue([]).all(name, name == request.namespace))`,
    messageExpression: `
      variables.title + "is to be near to or far from pods of other namespaces, and could keep those off their nodes: "
      + "leave namespaces and namespaceSelector out of its affinity; ask " + variables.contact + " if it has to be"`,
  },
  {
    expression: "variables.newHosts.size() == 0",
    messageExpression: `
      variables.title + "has the node ask the host '" + variables.newHosts[0][0]
      + "' in a probe or a lifecycle hook, which no network policy holds: leave host out, so that it asks the pod; ask " + variables.contact + " if it has to be"`,
  },
  {
    expression: "variables.newVolumes.size() == 0",
    messageExpression: `
      variables.title + "has the volume '" + variables.newVolumes[0]
      + "', which the node would mount in its own name, from wherever it says: use one of ${volumeTypes.join(", ")}; ask " + variables.contact + " if it has to be"`,
  },
  fewEnough("tolerations, volumes, containers and terms of podAffinity"),
];
