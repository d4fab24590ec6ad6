import type { V1ResourceQuota } from "@kubernetes/client-node";

/** Whether a quota lets no new pod begin, is about to, or does not: admission goes by its status, which follows its spec. */
export type QuotaState = "closed" | "closing" | "open";

export function quotaStateOf({ spec, status }: Pick<V1ResourceQuota, "spec" | "status"> = {}): QuotaState {
  if (spec?.hard?.pods !== "0") {
    return "open";
  }
  return status?.hard?.pods === "0" ? "closed" : "closing";
}
