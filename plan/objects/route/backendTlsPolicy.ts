import type { Member } from "../../../config/model/members/member.ts";
import { withMember } from "../../../config/model/members/memberPlaceholder.ts";
import type { Settings } from "../../../config/model/settings/settings.ts";
import { memberLabels } from "../../../naming/labels.ts";
import { backendCaName, backendTlsPolicyName, namespaceName, serviceName } from "../../../naming/names.ts";
import { goneAtOnce } from "../deletion.ts";

/**
 * Makes the Gateway use TLS to the member's Service, and names the certificate to expect: the Gateway API has no TLS to a
 * backend without that.
 * @see https://gateway-api.sigs.k8s.io/api-types/backendtlspolicy/
 */
export function backendTlsPolicy(member: Member, settings: Settings) {
  const { ca, serverName } = settings.route.backend;
  return {
    metadata: {
      name: backendTlsPolicyName(member),
      namespace: namespaceName(member),
      labels: memberLabels(member, settings),
      annotations: goneAtOnce,
    },
    spec: {
      targetRefs: [{ group: "", kind: "Service", name: serviceName(member) }],
      validation: {
        hostname: withMember(serverName, member.name),
        ...(ca === undefined
          ? { wellKnownCACertificates: "System" }
          : { caCertificateRefs: [{ group: "", kind: "ConfigMap", name: backendCaName }] }),
      },
    },
  };
}
