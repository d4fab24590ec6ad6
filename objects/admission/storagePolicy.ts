import { storageClassesAnnotation } from "../../config/names/labels.ts";
import type { Settings } from "../../config/settings.ts";
import { admissionPolicy, celText, isController, isPlatform } from "./admissionPolicy.ts";
import { allowedIn, isHeldBy } from "./confined/allowedNames.ts";
import { fewEnough, ifFew, type Side } from "./fewEnough.ts";
import { podOf, podSpecRequests, pods } from "./podSpecs.ts";

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
export function storagePolicy(settings: Settings) {
  const ask = celText(`, or ask ${settings.contact}`);
  const few = fewEnough(
    { what: "volumes, claim templates and annotations", itemsOf, unless: "variables.isBound" },
    settings,
  );
  const own = `object.kind + " '" + object.metadata.?name.orValue('') + "' "`;
  const content = {
    requests: [{ apiGroups: [""], resources: ["persistentvolumeclaims"] }, ...podSpecRequests],
    variables: {
      isClaim: "request.resource.resource == 'persistentvolumeclaims'",
      isHeld: `variables.isClaim && ${isHeldBy(storageClassesAnnotation)}`,
      allowed: allowedIn(storageClassesAnnotation),
      class: classOf("object"),
      before: `oldObject == null ? '' : ${classOf("oldObject")}`,
      attributes: attributesOf("object"),
      attributesBefore: `oldObject == null ? '' : ${attributesOf("oldObject")}`,
      ...pods,
      ...few.variables,
      claims: claimsOf("object"),
      claimsBefore: `oldObject == null ? [] : ${claimsOf("oldObject")}`,
      marksBefore: `variables.claimsBefore.map(claim, ${marksOf("claim")})`,
      marks: `variables.claims.map(claim, ${marksOf("claim")}.filter(mark, !variables.marksBefore.exists(old, mark in old)))
        .filter(list, list.size() > 0)`,
      boundMarks: `variables.marks.map(list, list.filter(mark, mark.startsWith('${bindersPrefix}'))).filter(list, list.size() > 0)`,
      volumesBefore: `variables.claimsBefore.map(claim, ${volumeOf("claim")})`,
      volumes: `variables.claims.map(claim, ${volumeOf("claim")}).filter(name, name != '' && !(name in variables.volumesBefore))`,
      isController,
      isPlatform,
      isBound: `variables.isClaim && oldObject != null
        && (variables.isPlatform || request.userInfo.username in [${binders.map((name) => `'${name}'`).join(", ")}])`,
      isFree: "variables.isPlatform || (variables.isClaim && variables.isController)",
    },
    validations: [
      {
        expression: "variables.isBound || variables.boundMarks.size() == 0",
        messageExpression: `${own} + "claims a volume with the annotation '" + variables.boundMarks[0][0].split('=')[0]
          + "', by which Kubernetes takes a claim for bound, whatever it asks for: leave it out" + ${ask}`,
      },
      {
        expression: `variables.isFree || variables.marks.all(list, list.all(mark, !mark.startsWith('${selectedNode}=')))`,
        messageExpression: `${own} + "claims a volume with the annotation '${selectedNode}', by which the scheduler says for which node: leave it out" + ${ask}`,
      },
      {
        expression: "variables.isFree || variables.volumes.size() == 0",
        messageExpression: `${own} + "claims the volume '" + variables.volumes[0] + "' by its name, which may be for others, and larger than what the quota counts: leave volumeName out"
          + ${celText(`, or ask ${settings.contact} to reserve it by its claimRef`)}`,
      },
      few.validation,
      {
        expression: `!variables.isHeld || variables.class in variables.allowed
          || (oldObject != null && variables.class == variables.before)`,
        messageExpression: `"PersistentVolumeClaim '" + object.metadata.?name.orValue('') + "' has "
          + (variables.class == '' ? "no StorageClass" : "the StorageClass '" + variables.class + "', its own or the default")
          + ", which namespace '" + request.namespace + "' may not use: "
          + (variables.allowed.size() == 0 ? "it may use none; leave the claim out" : "set storageClassName to " + variables.allowed.join(' or '))
          + ${ask}`,
      },
      {
        expression:
          "!variables.isHeld || variables.attributes == '' || variables.attributes == variables.attributesBefore",
        messageExpression: `"PersistentVolumeClaim '" + object.metadata.?name.orValue('') + "' has the VolumeAttributesClass '"
          + variables.attributes + "', and namespace '" + request.namespace + "' may have none: leave volumeAttributesClassName out"
          + ${ask}`,
      },
    ],
  };
  return admissionPolicy("storage", content, settings);
}

/** CEL: the class of a claim. */
const classOf = (object: Side) =>
  `string(dyn(${object}).metadata.?annotations[?'${formerField}'].orValue(dyn(${object}).spec.?storageClassName.orValue('')))`;

/** CEL: the class of a claim's attributes. */
const attributesOf = (object: Side) => `string(dyn(${object}).spec.?volumeAttributesClassName.orValue(''))`;

const volumesOf = (side: Side) => `${podOf(side)}.?volumes.orValue([])`;
const templatesOf = (side: Side) => `dyn(${side}).?spec.?volumeClaimTemplates.orValue([])`;
const annotationsOf = (claim: string) => `${claim}.?metadata.?annotations.orValue({})`;

const itemsOf = (side: Side) => [
  { list: volumesOf(side), within: [annotationsOf("each.?ephemeral.?volumeClaimTemplate")] },
  { list: templatesOf(side), within: [annotationsOf("each")] },
  { list: `(variables.isClaim ? ${annotationsOf(`dyn(${side})`)} : {})` },
];

/** CEL: the claim that an object is, and those that controllers make by its templates. */
const claimsOf = (side: Side) =>
  ifFew(
    `(variables.isClaim ? [dyn(${side})] : ${templatesOf(side)} + ${volumesOf(side)}
      .filter(each, has(each.ephemeral)).map(each, each.ephemeral.?volumeClaimTemplate.orValue({})))`,
    side,
  );

/** CEL: a claim's annotations by which controllers know what it is bound to, with their values. */
const marksOf = (claim: string) =>
  `${annotationsOf(claim)}.filter(key, key.startsWith('${bindersPrefix}') || key == '${selectedNode}')
    .map(key, key + '=' + string(${annotationsOf(claim)}[key]))`;

/** CEL: name of the volume that a claim chooses. */
const volumeOf = (claim: string) => `string(${claim}.?spec.?volumeName.orValue(''))`;
