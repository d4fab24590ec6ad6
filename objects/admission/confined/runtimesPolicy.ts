import { defaultRuntimeClassAnnotation, runtimeClassesAnnotation } from "../../../config/names/labels.ts";
import { hasAnnotation, namesIn, type PolicyContent, title, withBefore } from "../admissionPolicy.ts";
import { isHandedOn, podChanges, podSpec } from "../podSpecs.ts";

/**
 * Has members' pods run with a RuntimeClass that their namespace names, and what makes pods name one. Where the API server
 * can, `fillIn` has named the default by now. An object keeps the class that it had.
 * @see https://kubernetes.io/docs/concepts/containers/runtime-class/
 */
export const runtimesPolicy: PolicyContent = {
  ...podChanges,
  variables: {
    title,
    isHeld: hasAnnotation(runtimeClassesAnnotation),
    allowed: namesIn(runtimeClassesAnnotation),
    usual: `
      namespaceObject.metadata.?annotations[?'${defaultRuntimeClassAnnotation}'].orValue(
        variables.allowed.size() == 0 ? '' : variables.allowed[0])`,
    ...withBefore({ pod: podSpec, class: "string(variables.pod.?runtimeClassName.orValue(''))" }),
    isHandedOn,
  },
  validations: [
    {
      expression: `
        !variables.isHeld || variables.class in variables.allowed || variables.isHandedOn
        || (variables.class == '' && variables.allowed.size() == 0)
        || (oldObject != null && variables.class == variables.classBefore)`,
      messageExpression: `
        variables.title
        + (variables.class == '' ? "names no RuntimeClass" : "has the RuntimeClass '" + variables.class + "'")
        + ", and namespace '" + request.namespace + "' "
        + (variables.allowed.size() == 0 ? "may name none: leave runtimeClassName out"
          : "may only have " + variables.allowed.join(', ') + ": add 'runtimeClassName: " + variables.usual + "' to the pod's spec")
        + ", or ask " + variables.contact`,
    },
  ],
};
