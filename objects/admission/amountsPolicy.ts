import { maxPodsAnnotation } from "../../config/names/labels.ts";
import { limitRangeName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { mostPodsWithoutQuota } from "../namespace.ts";
import { madeByMembers } from "../rbac/role.ts";
import {
  isController,
  isPlatform,
  type PolicyContent,
  title,
  unlessAsked,
  type Validation,
  withBefore,
} from "./admissionPolicy.ts";
import { podSpec, podSubresources } from "./podSpecs.ts";

/** Kinds that a member writes only with a further right. */
const byHand = ["podtemplates", "replicationcontrollers", "replicationcontrollers/scale"];

/** Limits, in what a message calls them. docs/reference/limits.md has them. */
export const most = {
  containers: 100,
  /** The API server reads names again in `managedFields`, also where only metadata is listed. */
  entries: 1000,
  files: 100,
  metrics: 10,
  /** Of a pod; a node has at most 100,000 of all its pods (`fs.mount-max`). A step of a Tekton task has those of all its steps. */
  mounts: 400,
  /** The quota allows forty Services, and every port has all pods. Charts for tracing have a dozen. */
  ports: 20,
  references: 100,
  /** Characters of a text of which Events tell. A probe's script may have some thousand. */
  repeated: 10_000,
  /** Of a pod: a job of GitLab's has some 200 in each container. */
  settings: 2000,
  terms: 100,
  text: 32_768,
  /** Labels and annotations of an object, with those of its templates and a Service's selector. */
  texts: 1000,
  volumes: 100,
  /** References that the API server looks at one by one: with a loop's length, its time grows by the square. */
  written: 200,
};

/**
 * Numbers about an object, each limited by its name in `most`. Each list is asked for its length first, since the API server
 * refuses a policy that costs too much.
 */
const amounts = withBefore({
  pod: podSpec,
  each: `
    variables.pod.?initContainers.orValue([]) + variables.pod.?containers.orValue([])
    + variables.pod.?ephemeralContainers.orValue([])`,
  podVolumes: "variables.pod.?volumes.orValue([])",
  claims: "object == null ? [] : dyn(object).?spec.?volumeClaimTemplates.orValue([])",

  // Pods that it asks for at once; 0 for a kind without such a field. Beside the others, a rollout makes a number, or a
  // percentage of these, which its controller does not bound.
  replicas: "object == null ? 0 : int(dyn(object).?spec.?replicas.orValue(0))",
  maxSurge: "object == null ? '0' : string(dyn(object).?spec.?strategy.?rollingUpdate.?maxSurge.orValue(0))",
  surge: `
    variables.maxSurge.endsWith('%') ? int(variables.maxSurge.split('%')[0]) * variables.replicas / 100
    : int(variables.maxSurge)`,
  pods: `
    object == null ? 0
    : object.kind == 'CronJob' ? int(dyn(object).?spec.?jobTemplate.?spec.?parallelism.orValue(0))
    : object.kind == 'Job' ? int(dyn(object).?spec.?parallelism.orValue(0))
    : object.kind == 'HorizontalPodAutoscaler' ? int(dyn(object).?spec.?maxReplicas.orValue(0))
    : [variables.replicas, variables.surge].max()`,

  ports: "object == null || object.kind != 'Service' ? 0 : dyn(object).?spec.?ports.orValue([]).size()",
  metrics: `
    object == null || object.kind != 'HorizontalPodAutoscaler' ? 0 : dyn(object).?spec.?metrics.orValue([]).size()`,
  entries: `
    object == null || !(object.kind in ['ConfigMap', 'Secret']) ? 0
    : dyn(object).?data.orValue({}).size() + dyn(object).?binaryData.orValue({}).size()`,

  // A StatefulSet's claim templates are volumes of every pod.
  mounted: "variables.podVolumes.size() + variables.claims.size()",
  volumes: `
    variables.mounted > ${most.volumes} ? variables.mounted
    : variables.mounted + variables.podVolumes.map(each, each.?projected.?sources.orValue([]).size()).sum()`,
  // Items in all volumes: an object can make the kubelet write the same file many times.
  files: `
    variables.volumes > ${most.volumes} ? 0
    : variables.podVolumes.map(each, each.?secret.?items.orValue([]).size() + each.?configMap.?items.orValue([]).size()
      + each.?downwardAPI.?items.orValue([]).size() + each.?projected.?sources.orValue([]).map(source,
        source.?secret.?items.orValue([]).size() + source.?configMap.?items.orValue([]).size()
        + source.?downwardAPI.?items.orValue([]).size()).sum()).sum()`,

  // Containers, with their ports, and the words of their preStop hooks and terminationMessagePath: the kubelet writes all of
  // that on each container, and can't list them any more if it is too much. JSON may write a character as six, so that 85 of
  // a word count as one more.
  containers: `
    variables.each.size() > ${most.containers} ? variables.each.size()
    : variables.each.size() + variables.each.map(each,
      (each.?ports.orValue([]).size() > ${most.containers} ? each.?ports.orValue([]).size()
        : each.?ports.orValue([]).map(word, 1 + word.?hostIP.orValue('').size() / 85).sum())
      + (each.?lifecycle.?preStop.?exec.?command.orValue([]).size() > ${most.containers}
        ? each.?lifecycle.?preStop.?exec.?command.orValue([]).size()
        : each.?lifecycle.?preStop.?exec.?command.orValue([]).map(word, 1 + word.size() / 85).sum())
      + (each.?lifecycle.?preStop.?httpGet.?httpHeaders.orValue([]).size() > ${most.containers}
        ? each.?lifecycle.?preStop.?httpGet.?httpHeaders.orValue([]).size()
        : each.?lifecycle.?preStop.?httpGet.?httpHeaders.orValue([])
          .map(word, 1 + (word.name.size() + word.value.size()) / 85).sum())
      + (each.?lifecycle.?preStop.?httpGet.?path.orValue('').size() + each.?terminationMessagePath.orValue('').size()) / 85
    ).sum()`,

  // Variables, sources of such, and Secrets for registries. What the kubelet asks the API server for, or reads in a volume,
  // counts ten times: it may be a MiB.
  listed: `
    variables.pod.?imagePullSecrets.orValue([]).size()
    + (variables.each.size() > ${most.containers} ? ${most.settings} + variables.each.size()
      : variables.each.map(each, each.?env.orValue([]).size() + each.?envFrom.orValue([]).size()).sum())`,
  settings: `
    variables.listed > ${most.settings} ? variables.listed
    : variables.listed + 9 * (variables.pod.?imagePullSecrets.orValue([]).size()
      + variables.each.map(each, each.?envFrom.orValue([]).size()
        + each.?env.orValue([]).filter(one, has(one.valueFrom) && (has(one.valueFrom.secretKeyRef)
          || has(one.valueFrom.configMapKeyRef) || has(one.valueFrom.fileKeyRef))).size()).sum())`,
  mounts: `
    variables.each.size() > ${most.containers} ? ${most.mounts} + variables.each.size()
    : variables.each.map(each, each.?volumeMounts.orValue([]).size() + each.?volumeDevices.orValue([]).size()).sum()`,

  // References in a container, `$(NAME)`, of which one to a variable that has references itself counts twenty times, unless
  // there are too many: twelve such steps with ten references each would be a million MiB. A name ends at the first `)` and may
  // have a `$(` within, so names are compared by what follows their last one. The kubelet starts a pod's containers one after
  // the other.
  // https://kubernetes.io/docs/tasks/inject-data-application/define-interdependent-environment-variables/
  //
  // What stands after each `$(` of a container. What is before any is first: a line break, as in no name, and more. A pod
  // with too many settings or mounts can't change.
  expanded: `
    variables.listed > ${most.settings} || variables.mounts > ${most.settings} ? [] : variables.each.map(each, {
      'env': dyn(each.?env.orValue([])),
      'words': dyn(('\\n' + (
        each.?command.orValue([]) + each.?args.orValue([])
        + each.?livenessProbe.?exec.?command.orValue([]) + each.?readinessProbe.?exec.?command.orValue([])
        + each.?startupProbe.?exec.?command.orValue([])
        + each.?env.orValue([]).map(one, one.?value.orValue(''))
        + each.?volumeMounts.orValue([]).map(one, one.?subPathExpr.orValue(''))
      ).join('\\n')).split('$('))})`,
  written: "([0] + variables.expanded.map(one, one.words.size() - 1)).max()",
  references: `
    variables.written == 0 || variables.written > ${most.written} ? variables.written
    : variables.expanded.map(each, each.words.size() - 1
      + 19 * [each.env.filter(one, one.?value.orValue('').contains('$('))
          .map(one, one.name.substring(('$(' + one.name).lastIndexOf('$(')))]
        .map(names, each.words.filter(word, word.split(')')[0] in names).size()).sum()).max()`,

  // Terms for the scheduler, tolerations and labels of nodes, with their expressions: the scheduler compares them with every
  // node or pod, and goes through values one by one, of which ten count as one more.
  affinity: "variables.pod.?affinity.orValue({})",
  nearNodes:
    "variables.affinity.?nodeAffinity.?requiredDuringSchedulingIgnoredDuringExecution.?nodeSelectorTerms.orValue([])",
  ratherNearNodes: "variables.affinity.?nodeAffinity.?preferredDuringSchedulingIgnoredDuringExecution.orValue([])",
  near: "variables.affinity.?podAffinity.?requiredDuringSchedulingIgnoredDuringExecution.orValue([])",
  ratherNear: "variables.affinity.?podAffinity.?preferredDuringSchedulingIgnoredDuringExecution.orValue([])",
  far: "variables.affinity.?podAntiAffinity.?requiredDuringSchedulingIgnoredDuringExecution.orValue([])",
  ratherFar: "variables.affinity.?podAntiAffinity.?preferredDuringSchedulingIgnoredDuringExecution.orValue([])",
  spread: "variables.pod.?topologySpreadConstraints.orValue([])",
  places: `
    variables.pod.?nodeSelector.orValue({}).size() + variables.pod.?tolerations.orValue([]).size()
    + variables.nearNodes.size() + variables.ratherNearNodes.size() + variables.near.size() + variables.ratherNear.size()
    + variables.far.size() + variables.ratherFar.size() + variables.spread.size()`,
  nodeTerms: `
    variables.places > ${most.terms} ? [] : variables.nearNodes + variables.ratherNearNodes.map(each, each.preference)`,
  podTerms: `
    variables.places > ${most.terms} ? []
    : variables.near + variables.ratherNear.map(each, each.podAffinityTerm)
      + variables.far + variables.ratherFar.map(each, each.podAffinityTerm) + variables.spread`,
  expressions: `
    variables.nodeTerms.map(each, each.?matchExpressions.orValue([]))
    + variables.nodeTerms.map(each, each.?matchFields.orValue([]))
    + variables.podTerms.map(each, each.?labelSelector.?matchExpressions.orValue([]))
    + variables.podTerms.map(each, each.?namespaceSelector.?matchExpressions.orValue([]))`,
  compared: `
    variables.places + variables.expressions.map(list, list.size()).sum()
    + variables.podTerms.map(each, each.?labelSelector.?matchLabels.orValue({}).size()
      + each.?namespaceSelector.?matchLabels.orValue({}).size() + each.?matchLabelKeys.orValue([]).size()).sum()`,
  terms: `
    variables.compared > ${most.terms} ? variables.compared
    : variables.compared
      + variables.expressions.map(list, list.map(one, one.?values.orValue([]).size() / 10).sum()).sum()`,

  // Labels and annotations of an object and its templates, and a Service's selector; of claims, unless they are too many. A
  // ResourceClaimTemplate's template is its spec.
  described: `
    object == null ? []
    : [dyn(object).?metadata, dyn(object).?spec.?metadata, dyn(object).?spec.?template.?metadata,
        dyn(object).?spec.?jobTemplate.?metadata, dyn(object).?spec.?jobTemplate.?spec.?template.?metadata,
        dyn(object).?template.?metadata]
      + (variables.volumes > ${most.volumes} ? []
        : variables.claims.map(each, each.?metadata)
          + variables.podVolumes.map(each, each.?ephemeral.?volumeClaimTemplate.?metadata))`,
  maps: `
    [object != null && object.kind == 'Service' ? dyn(object).?spec.?selector.orValue({}) : dyn({})]
    + variables.described.map(each, each.?labels.orValue({})) + variables.described.map(each, each.?annotations.orValue({}))`,
  texts: "variables.maps.map(texts, texts.size()).sum()",
  // Their characters, or 40 for each if there are too many to add up.
  text: `
    variables.texts > ${most.texts} ? variables.texts * 40
    : variables.maps.map(texts, texts.map(key, key.size() + string(texts[key]).size()).sum()).sum()`,

  schedule: "object == null || object.kind != 'CronJob' ? '' : string(dyn(object).?spec.?schedule.orValue(''))",

  // Whether Events would tell of a long text, such as a capability that Pod Security refuses, or an image that no node finds:
  // controllers and kubelets repeat it in one Event after another, and in the status of the object. Of others' fields, one is
  // the claim that another one copies. The program of a container is what is not found, in which the kubelet has written
  // variables out. Nobody looks through too many lists.
  hasLongText: `
    object == null || variables.volumes > ${most.volumes} || variables.listed > ${most.settings} || variables.mounts > ${most.mounts}
    ? false
    : '%s'.format([dyn(object).metadata.?ownerReferences.orValue('')]).size() > ${most.repeated}
      || ['dataSource', 'dataSourceRef', 'metrics', 'scaleTargetRef', 'schedule', 'serviceName', 'timeZone'].exists(field,
        '%s'.format([dyn(object).?spec.orValue({})[?field].orValue('')]).size() > ${most.repeated})
      || ['dnsConfig', 'schedulerName', 'securityContext'].exists(field,
        '%s'.format([variables.pod[?field].orValue('')]).size() > ${most.repeated})
      || variables.pod.?imagePullSecrets.orValue([]).exists(one, '%s'.format([one]).size() > ${most.repeated})
      || variables.podVolumes.exists(one, '%s'.format([one]).size() > ${most.repeated})
      || variables.claims.exists(one, '%s'.format([one.?spec.orValue('')]).size() > ${most.repeated})
      || variables.each.exists(each,
        ['image', 'lifecycle', 'livenessProbe', 'readinessProbe', 'securityContext', 'startupProbe', 'workingDir'].exists(field,
          '%s'.format([each[?field].orValue('')]).size() > ${most.repeated})
        || ['envFrom', 'volumeDevices', 'volumeMounts'].exists(field,
          each[?field].orValue([]).exists(one, '%s'.format([one]).size() > ${most.repeated}))
        || each.?env.orValue([]).exists(one, '%s'.format([one.?valueFrom.orValue('')]).size() > ${most.repeated})
        || [each.?command.orValue(each.?args.orValue([]))[?0].orValue('')].exists(program,
          '%s'.format([program]).size() > ${most.repeated}
          || (program.contains('$(')
            && (each.?env.orValue([]).exists(one, '%s'.format([one.?value.orValue('')]).size() > ${most.repeated})
              || (has(each.command)
                && (each.?envFrom.orValue([]).size() > 0 || each.?env.orValue([]).exists(one, has(one.valueFrom))))))))`,
});

/**
 * Limits amounts that a quota does not count, and that everybody pays for. The controller manager builds all missing pods of
 * a StatefulSet in its memory, whether or not the quota allows them; every node has all ports of all Services; the kubelet
 * pays for files of Secrets; and everybody who lists objects reads all labels and annotations. An object may keep a former
 * amount, and reduce it. Where the pods stay as they are, most is not added up: finalizers can be taken off whatever there is.
 *
 * The limits hold for everybody, also for an HPA's controller, which sets the number of pods by `/scale`. Controllers may
 * copy an object that was judged before: a Deployment's to its ReplicaSets, which together exceed it for a moment in a
 * rollout, and a CronJob's to its Jobs. Labels and annotations, they and the platform may write as many as they like.
 * @see https://kubernetes.io/docs/reference/using-api/cel/#cost-budget
 */
export const amountsPolicy = (settings: Settings): PolicyContent => ({
  requests: [
    ...madeByMembers(settings),
    { apiGroups: [""], resources: [...byHand, ...podSubresources] },
    { apiGroups: ["apps"], resources: ["deployments/scale", "replicasets/scale", "statefulsets/scale"] },
  ],
  variables,
  validations,
});

const variables = {
  title,
  maxPods: `int(namespaceObject.metadata.?annotations[?'${maxPodsAnnotation}'].orValue('${mostPodsWithoutQuota}'))`,
  ...amounts,
  keepsPods: "variables.pod == variables.podBefore",
  isController,
  isPlatform,
  isHandedOn: `
    variables.isController && request.resource.resource in ['jobs', 'replicasets']
    && request.?subResource.orValue('') == ''`,
};

/** CEL: whether a number is within its limit, or no more than it was. @param isFew CEL: whether its lists can be compared */
const fits = (name: keyof typeof most, isFew?: string) =>
  `variables.${name} <= ${most[name]} || ${isFew === undefined ? "" : `${isFew} && `}variables.${name} <= variables.${name}Before`;

/** @param what CEL within a literal: the things, the harm, and the way out */
const atMost = (name: keyof typeof most, what: string, expression = fits(name)) =>
  unlessAsked(expression, `variables.title + "has " + string(variables.${name}) + " ${what}"`);

const byWriters = (name: "text" | "texts") => `variables.isController || ${fits(name)} || variables.isPlatform`;

const withSelector = `" + (object.kind == 'Service' ? ", with its selector" : "") + "`;

const validations: readonly Validation[] = [
  unlessAsked(
    "variables.pods <= variables.maxPods || variables.pods <= variables.podsBefore || variables.isHandedOn",
    `variables.title + "asks for " + string(variables.pods) + " pods at once ("
      + (object.kind in ['CronJob', 'Job'] ? 'parallelism'
        : object.kind == 'HorizontalPodAutoscaler' ? 'maxReplicas'
        : object.kind == 'Deployment' ? 'replicas or maxSurge' : 'replicas')
      + "), and namespace '" + request.namespace + "' may have " + string(variables.maxPods)
      + ": ask for no more than that"`,
  ),
  atMost(
    "ports",
    `ports, each of which every node has to have: leave it at ${most.ports}, and make another Service for more`,
  ),
  atMost(
    "volumes",
    `volumes, with the sources of projected ones, which its node would have to mount: leave it at ${most.volumes}`,
  ),
  atMost(
    "containers",
    `containers, ports, and words of their preStop hooks and terminationMessagePath together, which its node keeps: leave it at ${most.containers}`,
  ),
  atMost(
    "metrics",
    `metrics, which the controller of all autoscalers asks for again and again: leave it at ${most.metrics}`,
  ),
  atMost(
    "settings",
    `settings of its containers, with what comes from elsewhere (envFrom, valueFrom, imagePullSecrets) counted 10 times, which the kubelet keeps in its memory: leave it at ${most.settings}, or take whole Secrets and ConfigMaps by envFrom or as files`,
    `variables.keepsPods || ${fits("settings", `variables.listed <= ${most.settings}`)}`,
  ),
  atMost(
    "mounts",
    `mounts in its containers, each of which its node makes: leave it at ${most.mounts}, or mount whole volumes`,
    `variables.keepsPods || ${fits("mounts", `variables.mounts <= ${most.settings}`)}`,
  ),
  atMost(
    "references",
    `references, '$(…)', in a container, with each to a variable that has some itself counted 20 times, which the kubelet writes out in its memory: leave it at ${most.references}, write repeated variables out, or put a script into a ConfigMap`,
    `variables.keepsPods || ${fits("references", `variables.written <= ${most.written}`)}`,
  ),
  atMost(
    "terms",
    `terms, expressions, tolerations and labels of nodes, which the scheduler compares with every node: leave it at ${most.terms}`,
    `variables.keepsPods || ${fits("terms")}`,
  ),
  atMost(
    "entries",
    `entries, whose names everybody reads who lists it: leave it at ${most.entries}, and make another one for more`,
  ),
  atMost(
    "files",
    `items in its volumes, which the node would keep in its memory: leave it at ${most.files}, or leave items out to have all of a Secret or ConfigMap`,
  ),
  atMost(
    "texts",
    `labels and annotations${withSelector}, which everybody reads who lists it: leave it at ${most.texts}`,
    byWriters("texts"),
  ),
  atMost(
    "text",
    `characters of labels and annotations${withSelector}, which everybody reads who lists it: leave it at ${most.text} (kubectl apply --server-side keeps no copy of the object in an annotation)`,
    byWriters("text"),
  ),
  // Kubernetes compares a pod's own requests only with its own limits: without those, a pod could reserve a node, and
  // have the limits of its containers counted. Requests of which a pod says nothing itself, Kubernetes fills in.
  // From 1.37 on, it also fills in limits, of as much as the requests, if all containers have some.
  // https://kubernetes.io/docs/tasks/configure-pod-container/assign-pod-level-resources/
  unlessAsked(
    `
      variables.keepsPods || variables.pod.?resources.orValue({}).size() == 0
      || ['cpu', 'memory'].all(each, each in variables.pod.?resources.?limits.orValue({}))`,
    `variables.title + "has resources of the pod itself (spec.resources) without limits of both cpu and memory, "
      + "and could reserve more than it is counted for: set both in spec.resources.limits, or leave spec.resources out"`,
  ),
  // A LimitRange knows nothing of a pod's own limits. By then, an annotation alone tells what it has set of a new pod; a
  // controller's was judged before, and is told of in Events otherwise.
  unlessAsked(
    `
      variables.keepsPods || variables.isController || variables.pod.?resources.orValue({}).size() == 0
      || (object.kind == 'Pod'
        ? oldObject != null || !object.metadata.?annotations[?'kubernetes.io/limit-ranger'].orValue('')
          .matches('(cpu|memory)[a-z, -]* limit for ')
        : variables.each.size() <= ${most.containers} && variables.each.all(each,
          ['cpu', 'memory'].all(name, name in each.?resources.?limits.orValue({}))))`,
    `variables.title + "has resources of the pod itself (spec.resources), and a container without limits of both cpu and "
      + "memory, which gets those of LimitRange '${limitRangeName}' and no more: set limits up to the pod's for each "
      + "container, and requests that come to no more than the pod's"`,
  ),
  // Of such a pod, the quota counts what it has and not what it asks for, and so would let it ask for anything.
  // https://kubernetes.io/docs/tasks/configure-pod-container/resize-container-resources/#pod-resize-status
  unlessAsked(
    `
      request.?subResource.orValue('') != 'resize' || variables.keepsPods
      || !dyn(oldObject).?status.?conditions.orValue([]).exists(each,
        each.type == 'PodResizePending' && each.?reason.orValue('') == 'Infeasible')`,
    `variables.title + "waits for a resize that its node can't do (PodResizePending: Infeasible), and the quota would not "
      + "count another one: delete the pod, and let it be made with the resources that it is to have"`,
  ),
  // As Cron's own schedules do: one controller makes everybody's Jobs, and another all their pods.
  // https://pkg.go.dev/github.com/robfig/cron/v3#hdr-Intervals
  unlessAsked(
    `
      !variables.schedule.contains('@every ') || variables.schedule == variables.scheduleBefore
      || duration(variables.schedule.split('@every ')[1]) >= duration('1m')`,
    `variables.title + "runs more often than once a minute (schedule '" + variables.schedule
      + "'), and would hold up everybody's Jobs: let it be once a minute or less"`,
  ),
  unlessAsked(
    "!variables.hasLongText || variables.hasLongTextBefore",
    `variables.title + "has a text of more than ${most.repeated} characters, "
      + "such as an image, a path, a probe, a name or a capability, which Events would repeat: shorten it"`,
  ),
];
