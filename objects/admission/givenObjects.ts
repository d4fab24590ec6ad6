import { partsOfCustom } from "../../config/names/customKinds.ts";
import { objectsAnnotation } from "../../config/names/labels.ts";
import { givenKindNames, givenKinds, groupOfGiven } from "../../config/objects/givenKinds.ts";
import { type CustomResource, customResources } from "../../config/objects/objectKinds.ts";
import type { Settings } from "../../config/settings.ts";
import { celText, type JudgedRequests } from "./admissionPolicy.ts";

const operations = ["CREATE", "UPDATE", "DELETE"] as const;

/** Resources with a number of pods that can be changed apart from the object, also by a HorizontalPodAutoscaler. */
const scaled = ["deployments", "statefulsets"];

/** Resources whose controllers make deleted pods anew. */
const workloads = ["daemonsets", "deployments", "statefulsets"];

/** Users that write for HorizontalPodAutoscalers; the second where all controllers of Kubernetes share one name. */
const autoscalers = ["system:serviceaccount:kube-system:horizontal-pod-autoscaler", "system:kube-controller-manager"];

/** All kinds, not only those that are given now: a member could have an object with kubecamp's marks before it is given. */
const requests: readonly JudgedRequests[] = [
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

const hasCustom = ({ objectKinds = [] }: Pick<Settings, "objectKinds">): boolean => objectKinds.length > 0;

/** CEL: a resource's name. A custom kind may be called as one of Kubernetes' own, so that its name has the group, too. */
export const resourceOfRequest = (settings: Pick<Settings, "objectKinds">): string =>
  hasCustom(settings) ? "variables.resource" : "request.resource.resource";

function resourceWithGroup(): string {
  const own = new Set(requests.flatMap(({ apiGroups }) => apiGroups).map((group) => `'${group}'`));
  return `request.resource.resource
    + (request.resource.group in [${[...own].join(", ")}] ? '' : '.' + request.resource.group)`;
}

/** Variables about what a HorizontalPodAutoscaler scales, where that may be of a custom kind. */
function targetOf({ objectKinds = [] }: Pick<Settings, "objectKinds">): Readonly<Record<string, string>> {
  const titles = objectKinds.map(({ kind }) => {
    const { group, kind: name, plural } = partsOfCustom(kind);
    return `'${group}/${name}': '${plural}.${group}'`;
  });
  return {
    targetGroup: `variables.target == '' ? ''
      : string(dyn(object).spec.scaleTargetRef.?apiVersion.orValue('')).split('/')[0]`,
    targetKind: "variables.target.split(' ')[0]",
    // Groups of Kubernetes' own kinds that can be scaled have no dot.
    targetResource: `{${titles.join(", ")}}[?variables.targetGroup + '/' + variables.targetKind]
      .orValue(variables.targetGroup.contains('.') ? '' : variables.targetKind.lowerAscii() + 's')`,
  };
}

/** CEL: the title of what it scales, as the list of given objects has it. */
const scaledTitle = (settings: Pick<Settings, "objectKinds">): string =>
  hasCustom(settings)
    ? "(variables.targetResource + '/' + variables.target.split(' ')[1])"
    : "variables.target.lowerAscii().replace(' ', 's/', 1)";

/**
 * The part of the policy `reserved` for the objects that members are given: requests for those kinds, and for their number
 * of pods. Their names are in an annotation of the namespace, so nobody can take one before kubecamp.
 */
export function givenObjects(settings: Pick<Settings, "contact" | "objectKinds">) {
  const { contact } = settings;
  const resource = resourceOfRequest(settings);
  return {
    requests: [...requests, ...customResources(settings).flatMap(ofCustomKind)],
    variables: {
      given: `namespaceObject.metadata.?annotations[?'${objectsAnnotation}'].orValue('').split(',')`,
      ...(hasCustom(settings) ? { resource: resourceWithGroup() } : {}),
      isGiven: `(${resource} + '/' + variables.name) in variables.given`,
      // An autoscaler of the member's may be older than what it scales.
      isAutoscaled: `variables.isGiven && request.subResource == 'scale'
        && request.userInfo.username in [${autoscalers.map((name) => `'${name}'`).join(", ")}]`,
      target: `${resource} == 'horizontalpodautoscalers' && object != null
        ? string(dyn(object).spec.scaleTargetRef.kind) + ' ' + string(dyn(object).spec.scaleTargetRef.name) : ''`,
      ...(hasCustom(settings) ? targetOf(settings) : {}),
      isTarget: `variables.target != ''
        && ${scaledTitle(settings)} in variables.given`,
    },
    /** CEL: what to do about a refusal of a change or deletion. */
    advice: `${resource} in [${workloads.map((resource) => `'${resource}'`).join(", ")}]
      ? ${celText(`: delete its pods to restart it, or ask ${contact}`)} : ${celText(`: ask ${contact} to change it`)}`,
    validations: [
      {
        expression: "!variables.isAutoscaled",
        messageExpression: `"Scale '" + variables.name + ${celText("' belongs to the platform, and no HorizontalPodAutoscaler can scale it")}`,
      },
      {
        expression: "!variables.isTarget || variables.isFree",
        messageExpression: `"HorizontalPodAutoscaler '" + variables.name + "' scales " + variables.target
          + ${celText(`, which is the platform's: scale one of your own, or ask ${contact}`)}`,
      },
    ],
  };
}
