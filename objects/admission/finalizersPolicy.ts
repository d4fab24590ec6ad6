import { customResources } from "../../config/objects/objectKinds.ts";
import type { Settings } from "../../config/settings.ts";
import { madeByMembers } from "../rbac/role.ts";
import {
  celTexts,
  isController,
  isPlatform,
  type PolicyContent,
  unlessAsked,
  type Validation,
  withBefore,
} from "./admissionPolicy.ts";
import { fewEnough, fewItemsWith } from "./fewEnough.ts";
import { mostToEnd } from "./podsPolicy.ts";

/** Finalizers that Kubernetes itself removes, whoever has set them. */
const harmless = ["foregroundDeletion", "orphan"];

/**
 * Finalizers with which claims count until no pod uses them. Without, a claim is gone from its quota while a pod goes on with
 * its volume or device.
 * @see https://kubernetes.io/docs/concepts/storage/persistent-volumes/#storage-object-in-use-protection
 */
const protections = ["kubernetes.io/pvc-protection", "resource.kubernetes.io/delete-protection"];

/** The Job controller takes it off pods of Jobs, and off those without a controller, but off nobody else's. */
const jobTracking = "batch.kubernetes.io/job-tracking";

/**
 * Keeps members from delaying a deletion, and claims in use from being gone before it:
 *
 * - No finalizers: an object with one that nobody removes is never gone, and neither is its namespace when the member leaves,
 *   nor another namespace that it names as its owner's. Nor in templates, since controllers copy them to pods and claims.
 * - No owner whose deletion waits for the object: an object that owns itself, or owns another in a circle, would be waited for
 *   without end. A policy sees only the owner's UID, so it can't tell which owners are harmless.
 * - No grace period for a pod above the limit, unless its spec has it: the namespace's deletion and a node's drain would wait.
 * - No other controller for a pod that its Job still tracks, as nobody would take that finalizer off.
 * - No claim without its protection, as it would be out of the quota while it is in use.
 * - No pod gone at once that runs on a node, nor sooner than it was told, as it would be out of the quota while its kubelet
 *   gives its containers their whole grace period.
 *
 * Controllers may, which are ServiceAccounts of other namespaces and Kubernetes' own, and so may the platform, which may
 * patch the namespace itself. But nobody gives a tracked pod to anything but a Job: a member's ReplicaSet would have its
 * controller do so.
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/finalizers/
 * @see https://kubernetes.io/docs/concepts/architecture/garbage-collection/#foreground-deletion
 */
export const finalizersPolicy = (settings: Settings): PolicyContent => ({
  requests: [
    ...madeByMembers(settings),
    ...customResources(settings, "editable"),
    { apiGroups: [""], resources: ["pods"], operations: ["DELETE"] },
    { apiGroups: [""], resources: ["pods/eviction"], operations: ["CREATE"] },
  ],
  variables,
  validations,
});

