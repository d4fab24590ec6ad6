import { givenKindNames, givenKinds, groupOfGiven } from "../../../config/model/givenKinds.ts";
import type { Settings } from "../../../config/model/settings.ts";
import { objectsAnnotation } from "../../../naming/labels.ts";
import { celText, type JudgedRequests } from "./admissionPolicy.ts";

const operations = ["CREATE", "UPDATE", "DELETE"] as const;

/** Resources with a number of pods that can be changed apart from the object, also by a HorizontalPodAutoscaler. */
const scaled = ["deployments", "statefulsets"];

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

/**
 * What the policy `reserved` judges for the objects that members are given: requests for those kinds, and ways to change
 * the number of pods. Their names are in an annotation of the namespace, so nobody else can have one first.
 */
export function givenObjects({ contact }: Pick<Settings, "contact">) {
  return {
    requests,
    variables: {
      given: `namespaceObject.metadata.?annotations[?'${objectsAnnotation}'].orValue('').split(',')`,
      isGiven: "(request.resource.resource + '/' + variables.name) in variables.given",
      target: `request.resource.resource == 'horizontalpodautoscalers' && object != null
        ? string(dyn(object).spec.scaleTargetRef.kind) + ' ' + string(dyn(object).spec.scaleTargetRef.name) : ''`,
      isTarget: `variables.target != ''
        && variables.target.lowerAscii().replace(' ', 's/', 1) in variables.given`,
    },
    validations: [
      {
        expression: "!variables.isTarget || variables.isFree",
        messageExpression: `"HorizontalPodAutoscaler '" + variables.name + "' scales " + variables.target
          + ${celText(`, which is the platform's: scale one of your own, or ask ${contact}`)}`,
      },
    ],
  };
}
