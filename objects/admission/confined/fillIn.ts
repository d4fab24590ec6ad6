import {
  defaultRuntimeClassAnnotation,
  fillsInLabel,
  stackLabel,
  userNamespacesAnnotation,
} from "../../../config/names/labels.ts";
import { fillInName } from "../../../config/names/names.ts";
import type { Settings } from "../../../config/settings.ts";
import { sharedMetadata } from "../../metadata.ts";
import { annotationOf, expressionsOf, indented, matchConstraints, variablesOf } from "../admissionPolicy.ts";
import { mostJudged } from "../fewEnough.ts";
import { isHandedOn, podChanges, podSpec } from "../podSpecs.ts";
import { missingTolerations, ownPool } from "./poolLists.ts";

/**
 * Fills in what members' pods leave out and their namespace says, and what makes pods. The policies that hold it judge
 * afterwards; without this one, they say which line to add. Existing pods never change, and objects that make pods only
 * when somebody changes their pods. What a controller keeps as part of another object stays as it made it: a controller that
 * finds a ReplicaSet unlike its Deployment makes another, without end.
 *
 * The API server then runs its own admission again, which completes what goes with a RuntimeClass. It would refuse a pod
 * whose priority is another by then, so that no PriorityClass can be filled in.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/mutating-admission-policy/
 */
export function fillIn(settings: Settings) {
  const isAny = (settings.confinement?.pools ?? []).length > 0;
  const variables = {
    pod: podSpec,
    path: `
      object.kind == 'Pod' ? '/spec'
      : object.kind == 'PodTemplate' ? '/template/spec'
      : object.kind == 'CronJob' ? '/spec/jobTemplate/spec/template/spec'
      : '/spec/template/spec'`,
    runtimeClass: annotationOf(defaultRuntimeClassAnnotation),
    ...(isAny
      ? {
          ...ownPool(settings),
          missingLabels: "variables.selector.filter(key, !(key in variables.pod.?nodeSelector.orValue({})))",
          // The policies refuse more.
          missingTolerations: `variables.pod.?tolerations.orValue([]).size() > ${mostJudged} ? [] : ${missingTolerations}`,
        }
      : {}),
  };
  const patches = [
    `variables.runtimeClass == '' || variables.pod.?runtimeClassName.hasValue() ? []
      : [JSONPatch{op: 'add', path: variables.path + '/runtimeClassName', value: variables.runtimeClass}]`,
    ...(isAny ? patchesOfPools : []),
    ...(settings.confinement?.users === true ? [patchOfUsers] : []),
  ];
  return {
    metadata: sharedMetadata(fillInName(settings), settings),
    spec: {
      failurePolicy: "Fail",
      reinvocationPolicy: "IfNeeded",
      matchConstraints: matchConstraints(podChanges.requests),
      matchConditions: expressionsOf([
        ...podChanges.matchConditions,
        { name: "is-own", expression: `!(${isHandedOn})` },
      ]),
      variables: variablesOf(variables),
      mutations: patches.map((expression) => ({
        patchType: "JSONPatch",
        jsonPatch: { expression: indented(expression) },
      })),
    },
  };
}

/** A map or a list that is empty is as good as none, and nothing can be added within it. */
const patchesOfPools = [
  `variables.missingLabels.size() == 0 ? []
    : variables.pod.?nodeSelector.orValue({}).size() == 0
      ? [JSONPatch{op: 'add', path: variables.path + '/nodeSelector', value: variables.selector}]
      : variables.missingLabels.map(key, JSONPatch{op: 'add',
        path: variables.path + '/nodeSelector/' + jsonpatch.escapeKey(key), value: variables.selector[key]})`,
  `variables.missingTolerations.size() == 0 ? []
    : variables.pod.?tolerations.orValue([]).size() == 0
      ? [JSONPatch{op: 'add', path: variables.path + '/tolerations', value: variables.tolerations}]
      : variables.missingTolerations.map(one, JSONPatch{op: 'add', path: variables.path + '/tolerations/-', value: one})`,
];

/** A pod that asks for its node's users is for the policy to refuse. */
const patchOfUsers = `${annotationOf(userNamespacesAnnotation)} == '' || variables.pod.?hostUsers.hasValue() ? []
  : [JSONPatch{op: 'add', path: variables.path + '/hostUsers', value: false}]`;

/** Puts it in force for the stack's members who have something to fill in, and for nobody else. */
export function fillInBinding(settings: Settings) {
  return {
    metadata: sharedMetadata(fillInName(settings), settings),
    spec: {
      policyName: fillInName(settings),
      matchResources: {
        matchPolicy: "Equivalent",
        namespaceSelector: { matchLabels: { [stackLabel]: settings.stack, [fillsInLabel]: "true" } },
        objectSelector: {},
      },
    },
  };
}
