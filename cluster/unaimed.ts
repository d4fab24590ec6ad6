import type { Member, Settings } from "../config/settings.ts";
import { isOfBuckets } from "./buckets/names.ts";
import { isOurs } from "./foreign.ts";
import { liveOf, objectsOf } from "./memberObjects.ts";
import { ofRoutes } from "./missing.ts";
import type { Outlook } from "./readiness.ts";
import type { ClusterSnapshot } from "./snapshot.ts";
import { isOfStarter } from "./starter/names.ts";

/**
 * What is true of a member whom a run leaves alone: a path that could open is not open before a run has opened it.
 * @param readiness what it would be by this run
 */
export function asItStands(
  member: Member,
  readiness: Outlook,
  settings: Settings,
  snapshot: Pick<ClusterSnapshot, "guards" | "services" | "unread">,
): Outlook {
  if (readiness.state !== "ready") {
    return readiness;
  }
  const lacks = objectsOf(member, settings, snapshot)
    .filter((object) => object.kind === "Namespace" || ofRoutes.includes(object.kind))
    .filter((object) => !isOfStarter(object) && !isOfBuckets(object, member, settings))
    .map((object) => liveOf(object, snapshot))
    .some((live) => live === undefined || !isOurs(live, settings));
  return lacks ? { state: "pending", reason: "opens with the next run" } : readiness;
}
