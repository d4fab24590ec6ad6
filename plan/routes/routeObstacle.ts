import type { ClusterSnapshot } from "../../cluster/read/snapshot/snapshot.ts";
import type { Settings } from "../../config/model/settings/settings.ts";
import { endingReason, isEnding } from "../membership/ending.ts";
import type { DecidedFirst } from "./drivers/driver.ts";
import { driverOf } from "./drivers/drivers.ts";
import { takenObstacle } from "./takenObstacle.ts";

/** Why a member's path can't open even with a fit Service; undefined if nothing is in the way. */
export function routeObstacle(
  decided: DecidedFirst,
  settings: Pick<Settings, "stack" | "shards" | "route">,
  snapshot: Pick<ClusterSnapshot, "managedObjects" | "taken" | "forgotten">,
): string | undefined {
  const { member } = decided;
  if (isEnding(member, snapshot)) {
    return endingReason(member, snapshot);
  }
  return takenObstacle(member, settings, snapshot) ?? driverOf(settings).obstacle?.(decided, settings, snapshot);
}
