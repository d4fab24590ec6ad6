import type { Member } from "../../config/member/member.ts";
import { backendCaName, backendTlsPolicyName, serviceName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { withMember } from "../../config/values/placeholders.ts";
import { metadataOf } from "../metadata.ts";

/**
 * Makes the Gateway use TLS to the member's Service, and names the certificate to expect: the Gateway API has no TLS to a
 * backend without that.
 * @see https://gateway-api.sigs.k8s.io/api-types/backendtlspolicy/
 */
export function backendTlsPolicy(member: Member, settings: Settings) {
  const { ca, serverName } = settings.route.backend;
  return {
    metadata: metadataOf(backendTlsPolicyName(member), member, settings),
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
