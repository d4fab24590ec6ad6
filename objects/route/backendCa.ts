import type { Member } from "../../config/member/member.ts";
import { backendCaName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { metadataOf } from "../metadata.ts";

/**
 * The CA of members' Services for their BackendTLSPolicy, which reads it in the same namespace, from the key `ca.crt`.
 * @throws Error if the settings have no CA
 * @see https://gateway-api.sigs.k8s.io/api-types/backendtlspolicy/
 */
export function backendCa(member: Member, settings: Settings) {
  const { ca } = settings.route.backend;
  if (ca === undefined) {
    throw new Error("route.backendTls.ca is missing: no route has a ConfigMap without it");
  }
  return {
    metadata: metadataOf(backendCaName, member, settings),
    data: { "ca.crt": ca },
  };
}
