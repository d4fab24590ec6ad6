import type { Settings } from "../../../../config/model/settings/settings.ts";
import { storageClassesAnnotation } from "../../../../naming/labels.ts";
import { admissionPolicy, celText } from "../admissionPolicy.ts";
import type { Side } from "../fewEnough.ts";
import { allowedIn, isHeldBy } from "./allowedNames.ts";

/** The class in a claim of before Kubernetes 1.6, which still takes precedence. */
const formerField = "volume.beta.kubernetes.io/storage-class";

/**
 * Allows members' claims only StorageClasses that their namespace names. The quota limits the storage of each, and can't
 * say that it allows no others. A claim that names none has the cluster's default class by now; without one, it could
 * bind any volume without a class. Nor may a claim name a VolumeAttributesClass, from Kubernetes 1.34 on, which changes a
 * volume's speed and price beside its class. Claims of a StatefulSet or a pod are judged when they are made.
 * @see https://kubernetes.io/docs/concepts/policy/resource-quotas/#quota-for-storage
 * @see https://kubernetes.io/docs/concepts/storage/volume-attributes-classes/
 */
export function storagePolicy(settings: Settings) {
  const content = {
    requests: [{ apiGroups: [""], resources: ["persistentvolumeclaims"] }],
    variables: {
      isHeld: isHeldBy(storageClassesAnnotation),
      allowed: allowedIn(storageClassesAnnotation),
      class: classOf("object"),
      before: `oldObject == null ? '' : ${classOf("oldObject")}`,
      attributes: attributesOf("object"),
      attributesBefore: `oldObject == null ? '' : ${attributesOf("oldObject")}`,
    },
    validations: [
      {
        expression: `!variables.isHeld || variables.class in variables.allowed
          || (oldObject != null && variables.class == variables.before)`,
        messageExpression: `"PersistentVolumeClaim '" + object.metadata.?name.orValue('') + "' has "
          + (variables.class == '' ? "no StorageClass" : "the StorageClass '" + variables.class + "', its own or the default")
          + ", which namespace '" + request.namespace + "' may not use: "
          + (variables.allowed.size() == 0 ? "it may use none; leave the claim out" : "set storageClassName to " + variables.allowed.join(' or '))
          + ${celText(`, or ask ${settings.contact}`)}`,
      },
      {
        expression:
          "!variables.isHeld || variables.attributes == '' || variables.attributes == variables.attributesBefore",
        messageExpression: `"PersistentVolumeClaim '" + object.metadata.?name.orValue('') + "' has the VolumeAttributesClass '"
          + variables.attributes + "', and namespace '" + request.namespace + "' may have none: leave volumeAttributesClassName out"
          + ${celText(`, or ask ${settings.contact}`)}`,
      },
    ],
  };
  return admissionPolicy("storage", content, settings);
}

/** CEL: the class of a claim. */
const classOf = (object: Side) =>
  `string(${object}.metadata.?annotations[?'${formerField}'].orValue(${object}.spec.?storageClassName.orValue('')))`;

/** CEL: the class of a claim's attributes. */
const attributesOf = (object: Side) => `string(${object}.spec.?volumeAttributesClassName.orValue(''))`;
