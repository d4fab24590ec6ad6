import { defaultRuntimeClassAnnotation, runtimeClassesAnnotation } from "../../../config/names/labels.ts";
import type { Settings } from "../../../config/settings.ts";
import { admissionPolicy, refusing } from "../admissionPolicy.ts";
import type { Side } from "../fewEnough.ts";
import { changesPods, isHandedOn, podSpecOf, podSpecRequests } from "../podSpecs.ts";
import { allowedIn, isHeldBy } from "./allowedNames.ts";

/**
 * Has members' pods run with a RuntimeClass that their namespace names, and what makes pods name one. Where the API server
 * can, `fillIn` has named the default by now. An object keeps the class that it had.
 * @see https://kubernetes.io/docs/concepts/containers/runtime-class/
 */
export function runtimesPolicy(settings: Settings) {
  const content = {
    requests: podSpecRequests,
    matchCondition: changesPods,
    variables: {
      isHeld: isHeldBy(runtimeClassesAnnotation),
      allowed: allowedIn(runtimeClassesAnnotation),
      usual: `namespaceObject.metadata.?annotations[?'${defaultRuntimeClassAnnotation}'].orValue(
        variables.allowed.size() == 0 ? '' : variables.allowed[0])`,
      class: classOf("object"),
      before: classOf("oldObject"),
      isHandedOn,
    },
    validations: [
      refusing(settings, `, or ask ${settings.contact}`)(
        `!variables.isHeld || variables.class in variables.allowed || variables.isHandedOn
          || (variables.class == '' && variables.allowed.size() == 0)
          || (oldObject != null && variables.class == variables.before)`,
        `(variables.class == '' ? "names no RuntimeClass" : "has the RuntimeClass '" + variables.class + "'")
          + ", and namespace '" + request.namespace + "' "
          + (variables.allowed.size() == 0 ? "may name none: leave runtimeClassName out"
            : "may only have " + variables.allowed.join(', ') + ": add 'runtimeClassName: " + variables.usual + "' to the pod's spec")`,
      ),
    ],
  };
  return admissionPolicy("runtimes", content, settings);
}

/** CEL: the class of an object's pods; empty if they name none. */
const classOf = (object: Side) => `[${podSpecOf(object)}].map(pod, string(pod.?runtimeClassName.orValue('')))[0]`;
