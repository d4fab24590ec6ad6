import { devicesAnnotation } from "../../../config/names/labels.ts";
import type { Settings } from "../../../config/settings.ts";
import { admissionPolicy, refusing } from "../admissionPolicy.ts";
import { fewEnough, ifFew, type Side } from "../fewEnough.ts";
import { changesPods, containersOf, podSpecRequests, pods } from "../podSpecs.ts";
import { allowedIn, isHeldBy } from "./allowedNames.ts";

/** A pod may also ask for devices of a DeviceClass as an extended resource with this prefix. */
const classPrefix = "deviceclass.resource.kubernetes.io/";

/**
 * Allows members' pods only devices that their namespace names: extended resources in containers of all sorts, and
 * DeviceClasses in ResourceClaims and their templates. The quota limits their number, and can't say that it allows no
 * others. Nor may a claim reach devices that are others' (`adminAccess`). An object keeps what it had.
 *
 * Claims and templates never change. The scheduler makes claims for extended resources of DeviceClasses, whose names no
 * member has asked for. Another controller makes claims from members' templates, with the annotations that these have.
 * @see https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/
 */
export function devicesPolicy(settings: Settings) {
  const refused = refusing(settings, `, or ask ${settings.contact}`);
  const instead = `(variables.allowed.size() == 0 ? "it may have none; leave it out" : "it may have " + variables.allowed.join(', ') + "; leave it out")`;
  const few = fewEnough({ what: "containers and names of their resources", itemsOf }, settings);
  const content = {
    requests: [
      ...podSpecRequests,
      { apiGroups: ["resource.k8s.io"], resources: ["resourceclaims", "resourceclaimtemplates"] },
    ],
    matchCondition: changesPods,
    variables: {
      isHeld: isHeldBy(devicesAnnotation),
      allowed: allowedIn(devicesAnnotation),
      ...pods,
      ...few.variables,
      devicesBefore: resourcesOf("oldObject"),
      devices: `${resourcesOf("object")}.map(list, list.filter(name, name.contains('/') && !(name in variables.allowed)
        && !(name.startsWith('${classPrefix}') && name.substring(${classPrefix.length}) in variables.allowed)
        && !variables.devicesBefore.exists(old, name in old))).filter(list, list.size() > 0)`,
      // Kubernetes itself allows a claim 32 of them, and each of these 8 others to choose from.
      requests: `object.kind == 'ResourceClaim' ? dyn(object).?spec.?devices.?requests.orValue([])
        : object.kind == 'ResourceClaimTemplate' ? dyn(object).?spec.?spec.?devices.?requests.orValue([]) : []`,
      classes: `variables.requests.map(each, [each.?deviceClassName.orValue(''), each.?exactly.?deviceClassName.orValue('')]
        + each.?firstAvailable.orValue([]).map(one, one.?deviceClassName.orValue('')))
        .map(list, list.filter(name, name != '' && !(name in variables.allowed))).filter(list, list.size() > 0)`,
      isAdmins: `variables.requests.exists(each,
        each.?adminAccess.orValue(false) || each.?exactly.?adminAccess.orValue(false))`,
      isSchedulers: `request.userInfo.username == 'system:kube-scheduler'
        && object.metadata.?annotations[?'resource.kubernetes.io/extended-resource-claim'].orValue('') == 'true'`,
    },
    validations: [
      refused(
        "!variables.isHeld || variables.devices.size() == 0",
        `"asks for the device '" + variables.devices[0][0] + "', which namespace '" + request.namespace + "' may not have: " + ${instead}`,
      ),
      refused(
        "!variables.isHeld || variables.classes.size() == 0 || variables.isSchedulers",
        `"asks for a device of class '" + variables.classes[0][0] + "', which namespace '" + request.namespace + "' may not have: " + ${instead}`,
      ),
      refused("!variables.isAdmins", `"asks for adminAccess, which reaches devices that are others': leave it out"`),
      { ...few.validation, expression: `!variables.isHeld || ${few.validation.expression}` },
    ],
  };
  return admissionPolicy("devices", content, settings);
}

const resources = ["limits", "requests"].map((field) => `each.?resources.?${field}.orValue({})`);

const itemsOf = (side: Side) => containersOf(side).map((list) => ({ list, within: resources }));

/** CEL: names of resources that a pod's containers limit or request, in lists. */
const resourcesOf = (side: Side) =>
  ifFew(
    `(${containersOf(side).join(" + ")}).map(each, ${resources.map((map) => `${map}.map(name, string(name))`).join(" + ")})`,
    side,
  );
