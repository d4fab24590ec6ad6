import { userNamespacesAnnotation } from "../../../config/names/labels.ts";
import type { Settings } from "../../../config/settings.ts";
import { admissionPolicy, refusing } from "../admissionPolicy.ts";
import type { Side } from "../fewEnough.ts";
import { changesPods, isHandedOn, podSpecOf, podSpecRequests } from "../podSpecs.ts";
import { isHeldBy } from "./allowedNames.ts";

/**
 * Has members' pods run in a user namespace of their own where their namespace says so, and what makes pods. Where the API
 * server can, `fillIn` has said so by now. An object keeps what it had.
 * @see https://kubernetes.io/docs/concepts/workloads/pods/user-namespaces/
 */
export function usersPolicy(settings: Settings) {
  const content = {
    requests: podSpecRequests,
    matchCondition: changesPods,
    variables: {
      isHeld: isHeldBy(userNamespacesAnnotation),
      isOfHost: ofHost("object"),
      wasOfHost: `oldObject != null && ${ofHost("oldObject")}`,
      isHandedOn,
    },
    validations: [
      refusing(settings, `, or ask ${settings.contact}`)(
        "!variables.isHeld || !variables.isOfHost || variables.wasOfHost || variables.isHandedOn",
        `"runs with the users of its node, which namespace '" + request.namespace + "' does not allow: add 'hostUsers: false' to the pod's spec"`,
      ),
    ],
  };
  return admissionPolicy("users", content, settings);
}

/** CEL: whether an object's pods have the users of their node, as they do unless they say otherwise. */
const ofHost = (object: Side) => `[${podSpecOf(object)}].map(pod, pod.?hostUsers.orValue(true))[0]`;
