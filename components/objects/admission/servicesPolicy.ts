import type { Settings } from "../../../config/settings.ts";
import { admissionPolicy, celText } from "./admissionPolicy.ts";

/**
 * Members' Services lead to their own pods, from within the cluster: one of type ExternalName, or with external IPs, would
 * lead to others' or take what is meant for them, and the other types open ports of the nodes. That holds for everybody,
 * since a route follows a Service whoever made it. What was so before may stay, so that finalizers and the status are
 * still written, and may not become more.
 * @see https://kubernetes.io/docs/concepts/services-networking/service/#publishing-services-service-types
 */
export function servicesPolicy(settings: Settings) {
  const refusal = (what: string) =>
    `"Service '" + variables.name + "' " + ${what} + ${celText(`; ask ${settings.contact} if it has to be`)}`;
  const content = {
    requests: [{ apiGroups: [""], resources: ["services"] }],
    variables: {
      name: "object.metadata.?name.orValue('')",
      type: "object.spec.?type.orValue('ClusterIP')",
      typeBefore: "oldObject == null ? 'ClusterIP' : oldObject.spec.?type.orValue('ClusterIP')",
      target: "object.spec.?externalName.orValue('')",
      targetBefore: "oldObject == null ? '' : oldObject.spec.?externalName.orValue('')",
      addresses: "object.spec.?externalIPs.orValue([])",
      addressesBefore: "oldObject == null ? [] : oldObject.spec.?externalIPs.orValue([])",
      portsBefore: "oldObject == null ? [] : oldObject.spec.?ports.orValue([])",
    },
    validations: [
      {
        expression: "variables.type in ['ClusterIP', variables.typeBefore]",
        messageExpression: refusal(
          `"is of type " + variables.type + ", which leads out of the namespace or opens ports of the nodes: make it one of type ClusterIP"`,
        ),
      },
      {
        expression: "variables.target in ['', variables.targetBefore]",
        messageExpression: refusal(
          `"leads to " + variables.target + " (externalName), which may be somebody else's: give it a selector of your own pods"`,
        ),
      },
      {
        expression: "variables.addresses.all(address, address in variables.addressesBefore)",
        messageExpression: refusal(
          `"takes " + variables.addresses.filter(address, !(address in variables.addressesBefore)).join(", ") + " (externalIPs), which may be somebody else's: leave them out"`,
        ),
      },
      {
        expression: `variables.type == 'ClusterIP' || object.spec.?ports.orValue([]).all(port,
          variables.portsBefore.exists(before, before.port == port.port && before.protocol == port.protocol
            && (port.?nodePort.orValue(0) in [0, before.?nodePort.orValue(0)])))`,
        messageExpression: refusal(
          `"is of type " + variables.type + " since before that was refused, and can't have another port: make it one of type ClusterIP"`,
        ),
      },
    ],
  };
  return admissionPolicy("services", content, settings);
}
