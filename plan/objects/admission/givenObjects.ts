import { givenKinds, groupOfGiven } from "../../../config/model/givenKinds.ts";
import type { GivenObjects, Settings } from "../../../config/model/settings.ts";
import { objectsAnnotation } from "../../../naming/labels.ts";
import { celText, type JudgedRequests } from "./admissionPolicy.ts";

const operations = ["CREATE", "UPDATE", "DELETE"] as const;

/** Resources with a number of pods that can be changed apart from the object, also by a HorizontalPodAutoscaler. */
const scaled = ["deployments", "statefulsets"];

/**
 * What the policy `reserved` judges for the objects that members are given: requests for those kinds, and ways to change
 * the number of pods. Their names are in an annotation of the namespace, so nobody else can have one first.
 */
export function givenObjects(entries: readonly GivenObjects[], { contact }: Pick<Settings, "contact">) {
  const kinds = [...new Set(entries.flatMap(({ manifests }) => manifests.map(({ kind }) => kind)))];
  const groups = Map.groupBy(kinds, groupOfGiven);
  const scales = kinds.map((kind) => givenKinds[kind].resource).filter((resource) => scaled.includes(resource));
  const requests: JudgedRequests[] = [
    ...[...groups].map(([group, of]) => ({
      apiGroups: [group],
      resources: of.map((kind) => givenKinds[kind].resource).sort(),
      operations,
    })),
    ...(scales.length === 0
      ? []
      : [
          { apiGroups: ["apps"], resources: scales.map((resource) => `${resource}/scale`).sort() },
          { apiGroups: ["autoscaling"], resources: ["horizontalpodautoscalers"] },
        ]),
  ];
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
    validations:
      scales.length === 0
        ? []
        : [
            {
              expression: "!variables.isTarget || variables.isFree",
              messageExpression: `"HorizontalPodAutoscaler '" + variables.name + "' scales " + variables.target
                + ${celText(`, which is the platform's: scale one of your own, or ask ${contact}`)}`,
            },
          ],
  };
}
