import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Member, Settings } from "../../config/model/settings.ts";
import { endingReason, isEnding } from "../membership/ending.ts";
import { driverOf } from "./drivers/drivers.ts";
import { takenObstacle } from "./takenObstacle.ts";

/** Why a member's path can't open, however fit their Service is; undefined where nothing stands in its way. */
export function routeObstacle(
  member: Member,
  settings: Pick<Settings, "stack" | "shards" | "route" | "starter" | "storage">,
  snapshot: Pick<ClusterSnapshot, "managedObjects" | "services" | "unread" | "taken" | "forgotten">,
): string | undefined {
  if (isEnding(member, snapshot)) {
    return endingReason(member, snapshot);
  }
  return takenObstacle(member, settings, snapshot) ?? driverOf(settings).obstacle?.(member, settings, snapshot);
}
