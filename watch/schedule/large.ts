import { toMake } from "../../plan/findings/checkpoints.ts";
import { type Planned, planFor } from "../../plan/plan.ts";
import { isWorthALook } from "../../runs/checkpoints.ts";
import type { LiveSnapshot } from "../live/liveCluster.ts";
import type { Job } from "./jobs.ts";

/** Whether a targeted up's checkpoints cost more than comparing cluster and state first. A full up always compares. */
export function isLarge({ target }: Pick<Job, "target">, plan: Planned<LiveSnapshot> | undefined): boolean {
  if (target === undefined || plan === undefined) {
    return false;
  }
  const names = new Set(target);
  // Each has something to make or to change, and only the former is known.
  const makes = Math.max(target.length, toMake(planFor(plan, ({ name }) => names.has(name))));
  return isWorthALook({ makes, knows: plan.snapshot.managedObjects.size });
}
