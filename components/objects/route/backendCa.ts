import type { Member, Settings } from "../../../config/settings.ts";
import { memberLabels } from "../../../naming/labels.ts";
import { backendCaName, namespaceName } from "../../../naming/names.ts";

/**
 * The CA of members' Services where their BackendTLSPolicy looks for it: in the same namespace, under `ca.crt`.
 * @see https://gateway-api.sigs.k8s.io/api-types/backendtlspolicy/
 */
export function backendCa(member: Member, settings: Settings) {
  const { ca } = settings.route.backend;
  if (ca === undefined) {
    throw new Error("route.backendTls.ca is missing: no route has a ConfigMap without it");
  }
  return {
    metadata: {
      name: backendCaName,
      namespace: namespaceName(member),
      labels: memberLabels(member, settings),
      // Gone at once when deleted: members could have something of theirs hang on it, and a run would wait for that.
      annotations: { "pulumi.com/deletionPropagationPolicy": "background" },
    },
    data: { "ca.crt": ca },
  };
}
