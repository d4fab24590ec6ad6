import { storageClassesAnnotation } from "../../config/names/labels.ts";
import {
  celTexts,
  hasAnnotation,
  isController,
  isPlatform,
  namesIn,
  type PolicyContent,
  title,
  withBefore,
} from "./admissionPolicy.ts";
import { fewEnough, fewItemsWith } from "./fewEnough.ts";
import { podSpec, podSpecRequests } from "./podSpecs.ts";

/** The class in a claim of before Kubernetes 1.6, which still takes precedence. */
const formerField = "volume.beta.kubernetes.io/storage-class";

/** Annotations by which the controller of volumes knows what it has bound, whatever class and size the claim says. */
const bindersPrefix = "pv.kubernetes.io/";

/** The scheduler's choice, after which a volume is bound although no pod of the claim could use it. */
const selectedNode = "volume.kubernetes.io/selected-node";

/** The controller of volumes; the second where all controllers of Kubernetes share one name. */
const binders = ["system:serviceaccount:kube-system:persistent-volume-binder", "system:kube-controller-manager"];

/**
 * Keeps claims to what the quota counts. It counts what a claim asks for, of the class that it names. So nobody says in a new
 * claim that it is bound: it would get any free volume, of another class and size. Nor do members choose the volume or the
 * node: a volume without `claimRef` may be for others, and be of use on their nodes alone. Controllers make claims from the
 * templates of StatefulSets and pods, so these are judged whoever makes them, but for the platform.
 *
 * It also allows members' claims only StorageClasses that their namespace names. The quota limits the storage of each, and
 * can't say that it allows no others. A claim that names none has the cluster's default class by now; without one, it could
 * bind any volume without a class. Nor may such a claim name a VolumeAttributesClass, from Kubernetes 1.34 on, which changes
 * a volume's speed and price beside its class. The class of a template is judged when its claim is made.
 * @see https://kubernetes.io/docs/concepts/policy/resource-quotas/#quota-for-storage
 * @see https://kubernetes.io/docs/concepts/storage/persistent-volumes/#binding
 * @see https://kubernetes.io/docs/concepts/storage/volume-attributes-classes/
 */
export const storagePolicy: PolicyContent = {
  requests: [{ apiGroups: [""], resources: ["persistentvolumeclaims"] }, ...podSpecRequests],
  variables: {
    title,
    isClaim: "request.resource.resource == 'persistentvolumeclaims'",
    isHeld: `
      variables.isClaim && ${hasAnnotation(storageClassesAnnotation)}`,
    allowed: namesIn(storageClassesAnnotation),
    ...withBefore({
      class: `
        object == null ? ''
        : string(dyn(object).metadata.?annotations[?'${formerField}'].orValue(dyn(object).spec.?storageClassName.orValue('')))`,
      attributes: "object == null ? '' : string(dyn(object).spec.?volumeAttributesClassName.orValue(''))",
      pod: podSpec,
      volumes: "variables.pod.?volumes.orValue([])",
      templates: "object == null ? [] : dyn(object).?spec.?volumeClaimTemplates.orValue([])",
      annotations: "object == null || !variables.isClaim ? {} : dyn(object).?metadata.?annotations.orValue({})",
      judged: "[dyn(variables.volumes), dyn(variables.templates), dyn(variables.annotations)]",
      ...fewItemsWith(`variables.volumes.map(each,
            each.?ephemeral.?volumeClaimTemplate.?metadata.?annotations.orValue({}).size()).sum()
          + variables.templates.map(each, each.?metadata.?annotations.orValue({}).size()).sum()`),
      // The claim that an object is, or those that controllers make by its templates.
      claims: `
        object == null || !variables.isFew ? []
        : variables.isClaim ? [dyn(object)]
        : variables.templates + variables.volumes.filter(each, has(each.ephemeral))
          .map(each, each.ephemeral.?volumeClaimTemplate.orValue({}))`,
      // Annotations by which controllers know what a claim is bound to, with their values.
      marks: `
        variables.claims.map(claim, claim.?metadata.?annotations.orValue({})
          .filter(key, key.startsWith('${bindersPrefix}') || key == '${selectedNode}')
          .map(key, key + '=' + string(claim.metadata.annotations[key])))`,
      names: "variables.claims.map(claim, string(claim.?spec.?volumeName.orValue('')))",
    }),
    newMarks: `
      variables.marks.map(list, list.filter(mark, !variables.marksBefore.exists(old, mark in old)))
      .filter(list, list.size() > 0)`,
    boundMarks: `
      variables.newMarks.map(list, list.filter(mark, mark.startsWith('${bindersPrefix}'))).filter(list, list.size() > 0)`,
    newNames: "variables.names.filter(name, name != '' && !(name in variables.namesBefore))",
    isController,
    isPlatform,
    isBound: `
      variables.isClaim && oldObject != null
      && (variables.isPlatform || request.userInfo.username in ${celTexts(binders)})`,
    isFree: "variables.isPlatform || (variables.isClaim && variables.isController)",
  },
  validations: [
    {
      expression: "variables.isBound || variables.boundMarks.size() == 0",
      messageExpression: `
        variables.title + "claims a volume with the annotation '" + variables.boundMarks[0][0].split('=')[0]
        + "', by which Kubernetes takes a claim for bound, whatever it asks for: leave it out, or ask " + variables.contact`,
    },
    {
      expression: `
        variables.isFree || variables.newMarks.all(list, list.all(mark, !mark.startsWith('${selectedNode}=')))`,
      messageExpression: `
        variables.title + "claims a volume with the annotation '${selectedNode}', "
        + "by which the scheduler says for which node: leave it out, or ask " + variables.contact`,
    },
    {
      expression: "variables.isFree || variables.newNames.size() == 0",
      messageExpression: `
        variables.title + "claims the volume '" + variables.newNames[0]
        + "' by its name, which may be for others, and larger than what the quota counts: "
        + "leave volumeName out, or ask " + variables.contact + " to reserve it by its claimRef"`,
    },
    fewEnough("volumes, claim templates and annotations", "variables.isBound"),
    {
      expression: `
        !variables.isHeld || variables.class in variables.allowed
        || (oldObject != null && variables.class == variables.classBefore)`,
      messageExpression: `
        variables.title + "has "
        + (variables.class == '' ? "no StorageClass" : "the StorageClass '" + variables.class + "', its own or the default")
        + ", which namespace '" + request.namespace + "' may not use: "
        + (variables.allowed.size() == 0 ? "it may use none; leave the claim out"
          : "set storageClassName to " + variables.allowed.join(' or '))
        + ", or ask " + variables.contact`,
    },
    {
      expression: `
        !variables.isHeld || variables.attributes == '' || variables.attributes == variables.attributesBefore`,
      messageExpression: `
        variables.title + "has the VolumeAttributesClass '" + variables.attributes + "', and namespace '"
        + request.namespace + "' may have none: leave volumeAttributesClassName out, or ask " + variables.contact`,
    },
  ],
};
