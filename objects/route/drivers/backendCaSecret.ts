import { backendCaSecretName } from "../../../config/names/names.ts";
import type { Settings } from "../../../config/settings.ts";
import { sharedMetadata } from "../../metadata.ts";
import { driverOf } from "./drivers.ts";

/**
 * The CA of members' Services for Ingresses: one Secret for all, beside the controller. Undefined if there is nothing to
 * verify, and for a Gateway, which reads the CA in each member's namespace instead.
 * @see https://kubernetes.io/docs/concepts/configuration/secret/#opaque-secrets
 */
export function backendCaSecret(settings: Settings) {
  const { namespace, backend } = settings.route;
  const { caKey } = driverOf(settings);
  if (caKey === undefined || backend.protocol !== "HTTPS" || backend.ca === undefined) {
    return undefined;
  }
  return {
    metadata: { ...sharedMetadata(backendCaSecretName(settings), settings), namespace },
    type: "Opaque",
    data: { [caKey]: Buffer.from(backend.ca).toString("base64") },
  };
}
