import { signatureKey } from "../../config/names/pulumiMarks.ts";
import { controllerPrefixes } from "../../config/route/controllers.ts";
import { celTexts, isPlatform, type PolicyContent, title, unlessAsked, withBefore } from "./admissionPolicy.ts";
import { fewEnough, fewItems, mostJudged } from "./fewEnough.ts";

/**
 * Members' Services lead to their own pods, from within the cluster. One of type ExternalName, or with external IPs, would
 * lead to others' pods or take others' requests, and the other types open ports of the nodes. That holds for everybody,
 * since a route follows a Service whoever made it. A former value may stay, so that finalizers and the status can still be
 * written, but may not grow.
 *
 * Nor may anybody but the platform ask for a cluster address by its number, also no controller that makes Services as a custom
 * kind says: the address of a Service that was just deleted is free, and its
 * clients go on sending to it. When policies are evaluated, every Service has its addresses already; managedFields show
 * which fields a request has set. The API server writes those itself, but keeps none if a request contains some that it
 * doesn't understand, and adds none to an object without any: so an empty list proves nothing.
 * @see https://kubernetes.io/docs/concepts/services-networking/service/#publishing-services-service-types
 */
export const servicesPolicy: PolicyContent = {
  requests: [{ apiGroups: [""], resources: ["services"] }],
  variables: {
    title,
    ...withBefore({
      type: "object == null ? 'ClusterIP' : string(object.spec.?type.orValue('ClusterIP'))",
      target: "object == null ? '' : string(object.spec.?externalName.orValue(''))",
      addresses: "object == null ? [] : dyn(object).spec.?externalIPs.orValue([])",
      ports: "object == null ? [] : dyn(object).spec.?ports.orValue([])",
      numbers: "object == null ? [] : dyn(object).spec.?clusterIPs.orValue([])",
      judged: "[variables.addresses, variables.ports]",
      annotations: "object == null ? {} : dyn(object).metadata.?annotations.orValue({})",
      ...fewItems,
    }),
    // Those that a controller reads of the Service of a route, snippets of its configuration among them.
    configuring: `
      variables.annotations.map(key, key).filter(key, ${celTexts(controllerPrefixes)}.exists(prefix, key.startsWith(prefix))
        && !(key in variables.annotationsBefore && variables.annotationsBefore[key] == variables.annotations[key]))`,
    newAddresses: `
      (variables.isFew ? variables.addresses : []).filter(address, !(address in variables.addressesBefore))`,
    // `None` is no address.
    newNumbers: "variables.numbers.filter(number, number != 'None' && !(number in variables.numbersBefore))",
    managers: "dyn(object).metadata.?managedFields.orValue([])",
    isNumbered: `
      variables.newNumbers.size() > 0
      && (variables.managers.size() == 0 || variables.managers.size() > ${mostJudged}
        || variables.managers.exists(each,
          ['f:clusterIP', 'f:clusterIPs'].exists(field, each.?fieldsV1[?'f:spec'][?field].hasValue())))`,
    isPlatform,
    // Pulumi takes a map with this key for something else, and can't read the Service any more.
    isMarked: `
      [dyn(object).metadata.?labels.orValue({}), dyn(object).metadata.?annotations.orValue({}),
        dyn(object).spec.?selector.orValue({})].exists(each, '${signatureKey}' in each)`,
    keepsPorts: `
      (variables.isFew ? variables.ports : []).all(port,
        (variables.isFewBefore ? variables.portsBefore : []).exists(before,
          before.port == port.port && before.protocol == port.protocol
          && (!has(port.nodePort) || port.nodePort == before.?nodePort.orValue(0))))`,
  },
  validations: [
    unlessAsked(
      "variables.type == 'ClusterIP' || variables.type == variables.typeBefore",
      `variables.title + "is of type " + variables.type
        + ", which leads out of the namespace or opens ports of the nodes: make it one of type ClusterIP"`,
    ),
    unlessAsked(
      "variables.target == '' || variables.target == variables.targetBefore",
      `variables.title + "leads to " + variables.target
        + " (externalName), which may be somebody else's: give it a selector of your own pods"`,
    ),
    unlessAsked(
      "variables.newAddresses.size() == 0",
      `variables.title + "takes the address " + string(variables.newAddresses[0])
        + " (externalIPs), which may be somebody else's: leave it out"`,
    ),
    unlessAsked(
      "!variables.isNumbered || variables.isPlatform",
      `variables.title + "asks for the cluster address " + string(variables.newNumbers[0])
        + ", which may have been somebody else's a moment ago: leave clusterIP and clusterIPs out, and use its name"`,
    ),
    unlessAsked(
      "!variables.isMarked || variables.isPlatform",
      `variables.title + "has the key ${signatureKey}, which the platform's tools can't read: leave it out"`,
    ),
    unlessAsked(
      "!(variables.type in ['LoadBalancer', 'NodePort']) || variables.keepsPorts",
      `variables.title + "is of type " + variables.type
        + ", from before such were refused, and can have no other port: make it one of type ClusterIP"`,
    ),
    unlessAsked(
      "variables.configuring.size() == 0 || variables.isPlatform",
      `variables.title + "has the annotation " + variables.configuring[0]
        + ", by which the ingress controller would be configured, for everybody: leave it out"`,
    ),
    fewEnough("external IPs and ports"),
  ],
};
