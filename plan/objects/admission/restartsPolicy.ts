import type { Settings } from "../../../config/model/settings/settings.ts";
import { admissionPolicy, celText, isController, isPlatform } from "./admissionPolicy.ts";
import { mostJudged } from "./fewEnough.ts";

/** Annotation that `kubectl rollout restart` sets on the pods' template. */
const restartedAt = "kubectl.kubernetes.io/restartedAt";

const [is, was] = ["dyn(object)", "dyn(oldObject)"];

/**
 * Has staff restart workloads and change nothing else of them: who may patch a Deployment could mount every Secret of the
 * namespace, or run another image. It judges whoever may not create such an object, whoever they are.
 *
 * Fields are compared as they are there, so that it holds for those that Kubernetes adds.
 * @see https://kubernetes.io/docs/reference/kubectl/generated/kubectl_rollout/kubectl_rollout_restart/
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
