import type { V1ResourceQuota } from "@kubernetes/client-node";
import type { Waiting } from "../api/requests.ts";

/**
 * Whether a quota allows no new pod, is about to, or does not. Admission follows the quota's status, which lags behind
 * its spec.
 */
export type QuotaState = "closed" | "closing" | "open";

export function quotaStateOf({ spec, status }: Pick<V1ResourceQuota, "spec" | "status"> = {}): QuotaState {
  if (spec?.hard?.pods !== "0") {
    return "open";
  }
  return status?.hard?.pods === "0" ? "closed" : "closing";
}

/** Number of looks at the quotas, and the pause between them in milliseconds; one pause is mostly enough. */
const looks = { most: 60, pause: 500 };

/**
 * Looks at quotas until they are in force. The spec does not say so: admission follows the status, which the controller
 * updates a moment later.
 * @returns the last look
 */
export async function quotaInForce<T>(
  look: () => Promise<T>,
  isInForce: (seen: T) => boolean,
  pause: Waiting["pause"],
): Promise<T> {
  for (let number = 1; ; number++) {
    const seen = await look();
    if (isInForce(seen) || number === looks.most) {
      return seen;
    }
    await pause(looks.pause, new AbortController().signal);
  }
}
