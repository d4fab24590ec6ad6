import { priorityClassesAnnotation } from "../../config/names/labels.ts";
import type { Settings } from "../../config/settings.ts";
import { admissionPolicy, refusing } from "./admissionPolicy.ts";
import { fewEnough, ifFew, type Side } from "./fewEnough.ts";
import { changesPods, containersOf, podOf, podSpecRequests, pods } from "./podSpecs.ts";

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

/** Probes and hooks that the node's kubelet makes for a container: by HTTP or TCP, they can go to another host. */
const asked = ["livenessProbe", "readinessProbe", "startupProbe", "lifecycle.?postStart", "lifecycle.?preStop"];

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
  const refused = refusing(settings);
  const few = fewEnough({ what: "tolerations, volumes, containers and terms of podAffinity", itemsOf }, settings);
  const content = {
    requests: podSpecRequests,
    matchCondition: changesPods,
    variables: {
      ...pods,
      ...few.variables,
      priorityClass: "string(variables.pod.?priorityClassName.orValue(''))",
      priorityClasses: `namespaceObject.metadata.?annotations[?'${priorityClassesAnnotation}'].orValue('')`,
      ending: "int(variables.pod.?terminationGracePeriodSeconds.orValue(0))",
      node: "string(variables.pod.?nodeName.orValue(''))",
      tolerationsBefore: judgedTolerations("oldObject"),
      tolerations: `${judgedTolerations("object")}.filter(each, !(each in variables.tolerationsBefore))
        .map(each, string(each.?key.orValue('')))`,
      terms: ifFew(affinities.flatMap((affinity) => termsOf(affinity)).join(" + ")),
      hostsBefore: askedHosts("oldObject"),
      hosts: `${askedHosts("object")}.map(list, list.filter(host, !variables.hostsBefore.exists(old, host in old)))
        .filter(list, list.size() > 0)`,
      volumesBefore: judgedVolumes("oldObject"),
      volumes: `${judgedVolumes("object")}.filter(each, !(each in variables.volumesBefore)).map(each, string(each.name))`,
    },
    validations: [
      refused(
        `variables.priorityClass != params.metadata.name || params.?globalDefault.orValue(false)
          || variables.priorityClass in variables.priorityClasses.split(',')
          || variables.priorityClass == string(variables.podBefore.?priorityClassName.orValue(''))`,
        `"has the PriorityClass '" + variables.priorityClass + "', with which its pods would push others' off their nodes: "
          + (variables.priorityClasses == '' ? "leave priorityClassName out" : "namespace '" + request.namespace + "' may name " + variables.priorityClasses.replace(',', ', '))`,
      ),
      refused(
        "variables.node == '' || variables.node == string(variables.podBefore.?nodeName.orValue(''))",
        `"goes to node '" + variables.node + "' past the scheduler and what that minds (nodeName): choose nodes with nodeSelector"`,
      ),
      refused(
        `variables.ending <= ${mostToEnd} || variables.ending == int(variables.podBefore.?terminationGracePeriodSeconds.orValue(0))`,
        `"takes " + string(variables.ending) + " seconds to end, and would hold up whoever drains a node: let terminationGracePeriodSeconds be ${mostToEnd} or less"`,
      ),
      refused(
        "variables.tolerations.size() == 0",
        `"tolerates " + (variables.tolerations[0] == '' ? "everything that keeps pods off a node" : "'" + variables.tolerations[0] + "', which keeps pods off the control plane's nodes") + ": leave that toleration out"`,
      ),
      refused(
        `variables.pod.?affinity.orValue({}) == variables.podBefore.?affinity.orValue({})
          || variables.terms.all(term, !has(term.namespaceSelector) && term.?namespaces.orValue([]).all(name, name == request.namespace))`,
        `"is to be near to or far from pods of other namespaces, and could keep those off their nodes: leave namespaces and namespaceSelector out of its affinity"`,
      ),
      refused(
        "variables.hosts.size() == 0",
        `"has the node ask the host '" + variables.hosts[0][0] + "' in a probe or a lifecycle hook, which no network policy holds: leave host out, so that it asks the pod"`,
      ),
      refused(
        "variables.volumes.size() == 0",
        `"has the volume '" + variables.volumes[0] + "', which the node would mount in its own name, from wherever it says: ${`use one of ${volumeTypes.join(", ")}`}"`,
      ),
      few.validation,
    ],
  };
  return admissionPolicy("pods", content, settings);
}

const affinities = ["podAffinity", "podAntiAffinity"];

/** CEL: an affinity's terms, and those with a weight. */
const required = (affinity: string, side: Side = "object") =>
  `${podOf(side)}.?affinity.?${affinity}.?requiredDuringSchedulingIgnoredDuringExecution.orValue([])`;
const preferred = (affinity: string, side: Side = "object") =>
  `${podOf(side)}.?affinity.?${affinity}.?preferredDuringSchedulingIgnoredDuringExecution.orValue([])`;

/** CEL: terms of an affinity, which name pods to be near to or far from. */
const termsOf = (affinity: string) => [required(affinity), `${preferred(affinity)}.map(each, each.podAffinityTerm)`];

/** An ephemeral container has no probes and hooks. */
const longLived = ["containers", "initContainers"];

function itemsOf(side: Side) {
  const lists = ["tolerations", "volumes"].map((field) => `${podOf(side)}.?${field}.orValue([])`);
  return [
    ...[...lists, ...containersOf(side, longLived)].map((list) => ({ list })),
    ...affinities.flatMap((affinity) => [
      { list: required(affinity, side), within: ["each.?namespaces.orValue([])"] },
      { list: preferred(affinity, side), within: ["each.?podAffinityTerm.?namespaces.orValue([])"] },
    ]),
  ];
}

/** CEL: hosts that a pod makes the node request, a list for each container that names one. */
const askedHosts = (side: Side) =>
  ifFew(
    `(${containersOf(side, longLived).join(" + ")}).map(each, [${asked
      .flatMap((handler) => ["httpGet", "tcpSocket"].map((by) => `each.?${handler}.?${by}.?host.orValue('')`))
      .join(", ")}].filter(host, host != '')).filter(list, list.size() > 0)`,
    side,
  );

/**
 * CEL: a pod's tolerations and volumes that are not for everybody. Only these are compared with the former ones, of which a
 * member has none: a comparison of each with each would cost more than the API server allows.
 */
const judgedTolerations = (side: Side) =>
  ifFew(
    `${podOf(side)}.?tolerations.orValue([]).filter(each, each.?key.orValue('') in ['', 'CriticalAddonsOnly']
    || each.key.startsWith('node-role.kubernetes.io/'))`,
    side,
  );
const judgedVolumes = (side: Side) =>
  ifFew(
    `${podOf(side)}.?volumes.orValue([]).filter(each, !(${volumeTypes.map((type) => `has(each.${type})`).join(" || ")}))`,
    side,
  );
