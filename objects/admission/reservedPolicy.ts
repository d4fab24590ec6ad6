import { envoyGateway } from "../../cluster/kinds/apiVersions.ts";
import { resourceOf } from "../../cluster/kinds/kinds.ts";
import { apiGroup, partsOfCustom } from "../../config/names/customKinds.ts";
import { objectLabel, objectsAnnotation, ourPrefix, starterAnnotation } from "../../config/names/labels.ts";
import { homeNames } from "../../config/names/names.ts";
import { signatureKey, unknowns } from "../../config/names/pulumiMarks.ts";
import { givenKindNames, givenKinds, groupOfGiven } from "../../config/objects/givenKinds.ts";
import { type CustomResource, customResources } from "../../config/objects/objectKinds.ts";
import type { Settings } from "../../config/settings.ts";
import {
  annotationOf,
  celTexts,
  isController,
  isPlatform,
  type JudgedRequests,
  type PolicyContent,
  type Validation,
  withBefore,
} from "./admissionPolicy.ts";
import { fewEnough, fewItems } from "./fewEnough.ts";
import { podSpecRequests } from "./podSpecs.ts";

const operations = ["CREATE", "UPDATE", "DELETE"] as const;

/**
 * Kinds that both members and runs write at home, and the login, without which a path would be open. Not Services, which are
 * the members': a run corrects unfit ones.
 */
const requests: readonly JudgedRequests[] = [
  { apiGroups: [""], resources: ["configmaps", "secrets"], operations },
  { apiGroups: ["apps"], resources: ["deployments"], operations },
  { apiGroups: [apiGroup(envoyGateway)], resources: [resourceOf("SecurityPolicy")], operations },
];

/** Resources with a number of pods that can be changed apart from the object, also by a HorizontalPodAutoscaler. */
const scaled = ["deployments", "statefulsets"];

/** Resources whose controllers make deleted pods anew. */
const workloads = ["daemonsets", "deployments", "statefulsets"];

/** Users that write for HorizontalPodAutoscalers; the second where all controllers of Kubernetes share one name. */
const autoscalers = ["system:serviceaccount:kube-system:horizontal-pod-autoscaler", "system:kube-controller-manager"];

/** All kinds, not only those that are given now: a member could have an object with kubecamp's marks before it is given. */
const requestsForGiven: readonly JudgedRequests[] = [
  ...[...Map.groupBy(givenKindNames, groupOfGiven)].map(([group, kinds]) => ({
    apiGroups: [group],
    resources: kinds.map((kind) => givenKinds[kind].resource).sort(),
    operations,
  })),
  { apiGroups: ["apps"], resources: scaled.map((resource) => `${resource}/scale`) },
  { apiGroups: ["autoscaling"], resources: ["horizontalpodautoscalers"] },
];

/** Requests for a custom kind, and for its number of pods if it has one. */
const ofCustomKind = ({ apiGroups, resources }: CustomResource): JudgedRequests[] => [
  { apiGroups, resources, operations },
  { apiGroups, resources: resources.map((resource) => `${resource}/scale`) },
];

/** Groups of Kubernetes' own kinds. A custom kind may be called as one of them, so that its name has the group, too. */
const ownGroups = [...new Set(requestsForGiven.flatMap(({ apiGroups }) => apiGroups))];

/** Objects that only a run may write, such as `configmaps/starter-pages`. */
const reserved = homeNames
  .filter(({ isReserved }) => isReserved)
  .map(({ kind, name }) => `${resourceOf(kind)}/${name}`);

/** CEL: resources of custom kinds that members are given, such as `widgets.example.org`, by group and kind. */
function customTitles({ objectKinds = [] }: Pick<Settings, "objectKinds">): string {
  const titles = objectKinds.map(({ kind }) => {
    const { group, kind: name, plural } = partsOfCustom(kind);
    return `'${group}/${name}': '${plural}.${group}'`;
  });
  return `{${titles.join(", ")}}`;
}

const manager = "app.kubernetes.io/managed-by";

/** Domains of network plugins, whose annotations give a pod another network, or an address that may be somebody else's. */
const networks = [
  "antrea.io",
  "cilium.io",
  "cni.cncf.io",
  "multus-cni.io",
  "networking.gke.io",
  "ovn.kubernetes.io",
  "ovn.org",
  "projectcalico.org",
  "spidernet.io",
  "vpc.amazonaws.com",
];

const ofNetworks = `^([^/]*[.])?(${networks.map((domain) => domain.replaceAll(".", "[.]")).join("|")})/|^io[.]cilium[./]`;

