import type { Member, Settings } from "../../../config/settings.ts";
import { memberLabels } from "../../../naming/labels.ts";
import { backendCaName, namespaceName } from "../../../naming/names.ts";

/**
 * The CA of members' Services where their BackendTLSPolicy looks for it: in the same namespace, under `ca.crt`.
 * @see https://gateway-api.sigs.k8s.io/api-types/backendtlspolicy/
 */
export function backendCa(member: Member, ca: string, settings: Settings) {
  return {
    metadata: {
      name: backendCaName,
      namespace: namespaceName(member),
      labels: memberLabels(member, settings),
    },
    data: { "ca.crt": ca },
  };
}
