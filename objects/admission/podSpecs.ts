import type { JudgedRequests } from "./admissionPolicy.ts";
import { mostJudged, type Side } from "./fewEnough.ts";

/** Requests for pods and for every kind that makes them, so that a refusal doesn't wait for the pods. */
export const podSpecRequests: readonly JudgedRequests[] = [
  { apiGroups: [""], resources: ["pods", "pods/ephemeralcontainers", "podtemplates", "replicationcontrollers"] },
  { apiGroups: ["apps"], resources: ["daemonsets", "deployments", "replicasets", "statefulsets"] },
  { apiGroups: ["batch"], resources: ["cronjobs", "jobs"] },
];

/** Steps to what an object's pods are made of, by kind; other kinds have it at the last. */
const templates: readonly (readonly [kind: string, ...steps: string[]])[] = [
  ["Pod"],
  ["PodTemplate", "template"],
  ["CronJob", "spec", "jobTemplate", "spec", "template"],
];

/** CEL: an expression for each kind, made of the steps to its pods. */
export const byKind = (object: Side, of: (steps: readonly string[]) => string): string =>
  [...templates.map(([kind, ...steps]) => `${object}.kind == '${kind}' ? ${of(steps)}`), of(["spec", "template"])].join(
    " : ",
  );

/**
 * CEL: the spec of the pods that an object of these kinds is or makes; an empty map without one. It is untyped (`dyn`), so
 * that one expression fits all kinds.
 */
export const podSpecOf = (object: Side) => `${object} == null ? dyn({}) : ${partOfPods(object, "spec")}`;

/** CEL: a part of what an object's pods are made of. */
export const partOfPods = (object: Side, ...part: readonly string[]) =>
  byKind(object, (steps) => `dyn(${object}).?${[...steps, ...part].join(".?")}.orValue({})`);

/** CEL variables: that spec, and the former one. */
export const pods = { pod: podSpecOf("object"), podBefore: podSpecOf("oldObject") };

/** CEL: that variable. */
export const podOf = (side: Side) => (side === "object" ? "variables.pod" : "variables.podBefore");

/** CEL: lists of a pod's containers. */
export const containersOf = (side: Side, kinds: readonly string[] = containerKinds) =>
  kinds.map((field) => `${podOf(side)}.?${field}.orValue([])`);

export const containerKinds = ["containers", "initContainers", "ephemeralContainers"] as const;

/**
 * Excludes requests that don't change the pods. If an object is so large that the API server gives up on the policy, people
 * and controllers can still remove its finalizers; otherwise it would never be gone.
 */
export const changesPods = {
  name: "changes-pods",
  expression: `oldObject == null || (${podSpecOf("object")}) != (${podSpecOf("oldObject")})`,
};

/**
 * CEL: whether a controller keeps it as part of another object, as a Deployment's ReplicaSets. What the pods of such an
 * object are like was decided before; the pods themselves are judged anyway, so that nobody gains by saying so. An object of
 * many others is nobody's part.
 */
export const isHandedOn = `object.kind != 'Pod' && object.metadata.?ownerReferences.orValue([]).size() <= ${mostJudged}
  && object.metadata.?ownerReferences.orValue([]).exists(owner, owner.?controller.orValue(false))`;
