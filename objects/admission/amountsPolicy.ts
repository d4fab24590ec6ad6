import { maxPodsAnnotation } from "../../config/names/labels.ts";
import type { Settings } from "../../config/settings.ts";
import { mostPodsWithoutQuota } from "../namespace.ts";
import { madeByMembers } from "../rbac/role.ts";
import { admissionPolicy, isController, isPlatform, refusing } from "./admissionPolicy.ts";
import { type Amount, type Expression, type Rule, sideOf, type When } from "./amounts/amount.ts";
import { containers, mounts, settings as settingsOfPods } from "./amounts/containers.ts";
import { entries, metrics, ports } from "./amounts/ofKinds.ts";
import { references } from "./amounts/references.ts";
import { leastInterval, requestsWithinLimits, shortInEvents } from "./amounts/rules.ts";
import { terms } from "./amounts/terms.ts";
import { text, texts } from "./amounts/texts.ts";
import { files, volumes } from "./amounts/volumes.ts";
import type { Side } from "./fewEnough.ts";
import { podSpecOf } from "./podSpecs.ts";

/** Kinds that a member writes only with a further right. */
const byHand = ["podtemplates", "replicationcontrollers", "replicationcontrollers/scale"];

/** Amounts, each after those that it is made of. */
const amounts: readonly Amount[] = [
  ports,
  volumes,
  containers,
  metrics,
  settingsOfPods,
  mounts,
  references,
  terms,
  entries,
  files,
  texts,
  text,
];

const rules: readonly Rule[] = [requestsWithinLimits, leastInterval, shortInEvents];

/**
 * Limits amounts that a quota does not count, and that everybody pays for. The controller manager builds all missing pods of
 * a StatefulSet in its memory, whether or not the quota allows them; every node has all ports of all Services; the kubelet
 * pays for files of Secrets; and everybody who lists objects reads all labels and annotations. An object may keep a former
 * amount, and reduce it.
 *
 * The limits hold for everybody, also for an HPA's controller, which sets the number of pods by `/scale`. Controllers may
 * copy an object that was judged before: a Deployment's to its ReplicaSets, which together exceed it for a moment in a
 * rollout, and a CronJob's to its Jobs.
 * @see https://kubernetes.io/docs/reference/using-api/cel/#cost-budget
 */
export function amountsPolicy(settings: Settings) {
  const refused = refusing(settings);
  const limited = ({ name, what, limit, unless, isWhole, exempt }: Amount) => {
    const kept = `variables.${name} <= variables.${name}Before`;
    const ways = [
      unless,
      `variables.${name} <= ${limit}`,
      isWhole === undefined ? kept : `${isWhole} && ${kept}`,
      exempt,
    ];
    const condition = ways.filter((way) => way !== undefined).join(" || ");
    return refused(condition, `"has " + string(variables.${name}) + " ${what}"`);
  };
  const content = {
    requests: [
      ...madeByMembers(settings),
      { apiGroups: [""], resources: [...byHand, "pods/ephemeralcontainers", "pods/resize"] },
      { apiGroups: ["apps"], resources: ["deployments/scale", "replicasets/scale", "statefulsets/scale"] },
    ],
    variables: {
      maxPods: `int(namespaceObject.metadata.?annotations[?'${maxPodsAnnotation}'].orValue('${mostPodsWithoutQuota}'))`,
      ...both({
        pods: podsAtOnce,
        pod: (when) => podSpecOf(sideOf(when)),
        ...Object.fromEntries([
          ...amounts.flatMap(({ name, of, from }) => Object.entries({ ...from, [name]: of })),
          ...rules.flatMap(({ from = {} }) => Object.entries(from)),
        ]),
      }),
      isController,
      isPlatform,
      isHandedOn: `variables.isController && request.resource.resource in ['jobs', 'replicasets']
        && request.?subResource.orValue('') == ''`,
    },
    validations: [
      refused(
        "variables.pods <= variables.maxPods || variables.pods <= variables.podsBefore || variables.isHandedOn",
        `"asks for " + string(variables.pods) + " pods at once (" + ${podsField} + "), and namespace '" + request.namespace + "' may have "
          + string(variables.maxPods) + ": ask for no more than that"`,
      ),
      ...amounts.map(limited),
      ...rules.map(({ isMet, what }) => refused(isMet, what)),
    ],
  };
  return admissionPolicy("amounts", content, settings);
}

/** Variables for the object as it is to be, and for it as it was. */
const both = (expressions: Readonly<Record<string, Expression>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(expressions).flatMap(([name, of]) => [
      [name, of("")],
      [`${name}Before`, of("Before")],
    ]),
  );

/** CEL: number of pods that an object, or a Scale of it, asks for at once; 0 for a kind without such a field. */
export function podsAtOnce(when: When): string {
  const object = sideOf(when);
  const at = (path: string) => `int(dyn(${object}).?spec.?${path}.orValue(0))`;
  return [
    `${object} == null ? 0`,
    `${object}.kind == 'CronJob' ? ${at("jobTemplate.?spec.?parallelism")}`,
    `${object}.kind == 'Job' ? ${at("parallelism")}`,
    `${object}.kind == 'HorizontalPodAutoscaler' ? ${at("maxReplicas")}`,
    `[${at("replicas")}, ${surgeOf(object)}].max()`,
  ].join(" : ");
}

/** CEL: pods that a rollout makes beside the others: a number, or a percentage of these. Its controller does not bound it. */
const surgeOf = (object: Side) =>
  `[string(dyn(${object}).?spec.?strategy.?rollingUpdate.?maxSurge.orValue(0))].map(surge, surge.endsWith('%')
    ? int(surge.split('%')[0]) * int(dyn(${object}).?spec.?replicas.orValue(0)) / 100 : int(surge))[0]`;

/** CEL: name of the field with that number. */
export const podsField = `(object.kind in ['CronJob', 'Job'] ? 'parallelism' : object.kind == 'HorizontalPodAutoscaler' ? 'maxReplicas'
  : object.kind == 'Deployment' ? 'replicas or maxSurge' : 'replicas')`;
