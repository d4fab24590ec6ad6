import { isOfRoutes } from "../../cluster/kinds/stackKinds.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Member, Settings } from "../../config/model/settings.ts";
import { isOfBuckets } from "../decisions/buckets/names.ts";
import type { Outlook } from "../decisions/readiness.ts";
import { isOfStarter } from "../decisions/starter/names.ts";
import { liveOf, objectsOf } from "../manifest/memberObjects.ts";
import { isOurs } from "./foreign.ts";

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
    .filter((object) => object.kind === "Namespace" || isOfRoutes(object))
    .filter((object) => !isOfStarter(object) && !isOfBuckets(object, member, settings))
    .map((object) => liveOf(object, snapshot))
    .some((live) => live === undefined || !isOurs(live, settings));
  return lacks ? { state: "pending", reason: "opens with the next run" } : readiness;
}
