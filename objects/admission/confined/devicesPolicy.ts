import { devicesAnnotation } from "../../../config/names/labels.ts";
import { hasAnnotation, namesIn, type PolicyContent, title, withBefore } from "../admissionPolicy.ts";
import { fewEnough, fewItemsWith } from "../fewEnough.ts";
import { podChanges, podSpec, podSpecRequests } from "../podSpecs.ts";

/** A pod may also ask for devices of a DeviceClass as an extended resource with this prefix. */
const classPrefix = "deviceclass.resource.kubernetes.io/";

const few = fewEnough("containers and names of their resources");

/**
 * Allows members' pods only devices that their namespace names: extended resources in containers of all sorts, and
 * DeviceClasses in ResourceClaims and their templates. The quota limits their number, and can't say that it allows no
 * others. Nor may a claim reach devices that are others' (`adminAccess`). An object keeps what it had.
 *
 * Claims and templates never change. The scheduler makes claims for extended resources of DeviceClasses, whose names no
 * member has asked for. Another controller makes claims from members' templates, with the annotations that these have.
 * @see https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/
 */
export const devicesPolicy: PolicyContent = {
  ...podChanges,
  requests: [
    ...podSpecRequests,
    { apiGroups: ["resource.k8s.io"], resources: ["resourceclaims", "resourceclaimtemplates"] },
  ],
  variables: {
    title,
    isHeld: hasAnnotation(devicesAnnotation),
    allowed: namesIn(devicesAnnotation),
    ...withBefore({
      pod: podSpec,
      judged: `
        [variables.pod.?containers.orValue([]), variables.pod.?initContainers.orValue([]),
          variables.pod.?ephemeralContainers.orValue([])]`,
      ...fewItemsWith(`variables.judged.map(list, list.map(each,
          each.?resources.?limits.orValue({}).size() + each.?resources.?requests.orValue({}).size()).sum()).sum()`),
      resources: `
        (variables.isFew ? variables.judged[0] + variables.judged[1] + variables.judged[2] : []).map(each,
          each.?resources.?limits.orValue({}).map(name, string(name))
          + each.?resources.?requests.orValue({}).map(name, string(name)))`,
    }),
    devices: `
      variables.resources.map(list, list.filter(name, name.contains('/') && !(name in variables.allowed)
        && !(name.startsWith('${classPrefix}') && name.substring(${classPrefix.length}) in variables.allowed)
        && !variables.resourcesBefore.exists(old, name in old))).filter(list, list.size() > 0)`,
    // Kubernetes itself allows a claim 32 of them, and each of these 8 others to choose from.
    requests: `
      object.kind == 'ResourceClaim' ? dyn(object).?spec.?devices.?requests.orValue([])
      : object.kind == 'ResourceClaimTemplate' ? dyn(object).?spec.?spec.?devices.?requests.orValue([]) : []`,
    classes: `
      variables.requests.map(each, [each.?deviceClassName.orValue(''), each.?exactly.?deviceClassName.orValue('')]
        + each.?firstAvailable.orValue([]).map(one, one.?deviceClassName.orValue('')))
      .map(list, list.filter(name, name != '' && !(name in variables.allowed))).filter(list, list.size() > 0)`,
    isAdmins: `
      variables.requests.exists(each,
        each.?adminAccess.orValue(false) || each.?exactly.?adminAccess.orValue(false))`,
    isSchedulers: `
      request.userInfo.username == 'system:kube-scheduler'
      && object.metadata.?annotations[?'resource.kubernetes.io/extended-resource-claim'].orValue('') == 'true'`,
  },
  validations: [
    {
      expression: "!variables.isHeld || variables.devices.size() == 0",
      messageExpression: `
        variables.title + "asks for the device '" + variables.devices[0][0] + "', which namespace '" + request.namespace
        + "' may not have: it may have " + (variables.allowed.size() == 0 ? "none" : variables.allowed.join(', '))
        + "; leave it out, or ask " + variables.contact`,
    },
    {
      expression: "!variables.isHeld || variables.classes.size() == 0 || variables.isSchedulers",
      messageExpression: `
        variables.title + "asks for a device of class '" + variables.classes[0][0] + "', which namespace '"
        + request.namespace + "' may not have: it may have "
        + (variables.allowed.size() == 0 ? "none" : variables.allowed.join(', ')) + "; leave it out, or ask " + variables.contact`,
    },
    {
      expression: "!variables.isAdmins",
      messageExpression: `
        variables.title + "asks for adminAccess, which reaches devices that are others': leave it out, or ask " + variables.contact`,
    },
    { ...few, expression: `!variables.isHeld || ${few.expression}` },
  ],
};