/** Has an autoscaler remove a node with the pod on it or not. */
const safeToEvict = "cluster-autoscaler.kubernetes.io/safe-to-evict";

/** What these plugins write into a running pod: a copy of it has them too. */
const results = "^cni[.]projectcalico[.]org/(podIPs?|containerID)$|^k8s[.]v1[.]cni[.]cncf[.]io/network-status$";

/**
 * Lets only the platform write the objects that a run keeps in a member's namespace: those that say how to reach buckets,
 * the CA for a Gateway, the login before a path, and a `kept` starter app, except its number of pods. A member's version could be immutable or leave
 * no room, and then fail the run for everybody. So it does for the objects that members are given. It also keeps others
 * from using kubecamp's own labels and annotations, by which a run would take their objects for its own, and the key by which
 * Pulumi would take all of them for something else, and the annotations by which pods steer the cluster's network plugin or
 * autoscaler. A `once` starter
 * app is the member's, and so is what they are given with `theirs`. Controllers may, which are Kubernetes' own and
 * ServiceAccounts of other namespaces: pods that they make have a template's annotations, and that was judged.
 */
export function reservedPolicy(settings: Settings): PolicyContent {
  const given =
    settings.objects === undefined ? [] : [...requestsForGiven, ...customResources(settings).flatMap(ofCustomKind)];
  return {
    requests: [...requests, ...podSpecRequests, ...given],
    variables: { customResources: customTitles(settings), ...variables },
    validations: settings.objects === undefined ? validations : [...validations, ...ofScales],
  };
}

const variables = {
  name: "oldObject == null ? object.metadata.?name.orValue('') : oldObject.metadata.?name.orValue('')",
  title: 'request.kind.kind + " \'" + variables.name + "\' "',
  resource: `request.resource.resource + (request.resource.group in ${celTexts(ownGroups)} ? '' : '.' + request.resource.group)`,
  given: `${annotationOf(objectsAnnotation)}.split(',')`,
  isGiven: "(variables.resource + '/' + variables.name) in variables.given",
  target: `
    variables.resource == 'horizontalpodautoscalers' && object != null
    ? string(dyn(object).spec.scaleTargetRef.kind) + ' ' + string(dyn(object).spec.scaleTargetRef.name) : ''`,
  targetGroup: `
    variables.target == '' ? '' : string(dyn(object).spec.scaleTargetRef.?apiVersion.orValue('')).split('/')[0]`,
  targetKind: "variables.target.split(' ')[0]",
  // Groups of Kubernetes' own kinds that can be scaled have no dot.
  targetResource: `
    variables.customResources[?variables.targetGroup + '/' + variables.targetKind]
    .orValue(variables.targetGroup.contains('.') ? '' : variables.targetKind.lowerAscii() + 's')`,
  isTarget: `
    variables.target != ''
    && (variables.targetResource + '/' + variables.target.split(' ')[1]) in variables.given`,
  starter: `oldObject == null ? '' : string(oldObject.metadata.?annotations[?'${starterAnnotation}'].orValue(''))`,
  // A managed Service is the member's, who may add ports.
  isKept: `
    variables.resource != 'services' && oldObject != null
    && oldObject.metadata.?labels[?'${manager}'].orValue('') == 'kubecamp' && variables.starter != 'once'
    && oldObject.metadata.?labels[?'${objectLabel}'].orValue('') != 'theirs'`,
  isReserved: `
    (variables.resource + '/' + variables.name) in ${celTexts(reserved)} || variables.isGiven`,
  ...withBefore({
    labels: "object == null ? {} : object.metadata.?labels.orValue({})",
    annotations: "object == null ? {} : object.metadata.?annotations.orValue({})",
    // Of the pods that it is or makes; a custom kind may have something else there. So for claims.
    podAnnotations: `
      object == null || !(request.resource.group in ['', 'apps', 'batch']) ? dyn({})
      : object.kind == 'Pod' ? dyn(object).?metadata.?annotations.orValue({})
      : object.kind == 'PodTemplate' ? dyn(object).?template.?metadata.?annotations.orValue({})
      : object.kind == 'CronJob' ? dyn(object).?spec.?jobTemplate.?spec.?template.?metadata.?annotations.orValue({})
      : dyn(object).?spec.?template.?metadata.?annotations.orValue({})`,
    claims: `
      object == null || request.resource.group != 'apps' ? [] : dyn(object).?spec.?volumeClaimTemplates.orValue([])`,
    judged: `
      [dyn(variables.labels), dyn(variables.annotations), dyn(variables.claims),
        object == null || object.kind == 'Pod' ? dyn({}) : variables.podAnnotations]`,
    ...fewItems,
    // Labels and annotations that only a run writes, with their values.
    marks: `
      !variables.isFew ? []
      : variables.labels.filter(key, key.startsWith('${ourPrefix}') || key == '${signatureKey}'
          || (key == '${manager}' && variables.labels[key] == 'kubecamp'))
        .map(key, key + '=' + variables.labels[key])
        + variables.annotations.filter(key, key.startsWith('${ourPrefix}') || key == '${signatureKey}')
        .map(key, key + '=' + variables.annotations[key])`,
    // By which a pod chooses its network, or keeps an autoscaler from removing its node. That it may be evicted is
    // nobody's harm.
    acting: `
      !variables.isFew ? []
      : variables.podAnnotations.filter(key,
          (key.matches('${ofNetworks}') && !key.matches('${results}'))
          || key.startsWith('karpenter.sh/')
          || (key == '${safeToEvict}' && string(variables.podAnnotations[key]) != 'true'))
        .map(key, key + '=' + string(variables.podAnnotations[key]))`,
  }),
  // Former labels and annotations may stay, or be removed.
  added: "variables.marks.filter(mark, !(mark in variables.marksBefore))",
  newActing: "variables.acting.filter(mark, !(mark in variables.actingBefore))",
  // Maps that take any text, besides labels and annotations. Pulumi takes one with this key for a file's content, say, and
  // reads that file on the machine of the run. A run leaves out whatever else has the key (`hasMarks`).
  marked: `
    object == null ? []
    : request.resource.group == '' ? ['data', 'binaryData'].map(field, dyn(object)[?field].orValue({}))
    : !(request.resource.group in ['apps', 'batch']) ? []
    : ([dyn(object).spec.?template, dyn(object).spec.?jobTemplate, dyn(object).spec.?jobTemplate.?spec.?template]
      + (variables.isFew ? variables.claims : []).map(claim, optional.of(claim)))
      .map(template, template.?metadata.?annotations.orValue({}))`,
  isMarked: `variables.marked.exists(map, '${signatureKey}' in map)`,
  // A Secret of such a type, of which runs read no content.
  isUnreadable: `
    object != null && request.resource.resource == 'secrets'
    && dyn(object).?type.orValue('') in ${celTexts(unknowns)}`,
  isController,
  isPlatform,
  isFree: "variables.isController || variables.isPlatform",
};

