import type { Settings } from "../../../config/settings.ts";
import { madeByMembers } from "../role.ts";
import { admissionPolicy, celText, isPlatform } from "./admissionPolicy.ts";

/** Those that Kubernetes itself takes off again, whoever has put them there. */
const harmless = ["foregroundDeletion", "orphan"];

/**
 * Members put no finalizers on what they make: whatever has one that nobody takes off is never gone, and with it neither
 * are their namespace, when they leave, nor the namespace of somebody else that it says it belongs to. Nor in templates,
 * since controllers put the same on the pods and claims that they make of them. Controllers may,
 * which are ServiceAccounts of other namespaces, and so may the platform: who may change the namespace itself.
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/finalizers/
 */
export function finalizersPolicy(settings: Settings) {
  const content = {
    requests: madeByMembers,
    variables: {
      before: `oldObject == null ? [] : ${finalizersOf("oldObject")}`,
      // In this order, since there may be thousands of harmless ones, of which each would be looked for among all before.
      added: `(${finalizersOf("object")}).map(list, list.filter(each,
        !(each in [${harmless.map((each) => `'${each}'`).join(", ")}])
        && !(each == 'kubernetes.io/pvc-protection' && request.resource.resource == 'persistentvolumeclaims')
        && !variables.before.exists(old, each in old))).filter(list, list.size() > 0)`,
      isOthers: `'system:serviceaccounts' in request.userInfo.groups
        && !('system:serviceaccounts:' + request.namespace in request.userInfo.groups)`,
      isKubernetes:
        "request.userInfo.username.startsWith('system:') && !('system:serviceaccounts' in request.userInfo.groups)",
      isPlatform,
    },
    validations: [
      {
        expression: `variables.added.size() == 0 || variables.isOthers || variables.isKubernetes || variables.isPlatform`,
        messageExpression: `object.kind + " '" + object.metadata.?name.orValue('') + "' has the finalizer '"
          + variables.added[0][0] + "', which only a controller may put there, since nobody else would take it off: leave it out"
          + ${celText(`; ask ${settings.contact} if it has to be`)}`,
      },
    ],
  };
  return admissionPolicy("finalizers", content, settings);
}

/** CEL: lists of finalizers, the object's own and those of its templates. */
function finalizersOf(object: "object" | "oldObject"): string {
  const templates = ["template", "jobTemplate.?spec.?template"].map(
    (template) => `dyn(${object}).?spec.?${template}.?metadata.?finalizers.orValue([])`,
  );
  return `[${object}.metadata.?finalizers.orValue([]), ${templates.join(", ")}]
    + dyn(${object}).?spec.?volumeClaimTemplates.orValue([]).map(claim, claim.?metadata.?finalizers.orValue([]))`;
}
