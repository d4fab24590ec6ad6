import type { Side } from "../fewEnough.ts";
import { sideOf, type When } from "./amount.ts";

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
