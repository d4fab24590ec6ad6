import { priorityClassesAnnotation } from "../../config/names/labels.ts";
import { annotationOf, type PolicyContent, title, unlessAsked, withBefore } from "./admissionPolicy.ts";
import { fewEnough, fewItemsWith } from "./fewEnough.ts";
import { podChanges, podSpec } from "./podSpecs.ts";

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

/**
 * Sources of projected volumes that the namespace may see anyway, or everybody. For a `podCertificate`, the kubelet asks any
 * signer that the pod names, and Kubernetes does not ask whether it may; the certificate is good after the pod's end.
 * @see https://kubernetes.io/docs/concepts/storage/projected-volumes/
 */
const sourceTypes = ["clusterTrustBundle", "configMap", "downwardAPI", "secret", "serviceAccountToken"];

/** CEL: whether a value has none of these fields. */
const hasNone = (value: string, fields: readonly string[]) =>
  `!(${fields.map((field) => `has(${value}.${field})`).join(" || ")})`;

export const mostToEnd = 300;

/**
 * Refuses pods that could harm others although the Pod Security Standard `baseline` allows them. Such a pod could evict
 * others from their nodes by priority, bypass the scheduler or run on the control plane's nodes, keep others' pods off
 * nodes, make a node mount or request what no NetworkPolicy lets the pod reach (`baseline` refuses this only from Kubernetes
 * 1.34 on), mount somebody else's disk, get a certificate of any signer, or delay a node's drain. An object keeps its former values; the pods that it makes
 * are judged in their turn.
 *
 * The policy is evaluated once for each PriorityClass of the cluster (its parameter), since every pod without one gets the
 * default class. Kubernetes always has two of its own. Members can't write PriorityClasses.
 * @see https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/
 */
export const podsPolicy: PolicyContent = {
  ...podChanges,
  variables: {
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
      ...fewItemsWith(`variables.volumes.map(each, each.?projected.?sources.orValue([]).size()).sum()
          + (variables.near + variables.far).map(each, each.?namespaces.orValue([]).size()).sum()
          + (variables.ratherNear + variables.ratherFar).map(each,
            each.?podAffinityTerm.?namespaces.orValue([]).size()).sum()`),
      // Only these are compared with the former ones, of which a member has none: a comparison of each with each would
      // cost more than the API server allows. So for volumes.
      judgedTolerations: `
        (variables.isFew ? variables.tolerations : []).filter(each,
          each.?key.orValue('') in ['', 'CriticalAddonsOnly'] || each.key.startsWith('node-role.kubernetes.io/'))`,
      judgedVolumes: `
        (variables.isFew ? variables.volumes : []).filter(each, ${hasNone("each", volumeTypes)})`,
      judgedProjections: `
        (variables.isFew ? variables.volumes : []).filter(each,
          each.?projected.?sources.orValue([]).exists(source, ${hasNone("source", sourceTypes)}))`,
      // By HTTP or TCP, the node's kubelet can go to another host.
      judgedHosts: `
        (variables.isFew ? variables.containers + variables.initContainers : [])
        .map(each, [each.?livenessProbe, each.?readinessProbe, each.?startupProbe,
            each.?lifecycle.?postStart, each.?lifecycle.?preStop])
        .map(asked, asked.map(by, by.?httpGet.?host.orValue('')) + asked.map(by, by.?tcpSocket.?host.orValue('')))
        .map(hosts, hosts.filter(host, host != '')).filter(hosts, hosts.size() > 0)`,
    }),
    priorityClasses: annotationOf(priorityClassesAnnotation),
    newTolerations: `
      variables.judgedTolerations.filter(each, !(each in variables.judgedTolerationsBefore))
      .map(each, string(each.?key.orValue('')))`,
    newVolumes: `
      variables.judgedVolumes.filter(each, !(each in variables.judgedVolumesBefore)).map(each, string(each.name))`,
    newProjections: `
      variables.judgedProjections.filter(each, !(each in variables.judgedProjectionsBefore))
      .map(each, string(each.name))`,
    newHosts: `
      variables.judgedHosts.map(list, list.filter(host, !variables.judgedHostsBefore.exists(old, host in old)))
      .filter(list, list.size() > 0)`,
    terms: `
      !variables.isFew ? []
      : variables.near + variables.ratherNear.map(each, each.podAffinityTerm)
        + variables.far + variables.ratherFar.map(each, each.podAffinityTerm)`,
  },
  validations: [
    unlessAsked(
      `
        variables.priorityClass != params.metadata.name || params.?globalDefault.orValue(false)
        || variables.priorityClass in variables.priorityClasses.split(',')
        || variables.priorityClass == variables.priorityClassBefore`,
      `variables.title + "has the PriorityClass '" + variables.priorityClass
        + "', with which its pods would push others' off their nodes: "
        + (variables.priorityClasses == '' ? "leave priorityClassName out"
          : "namespace '" + request.namespace + "' may name " + variables.priorityClasses.replace(',', ', '))
        + ""`,
    ),
    unlessAsked(
      "variables.node == '' || variables.node == variables.nodeBefore",
      `variables.title + "goes to node '" + variables.node
        + "' past the scheduler and what that minds (nodeName): choose nodes with nodeSelector"`,
    ),
    unlessAsked(
      `variables.ending <= ${mostToEnd} || variables.ending == variables.endingBefore`,
      `variables.title + "takes " + string(variables.ending) + " seconds to end, and would hold up whoever drains a node: "
        + "let terminationGracePeriodSeconds be ${mostToEnd} or less"`,
    ),
    unlessAsked(
      "variables.newTolerations.size() == 0",
      `variables.title + "tolerates "
        + (variables.newTolerations[0] == '' ? "everything that keeps pods off a node"
          : "'" + variables.newTolerations[0] + "', which keeps pods off the control plane's nodes")
        + ": leave that toleration out"`,
    ),
    unlessAsked(
      `
        variables.affinity == variables.affinityBefore
        || variables.terms.all(term, !has(term.namespaceSelector)
          && term.?namespaces.orValue([]).all(name, name == request.namespace))`,
      `variables.title + "is to be near to or far from pods of other namespaces, and could keep those off their nodes: "
        + "leave namespaces and namespaceSelector out of its affinity"`,
    ),
    unlessAsked(
      "variables.newHosts.size() == 0",
      `variables.title + "has the node ask the host '" + variables.newHosts[0][0]
        + "' in a probe or a lifecycle hook, which no network policy holds: leave host out, so that it asks the pod"`,
    ),
    unlessAsked(
      "variables.newVolumes.size() == 0",
      `variables.title + "has the volume '" + variables.newVolumes[0]
        + "', which the node would mount in its own name, from wherever it says: use one of ${volumeTypes.join(", ")}"`,
    ),
    unlessAsked(
      "variables.newProjections.size() == 0",
      `variables.title + "has a source in the projected volume '" + variables.newProjections[0]
        + "' for which its node would ask others in its name, as any signer for a podCertificate: "
        + "use one of ${sourceTypes.join(", ")}"`,
    ),
    fewEnough("tolerations, volumes with their sources, containers and terms of podAffinity"),
  ],
};
