import type { Settings } from "../../config/settings.ts";
import { admissionPolicy, celText, isController, isPlatform } from "./admissionPolicy.ts";
import { mostJudged } from "./fewEnough.ts";

/** Annotation that `kubectl rollout restart` sets on the pods' template. */
const restartedAt = "kubectl.kubernetes.io/restartedAt";

const [is, was] = ["dyn(object)", "dyn(oldObject)"];

/** Most managers that are compared each with each. The API server merges those beyond ten, but for appliers. */
const mostManagers = 100;

/**
 * Has staff restart workloads and change nothing else of them: who may patch a Deployment could mount every Secret of the
 * namespace, or run another image. It judges whoever may not create such an object, whoever they are.
 *
 * Managers keep what is theirs, but for the annotation of a restart: a field that they only seem to own is gone with their next
 * server-side apply. A request may name the managers itself, and the API server believes it.
 *
 * Fields are compared as they are there, so that it holds for those that Kubernetes adds.
 * @see https://kubernetes.io/docs/reference/kubectl/generated/kubectl_rollout/kubectl_rollout_restart/
 * @see https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management
 */
export function restartsPolicy(settings: Settings) {
  const content = {
    requests: [
      {
        apiGroups: ["apps"],
        resources: ["daemonsets", "deployments", "statefulsets"],
        operations: ["UPDATE" as const],
      },
    ],
    variables: {
      isRestart: [
        same("metadata", ["managedFields", "resourceVersion", "generation"]),
        same("spec", ["template"]),
        same("spec.template", ["metadata"]),
        same("spec.template.metadata", ["annotations"]),
        sameAnnotations,
        sameManagers,
      ].join(" && "),
      mayWrite: `authorizer.group('apps').resource(request.resource.resource).namespace(request.namespace)
        .check('create').allowed()`,
      isController,
      isPlatform,
    },
    validations: [
      {
        expression: "variables.isController || variables.mayWrite || variables.isRestart || variables.isPlatform",
        messageExpression: `object.kind + " '" + object.metadata.name + "' is the member's: you may restart it, but not change it; use 'kubectl rollout restart'"
          + ${celText(`, or ask ${settings.contact}`)}`,
      },
    ],
  };
  return admissionPolicy("restarts", content, settings);
}

/** CEL: whether the fields of a part are as they were, but for some. */
const same = (part: string, except: readonly string[]) =>
  [
    [`${is}.${part}`, `${was}.${part}`],
    [`${was}.${part}`, `${is}.${part}`],
  ]
    .map(
      ([one, other]) =>
        `${one}.all(key, key in [${except.map((each) => `'${each}'`).join(", ")}] || (key in ${other} && ${one}[key] == ${other}[key]))`,
    )
    .join(" && ");

const annotationsOf = (object: string) => `${object}.spec.template.metadata.?annotations.orValue({})`;
const sameAnnotations = [
  ...[is, was].map((object) => `${annotationsOf(object)}.size() <= ${mostJudged}`),
  ...[
    [annotationsOf(is), annotationsOf(was)],
    [annotationsOf(was), annotationsOf(is)],
  ].map(
    ([one, other]) => `${one}.all(key, key == '${restartedAt}' || (key in ${other} && ${one}[key] == ${other}[key]))`,
  ),
].join(" && ");

/** Path of the annotation in an entry of `managedFields`. */
const pathOfRestart = ["f:spec", "f:template", "f:metadata", "f:annotations", `f:${restartedAt}`];

/** CEL: whether an entry of `managedFields` has the same fields as another, but for the annotation. */
const sameFields = (one: string, other: string) =>
  pathOfRestart
    .map((key, depth) => {
      const at = (entry: string) =>
        `${entry}.?fieldsV1${pathOfRestart
          .slice(0, depth)
          .map((step) => `[?'${step}']`)
          .join("")}.orValue({})`;
      // The dot stands for the annotations themselves, which come with the first one.
      const except = depth === pathOfRestart.length - 1 ? `['${key}', '.']` : `['${key}']`;
      return `${at(one)}.all(key, key in ${except} || (key in ${at(other)} && ${at(one)}[key] == ${at(other)}[key]))`;
    })
    .join(" && ");

const managersOf = (object: string) => `${object}.metadata.?managedFields.orValue([])`;
const isSameManager = ["manager", "operation", "apiVersion", "subresource"]
  .map((field) => `other.?${field}.orValue('') == one.?${field}.orValue('')`)
  .join(" && ");

/** CEL: whether every manager has the same fields, but for the annotation; one with nothing else may come and go. */
const sameManagers = [
  ...[is, was].map((object) => `${managersOf(object)}.size() <= ${mostManagers}`),
  ...[
    [managersOf(is), managersOf(was)],
    [managersOf(was), managersOf(is)],
  ].map(
    ([some, others]) =>
      `${some}.all(one, (${others}.filter(other, ${isSameManager}) + [{}]).exists(other, ${sameFields("one", "other")}))`,
  ),
].join(" && ");
