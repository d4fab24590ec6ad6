import type { Settings } from "../../../config/model/settings.ts";
import { defaultRuntimeClassAnnotation, fillsInLabel, stackLabel, stackLabels } from "../../../naming/labels.ts";
import { fillInName } from "../../../naming/names.ts";
import { goneAtOnce } from "../deletion.ts";
import { isController, onOneLine, resourceRules } from "./admissionPolicy.ts";
import { changesPods, podSpecOf, podSpecRequests } from "./podSpecs.ts";

/**
 * CEL: whether it is a pod, or somebody's own object that makes pods. What controllers make of such an object has to stay
 * as they made it: one that finds a ReplicaSet unlike its Deployment makes another, without end.
 */
const isOwn = `object.kind == 'Pod' || !(${isController})`;

/** CEL: path of the spec of an object's pods. */
const path = [
  "object.kind == 'Pod' ? '/spec'",
  "object.kind == 'PodTemplate' ? '/template/spec'",
  "object.kind == 'CronJob' ? '/spec/jobTemplate/spec/template/spec'",
  "'/spec/template/spec'",
].join(" : ");

/** CEL: the value of a namespace's annotation; empty without one. */
const annotation = (name: string) => `namespaceObject.metadata.?annotations[?'${name}'].orValue('')`;

/**
 * Fills in what members' pods leave out and their namespace says, and what makes pods. The policies that hold it judge
 * afterwards; without this one, they say which line to add. Existing pods never change, and objects that make pods only
 * when somebody changes their pods.
 *
 * The API server then runs its own admission again. It refuses a pod whose priority would differ from before, so that a
 * PriorityClass can't be filled in.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/mutating-admission-policy/
 */
export function fillIn(settings: Settings) {
  const variables = {
    pod: podSpecOf("object"),
    path,
    runtimeClass: annotation(defaultRuntimeClassAnnotation),
  };
  const patches = [
    `variables.runtimeClass == '' || variables.pod.?runtimeClassName.hasValue() ? []
      : [JSONPatch{op: 'add', path: variables.path + '/runtimeClassName', value: variables.runtimeClass}]`,
  ];
  return {
    metadata: metadata(settings),
    spec: {
      failurePolicy: "Fail",
      reinvocationPolicy: "IfNeeded",
      matchConstraints: {
        matchPolicy: "Equivalent",
        namespaceSelector: {},
        objectSelector: {},
        resourceRules: resourceRules(podSpecRequests),
      },
      matchConditions: [changesPods, { name: "is-own", expression: isOwn }].map(({ name, expression }) => ({
        name,
        expression: onOneLine(expression),
      })),
      variables: Object.entries(variables).map(([name, expression]) => ({ name, expression: onOneLine(expression) })),
      mutations: patches.map((expression) => ({
        patchType: "JSONPatch",
        jsonPatch: { expression: onOneLine(expression) },
      })),
    },
  };
}

/** Puts it in force for the stack's members who have something to fill in, and for nobody else. */
export function fillInBinding(settings: Settings) {
  return {
    metadata: metadata(settings),
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

const metadata = (settings: Settings) => ({
  name: fillInName(settings),
  labels: stackLabels(settings),
  annotations: goneAtOnce,
});
