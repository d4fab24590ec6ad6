import type { Settings } from "../../../config/model/settings.ts";
import { madeByMembers } from "../role.ts";
import { admissionPolicy, celText, isController, isPlatform } from "./admissionPolicy.ts";
import { mostToEnd } from "./podsPolicy.ts";

/** Those that Kubernetes itself takes off again, whoever has put them there. */
const harmless = ["foregroundDeletion", "orphan"];

/**
 * Members put nothing on what they make that keeps it, or something else, from being gone:
 *
 * - no finalizers: whatever has one that nobody takes off is never gone, and with it neither are their namespace, when
 *   they leave, nor the namespace of somebody else that it says it belongs to. Nor in templates, since controllers put the
 *   same on the pods and claims that they make of them;
 * - no owner whose deletion waits for it, whoever that is: what owns itself, or is in a circle with another, is waited for
 *   without end. No policy sees what is behind a uid, so that none can tell which owners would be harmless;
 * - no years for a pod to end in, whose spec says less: the end of their namespace, and whoever drains a node, would wait.
 *
 * Controllers may, which are ServiceAccounts of other namespaces and Kubernetes' own, and so may the platform: who may
 * change the namespace itself.
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/finalizers/
 * @see https://kubernetes.io/docs/concepts/architecture/garbage-collection/#foreground-deletion
 */
export function finalizersPolicy(settings: Settings) {
  const isFree = "variables.isController || variables.isPlatform";
  const refusal = (what: string) => `${what} + ${celText(`; ask ${settings.contact} if it has to be`)}`;
  const content = {
    requests: [
      ...madeByMembers,
      { apiGroups: [""], resources: ["pods"], operations: ["DELETE" as const] },
      { apiGroups: [""], resources: ["pods/eviction"], operations: ["CREATE" as const] },
    ],
    variables: {
      isDeletion: "request.operation == 'DELETE'",
      name: `(variables.isDeletion ? oldObject : object).metadata.?name.orValue('')`,
      before: `oldObject == null ? [] : ${finalizersOf("oldObject")}`,
      // In this order, since there may be thousands of harmless ones, of which each would be looked for among all before.
      added: `(${finalizersOf("object")}).map(list, list.filter(each,
        !(each in [${harmless.map((each) => `'${each}'`).join(", ")}])
        && !(each == 'kubernetes.io/pvc-protection' && request.resource.resource == 'persistentvolumeclaims')
        && !variables.before.exists(old, each in old))).filter(list, list.size() > 0)`,
      ownersBefore: `oldObject == null ? [] : (${waitingOwnersOf("oldObject")}).map(list, list.map(owner, owner.uid))`,
      owners: `(${waitingOwnersOf("object")}).map(list, list.filter(owner,
        !variables.ownersBefore.exists(old, owner.uid in old))).filter(list, list.size() > 0)`,
      // Of an eviction, which is an object of its own, nobody says here what the pod itself asks for.
      grace: `int(variables.isDeletion ? request.?options.?gracePeriodSeconds.orValue(0)
        : dyn(object).?deleteOptions.?gracePeriodSeconds.orValue(0))`,
      ownGrace: "oldObject == null ? 0 : int(dyn(oldObject).?spec.?terminationGracePeriodSeconds.orValue(0))",
      isController,
      isPlatform,
    },
    validations: [
      {
        expression: `variables.isDeletion || variables.added.size() == 0 || ${isFree}`,
        messageExpression: refusal(`object.kind + " '" + variables.name + "' has the finalizer '"
          + variables.added[0][0] + "', which only a controller may put there, since nobody else would take it off: leave it out"`),
      },
      {
        expression: `variables.isDeletion || variables.isController || variables.owners.size() == 0 || variables.isPlatform`,
        messageExpression: refusal(`object.kind + " '" + variables.name + "' would keep its owner, "
          + variables.owners[0][0].kind + " '" + variables.owners[0][0].name + "', from being gone, which only a controller may: "
          + "leave blockOwnerDeletion out of its ownerReferences, or set it to false"`),
      },
      {
        expression: `variables.grace <= ${mostToEnd} || (variables.isDeletion && variables.grace <= variables.ownGrace) || ${isFree}`,
        messageExpression: refusal(`"Pod '" + variables.name + "' would be given " + string(variables.grace)
          + " seconds to end, and hold up whoever drains a node or deletes the namespace: ask for ${mostToEnd} or fewer (--grace-period)"`),
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

/** CEL: lists of owners whose deletion waits for the object, or for the claims that a StatefulSet makes with the same ones. */
const waitingOwnersOf = (object: "object" | "oldObject") =>
  `([dyn(${object}).metadata.?ownerReferences.orValue([])]
    + dyn(${object}).?spec.?volumeClaimTemplates.orValue([]).map(claim, claim.?metadata.?ownerReferences.orValue([])))
    .map(list, list.filter(owner, owner.?blockOwnerDeletion.orValue(false))).filter(list, list.size() > 0)`;
