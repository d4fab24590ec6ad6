import { userNamespacesAnnotation } from "../../../config/names/labels.ts";
import type { Settings } from "../../../config/settings.ts";
import { admissionPolicy, title, type Validation, withBefore } from "../admissionPolicy.ts";
import { changesPods, isHandedOn, podSpec, podSpecRequests } from "../podSpecs.ts";

/**
 * Has members' pods run in a user namespace of their own where their namespace says so, and what makes pods. Where the API
 * server can, `fillIn` has said so by now. An object keeps what it had.
 * @see https://kubernetes.io/docs/concepts/workloads/pods/user-namespaces/
 */
export function usersPolicy(settings: Settings) {
  return admissionPolicy(
    "users",
    { requests: podSpecRequests, matchConditions: changesPods, variables, validations },
    settings,
  );
}

const variables = {
  title,
  isHeld: `namespaceObject.metadata.?annotations[?'${userNamespacesAnnotation}'].hasValue()`,
  // As pods have the users of their node unless they say otherwise.
  ...withBefore({ pod: podSpec, isOfHost: "object != null && variables.pod.?hostUsers.orValue(true)" }),
  isHandedOn,
};

const validations: readonly Validation[] = [
  {
    expression: "!variables.isHeld || !variables.isOfHost || variables.isOfHostBefore || variables.isHandedOn",
    messageExpression: `
      variables.title + "runs with the users of its node, which namespace '" + request.namespace
      + "' does not allow: add 'hostUsers: false' to the pod's spec, or ask " + variables.contact`,
  },
];
