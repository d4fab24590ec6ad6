import { RunError } from "@pulumi/pulumi";
import type { Aim } from "../config/aim.ts";
import type { Member, Settings } from "../config/settings.ts";
import { refusedRemovals } from "./offboarding/removals.ts";
import { obstacles } from "./ownership.ts";
import { tellProgress } from "./progress.ts";
import { readCluster } from "./read.ts";
import type { ClusterSnapshot } from "./snapshot.ts";

/**
 * Reads the cluster and makes sure that the run may touch it. What stands in the way of somebody else than it is aimed at
 * doesn't stop it; and nobody is removed by a run that is not whole.
 * @param list all members
 * @throws RunError naming everything that stands in the way, or why the cluster can't be read
 */
export async function inspectCluster(list: readonly Member[], aim: Aim, settings: Settings): Promise<ClusterSnapshot> {
  const snapshot = await readCluster(list, settings, { tell: tellProgress });
  const found = [
    ...obstacles(aim.members, settings, snapshot),
    ...(aim.isWhole ? refusedRemovals(list, settings, snapshot) : []),
  ];
  if (found.length > 0) {
    const lines = found.map((line) => `  ${line}`).join("\n");
    throw new RunError(
      `Stack '${settings.stack}' can't be brought up on this cluster; nothing has been touched.\n${lines}`,
    );
  }
  return snapshot;
}
