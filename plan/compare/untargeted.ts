import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Member, Settings } from "../../config/model/settings.ts";
import { isOfRoute } from "../../naming/logicalNames.ts";
import type { Outlook } from "../decisions/readiness.ts";
import { classifiedOf } from "../manifest/memberObjects.ts";
import { isOurs } from "./foreign.ts";

/**
 * What is true of a member whom a run leaves alone: a path that could open is not open before a run has opened it.
 * @param readiness what it would be by this run
 */
export function asItStands(
  member: Member,
  readiness: Outlook,
  settings: Settings,
  snapshot: Pick<ClusterSnapshot, "managedObjects" | "services" | "unread">,
): Outlook {
  if (readiness.state !== "ready") {
    return readiness;
  }
  const lacks = classifiedOf(member, settings, snapshot)
    .filter(({ object }) => object.kind === "Namespace" || isOfRoute(object))
    .some(({ live }) => live === undefined || !isOurs(live, settings));
  return lacks ? { state: "pending", reason: "opens with the next run" } : readiness;
}
