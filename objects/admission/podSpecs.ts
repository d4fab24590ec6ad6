import { before, type JudgedRequests } from "./admissionPolicy.ts";
import { mostJudged } from "./fewEnough.ts";

/** Requests that change what a pod is. */
export const podSubresources = ["pods/ephemeralcontainers", "pods/resize"];

/** Requests for pods and for every kind that makes them, so that a refusal doesn't wait for the pods. */
export const podSpecRequests: readonly JudgedRequests[] = [
  { apiGroups: [""], resources: ["pods", ...podSubresources, "podtemplates", "replicationcontrollers"] },
  { apiGroups: ["apps"], resources: ["daemonsets", "deployments", "replicasets", "statefulsets"] },
  { apiGroups: ["batch"], resources: ["cronjobs", "jobs"] },
];

/**
 * CEL: the spec of the pods that an object of these kinds is or makes; an empty map without one. It is untyped (`dyn`), so
 * that one expression fits all kinds.
 */
export const podSpec = `
  object == null ? dyn({})
  : object.kind == 'Pod' ? dyn(object).?spec.orValue({})
  : object.kind == 'PodTemplate' ? dyn(object).?template.?spec.orValue({})
  : object.kind == 'CronJob' ? dyn(object).?spec.?jobTemplate.?spec.?template.?spec.orValue({})
  : dyn(object).?spec.?template.?spec.orValue({})`;

/**
 * Requests that change pods. If an object is so large that the API server gives up on the policy, people
 * and controllers can still remove its finalizers; otherwise it would never be gone.
 */
export const podChanges = {
  requests: podSpecRequests,
  matchConditions: [{ name: "changes-pods", expression: `oldObject == null || (${podSpec}) != (${before(podSpec)})` }],
};

/**
 * CEL: whether a controller keeps it as part of another object, as a Deployment's ReplicaSets. What the pods of such an
 * object are like was decided before; the pods themselves are judged anyway, so that nobody gains by saying so. An object of
 * many others is nobody's part.
 */
export const isHandedOn = `
  object.kind != 'Pod' && object.metadata.?ownerReferences.orValue([]).size() <= ${mostJudged}
  && object.metadata.?ownerReferences.orValue([]).exists(owner, owner.?controller.orValue(false))`;