const variables = {
  isDeletion: "request.operation == 'DELETE'",
  name: "(variables.isDeletion ? oldObject : object).metadata.?name.orValue('')",
  title: 'object.kind + " \'" + variables.name + "\' "',
  podTitle: '"Pod \'" + variables.name + "\' "',
  ...withBefore({
    ownFinalizers: `
      object == null ? []
      : [object.metadata.?finalizers.orValue([]),
        dyn(object).?spec.?template.?metadata.?finalizers.orValue([]),
        dyn(object).?spec.?jobTemplate.?spec.?template.?metadata.?finalizers.orValue([])]`,
    ownOwners: "object == null ? [] : dyn(object).metadata.?ownerReferences.orValue([])",
    claims: "object == null ? [] : dyn(object).?spec.?volumeClaimTemplates.orValue([])",
    judged: "variables.ownFinalizers + [variables.ownOwners, variables.claims]",
    ...fewItemsWith(`variables.claims.map(each,
        each.?metadata.?finalizers.orValue([]).size() + each.?metadata.?ownerReferences.orValue([]).size()).sum()`),
    finalizers: `
      !variables.isFew ? []
      : variables.ownFinalizers + variables.claims.map(claim, claim.?metadata.?finalizers.orValue([]))`,
    // Owners whose deletion waits for the object, or for claims that a StatefulSet makes with the same owners.
    waitingOwners: `
      !variables.isFew ? []
      : ([variables.ownOwners] + variables.claims.map(claim, claim.?metadata.?ownerReferences.orValue([])))
        .map(list, list.filter(owner, owner.?blockOwnerDeletion.orValue(false))).filter(list, list.size() > 0)`,
  }),
  // In this order, since each of the harmless ones would be compared with all former ones otherwise.
  added: `
    variables.finalizers.map(list, list.filter(each,
      !(each in ${celTexts(harmless)})
      && !(each == 'kubernetes.io/pvc-protection' && request.resource.resource == 'persistentvolumeclaims')
      && !variables.finalizersBefore.exists(old, each in old))).filter(list, list.size() > 0)`,
  unprotected: `
    variables.isDeletion || oldObject == null ? [] : ${celTexts(protections)}.filter(each,
      each in oldObject.metadata.?finalizers.orValue([]) && !(each in object.metadata.?finalizers.orValue([])))`,
  takers: `
    variables.isDeletion || request.resource.resource != 'pods'
    || !('${jobTracking}' in object.metadata.?finalizers.orValue([])) ? []
    : (variables.isFew ? variables.ownOwners : []).filter(owner, owner.?controller.orValue(false)
      && !(variables.isFewBefore ? variables.ownOwnersBefore : []).exists(old,
        old.uid == owner.uid && old.kind == owner.kind && old.apiVersion == owner.apiVersion
        && old.?controller.orValue(false)))`,
  ownersBefore: "variables.waitingOwnersBefore.map(list, list.map(owner, owner.uid))",
  owners: `
    variables.waitingOwners.map(list, list.filter(owner,
      !variables.ownersBefore.exists(old, owner.uid in old))).filter(list, list.size() > 0)`,
  grace: `
    int(variables.isDeletion ? request.?options.?gracePeriodSeconds.orValue(0)
      : dyn(object).?deleteOptions.?gracePeriodSeconds.orValue(0))`,
  isAsked: `
    variables.isDeletion ? request.?options.?gracePeriodSeconds.hasValue()
    : dyn(object).?deleteOptions.?gracePeriodSeconds.hasValue()`,
  // A kubelet may go on with the period that it has begun, while the quota goes by the new one. An Eviction is an object of
  // its own, which shows neither.
  isCut: `
    variables.isAsked && (!variables.isDeletion || variables.grace == 0
      || variables.grace < int(dyn(oldObject).?metadata.?deletionGracePeriodSeconds.orValue(0)))`,
  ownGrace: "oldObject == null ? 0 : int(dyn(oldObject).?spec.?terminationGracePeriodSeconds.orValue(0))",
  // A pod whose spec says 0 is killed as soon as its kubelet knows.
  mayEndAtOnce: `
    variables.isDeletion && (dyn(oldObject).?spec.?nodeName.orValue('') == '' || variables.ownGrace == 0
      || dyn(oldObject).?status.?phase.orValue('') in ['Failed', 'Succeeded'])`,
  isController,
  isPlatform,
  isFree: "variables.isController || variables.isPlatform",
};

const validations: readonly Validation[] = [
  unlessAsked(
    "variables.isDeletion || variables.added.size() == 0 || variables.isFree",
    `variables.title + "has the finalizer '" + variables.added[0][0]
      + "', which only a controller may put there, since nobody else would take it off: leave it out"`,
  ),
  unlessAsked(
    "variables.unprotected.size() == 0 || variables.isFree",
    `variables.title + "would lose the finalizer '" + variables.unprotected[0]
      + "', which keeps it until no pod uses it: delete the pods that do"`,
  ),
  unlessAsked(
    `
      variables.takers.size() == 0
      || (variables.isFree && variables.takers.all(owner, owner.kind == 'Job' && owner.apiVersion == 'batch/v1'))`,
    `variables.podTitle + "would have another controller than the Job that tracks it, "
      + "and then never be gone: delete the Job, or leave its ownerReferences as they are"`,
  ),
  unlessAsked(
    "variables.isDeletion || variables.isController || variables.owners.size() == 0 || variables.isPlatform",
    `variables.title + "would keep its owner, "
      + variables.owners[0][0].kind + " '" + variables.owners[0][0].name + "', from being gone, which only a controller may: "
      + "leave blockOwnerDeletion out of its ownerReferences, or set it to false"`,
  ),
  unlessAsked(
    `
      variables.grace <= ${mostToEnd} || (variables.isDeletion && variables.grace <= variables.ownGrace) || variables.isFree`,
    `variables.podTitle + "would be given " + string(variables.grace)
      + " seconds to end, and hold up whoever drains a node or deletes the namespace: "
      + "ask for ${mostToEnd} or fewer (--grace-period)"`,
  ),
  unlessAsked(
    "!variables.isCut || variables.mayEndAtOnce || variables.isFree",
    `variables.podTitle + "would be gone, and its share of the quota free, while its containers may run on: "
      + "leave --force and --grace-period out, and let it end"`,
  ),
  fewEnough("finalizers, owners and claim templates", "variables.isDeletion || variables.isFree"),
];
