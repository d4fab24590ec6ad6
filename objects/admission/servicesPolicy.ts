import { signatureKey } from "../../config/names/pulumiMarks.ts";
import type { Settings } from "../../config/settings.ts";
import { admissionPolicy, isPlatform, refusing } from "./admissionPolicy.ts";
import { fewEnough, ifFew, mostJudged, type Side } from "./fewEnough.ts";

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
export function servicesPolicy(settings: Settings) {
  const refused = refusing(settings);
  const few = fewEnough({ what: "external IPs and ports", itemsOf }, settings);
  const content = {
    requests: [{ apiGroups: [""], resources: ["services"] }],
    variables: {
      type: "object.spec.?type.orValue('ClusterIP')",
      typeBefore: "oldObject == null ? 'ClusterIP' : string(oldObject.spec.?type.orValue('ClusterIP'))",
      target: "object.spec.?externalName.orValue('')",
      targetBefore: "oldObject == null ? '' : string(oldObject.spec.?externalName.orValue(''))",
      ...few.variables,
      addressesBefore: `oldObject == null ? [] : ${addressesOf("oldObject")}`,
      addresses: `${ifFew(addressesOf("object"))}.filter(address, !(address in variables.addressesBefore))`,
      numbersBefore: "oldObject == null ? [] : dyn(oldObject).spec.?clusterIPs.orValue([])",
      // `None` is no address.
      numbers:
        "dyn(object).spec.?clusterIPs.orValue([]).filter(number, number != 'None' && !(number in variables.numbersBefore))",
      managers: "dyn(object).metadata.?managedFields.orValue([])",
      isNumbered: `variables.numbers.size() > 0 && (variables.managers.size() == 0 || variables.managers.size() > ${mostJudged}
        || variables.managers.exists(each, ['f:clusterIP', 'f:clusterIPs'].exists(field,
          each.?fieldsV1[?'f:spec'][?field].hasValue())))`,
      isPlatform,
      // Pulumi takes a map with this key for something else, and can't read the Service any more.
      isMarked: `[dyn(object).metadata.?labels.orValue({}), dyn(object).metadata.?annotations.orValue({}),
        dyn(object).spec.?selector.orValue({})].exists(each, '${signatureKey}' in each)`,
      portsBefore: `oldObject == null ? [] : ${ifFew(portsOf("oldObject"), "oldObject")}`,
    },
    validations: [
      refused(
        "variables.type == 'ClusterIP' || variables.type == variables.typeBefore",
        `"is of type " + variables.type + ", which leads out of the namespace or opens ports of the nodes: make it one of type ClusterIP"`,
      ),
      refused(
        "variables.target == '' || variables.target == variables.targetBefore",
        `"leads to " + variables.target + " (externalName), which may be somebody else's: give it a selector of your own pods"`,
      ),
      refused(
        "variables.addresses.size() == 0",
        `"takes the address " + string(variables.addresses[0]) + " (externalIPs), which may be somebody else's: leave it out"`,
      ),
      refused(
        "!variables.isNumbered || variables.isPlatform",
        `"asks for the cluster address " + string(variables.numbers[0]) + ", which may have been somebody else's a moment ago: leave clusterIP and clusterIPs out, and use its name"`,
      ),
      refused(
        "!variables.isMarked || variables.isPlatform",
        `"has the key ${signatureKey}, which the platform's tools can't read: leave it out"`,
      ),
      refused(
        `!(variables.type in ['LoadBalancer', 'NodePort']) || ${ifFew(portsOf("object"))}.all(port,
          variables.portsBefore.exists(before, before.port == port.port && before.protocol == port.protocol
          && (!has(port.nodePort) || port.nodePort == before.?nodePort.orValue(0))))`,
        `"is of type " + variables.type + ", from before such were refused, and can have no other port: make it one of type ClusterIP"`,
      ),
      few.validation,
    ],
  };
  return admissionPolicy("services", content, settings);
}

const addressesOf = (object: Side) => `dyn(${object}).spec.?externalIPs.orValue([])`;
const portsOf = (object: Side) => `dyn(${object}).spec.?ports.orValue([])`;

const itemsOf = (object: Side) => [{ list: addressesOf(object) }, { list: portsOf(object) }];
