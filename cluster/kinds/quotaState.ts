import type { V1ResourceQuota } from "@kubernetes/client-node";

/** Whether a quota allows no new pod, is about to, or allows some: admission follows its status, which lags behind. */
export type QuotaState = "closed" | "closing" | "open";

export function quotaStateOf({ spec, status }: Pick<V1ResourceQuota, "spec" | "status"> = {}): QuotaState {
  if (spec?.hard?.pods !== "0") {
    return "open";
  }
  return status?.hard?.pods === "0" ? "closed" : "closing";
}
