import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Outlook } from "../decisions/readiness.ts";
import { isOfRoute, liveOf } from "../manifest/memberObjects.ts";
import type { MemberPlan } from "../memberPlan.ts";
import { isOurs } from "./foreign.ts";

/**
 * What is true of a member whom a run leaves alone: a path that could open is not open before a run has opened it.
 * @param readiness what it would be by this run
 */
export function asItStands(
  { declared, settings }: Pick<MemberPlan, "declared" | "settings">,
  readiness: Outlook,
  snapshot: Pick<ClusterSnapshot, "managedObjects" | "services">,
): Outlook {
  if (readiness.state !== "ready") {
    return readiness;
  }
  const lacks = declared
    .filter((object) => object.kind === "Namespace" || isOfRoute(object))
    .map((object) => liveOf(object, snapshot))
    .some((live) => live === undefined || !isOurs(live, settings));
  return lacks ? { state: "pending", reason: "opens with the next run" } : readiness;
}