const validations: readonly Validation[] = [
  {
    expression: "!(variables.isKept || variables.isReserved) || variables.isFree",
    messageExpression: `
      variables.title + "belongs to the platform, and only the platform can create, change or delete it: "
      + (variables.starter == ''
        ? (!variables.isGiven || oldObject == null ? "call yours otherwise, or ask " + variables.contact
          : variables.resource in ${celTexts(workloads)} ? "delete its pods to restart it, or ask " + variables.contact
          : "ask " + variables.contact + " to change it")
        : "ask " + variables.contact + " for 'starter: once' or 'starter: off' to have your own")`,
  },
  {
    expression: "variables.added.size() == 0 || variables.isFree",
    messageExpression: `
      variables.title + "has '" + variables.added[0] + "', which only the platform may set: leave it out, or ask " + variables.contact`,
  },
  {
    expression: "!(variables.isUnreadable || variables.isMarked) || variables.isFree",
    messageExpression: `
      variables.title + "has the key ${signatureKey}, or a type, that the platform's tools can't read: "
      + "leave it out, or ask " + variables.contact`,
  },
  {
    expression: "variables.newActing.size() == 0 || variables.isFree",
    messageExpression: `
      variables.title + "has the annotation '" + variables.newActing[0]
      + "', by which its pods would choose their network or keep their node: leave it out, or ask " + variables.contact`,
  },
  fewEnough("labels, annotations and claim templates", "variables.isFree"),
];

const ofScales: readonly Validation[] = [
  {
    // An autoscaler of the member's may be older than what it scales.
    expression: `
      !(variables.isGiven && request.subResource == 'scale' && request.userInfo.username in ${celTexts(autoscalers)})`,
    messageExpression: `
      "Scale '" + variables.name + "' belongs to the platform, and no HorizontalPodAutoscaler can scale it"`,
  },
  {
    expression: "!variables.isTarget || variables.isFree",
    messageExpression: `
      "HorizontalPodAutoscaler '" + variables.name + "' scales " + variables.target
      + ", which is the platform's: scale one of your own, or ask " + variables.contact`,
  },
];
