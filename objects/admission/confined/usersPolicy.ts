import { userNamespacesAnnotation } from "../../../config/names/labels.ts";
import { hasAnnotation, type PolicyContent, title, withBefore } from "../admissionPolicy.ts";
import { isHandedOn, podChanges, podSpec } from "../podSpecs.ts";

/**
 * Has members' pods run in a user namespace of their own where their namespace says so, and what makes pods. Where the API
 * server can, `fillIn` has said so by now. An object keeps what it had.
 * @see https://kubernetes.io/docs/concepts/workloads/pods/user-namespaces/
 */
export const usersPolicy: PolicyContent = {
  ...podChanges,
  variables: {
    title,
    isHeld: hasAnnotation(userNamespacesAnnotation),
    // As pods have the users of their node unless they say otherwise.
    ...withBefore({ pod: podSpec, isOfHost: "object != null && variables.pod.?hostUsers.orValue(true)" }),
    isHandedOn,
  },
  validations: [
    {
      expression: "!variables.isHeld || !variables.isOfHost || variables.isOfHostBefore || variables.isHandedOn",
      messageExpression: `
        variables.title + "runs with the users of its node, which namespace '" + request.namespace
        + "' does not allow: add 'hostUsers: false' to the pod's spec, or ask " + variables.contact`,
    },
  ],
};
