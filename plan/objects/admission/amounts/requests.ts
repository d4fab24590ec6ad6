import { keepsPods, type Rule } from "./amount.ts";

/**
 * A pod's own resources limit both CPU and memory. Kubernetes compares a pod's own requests only with its own limits: without
 * those, a pod could reserve a node, and have the limits of its containers counted. Requests of which a pod says nothing
 * itself, Kubernetes fills in.
 * @see https://kubernetes.io/docs/tasks/configure-pod-container/assign-pod-level-resources/
 */
export const requestsWithinLimits: Rule = {
  isMet: `${keepsPods} || variables.pod.?resources.orValue({}).size() == 0
    || ['cpu', 'memory'].all(each, each in variables.pod.?resources.?limits.orValue({}))`,
  what: `"has resources of the pod itself (spec.resources) without limits of both cpu and memory, and could reserve more than it is counted for: set both in spec.resources.limits, or leave spec.resources out"`,
};
