import { RunError } from "@pulumi/pulumi";
import type { Member, Settings } from "../config/settings.ts";
import { refusedRemovals } from "./offboarding/removals.ts";
import { obstacles } from "./ownership.ts";
import { tellProgress } from "./progress.ts";
import { readCluster } from "./read.ts";
import type { ClusterSnapshot } from "./snapshot.ts";

/**
 * Reads the cluster and makes sure that the run may touch it.
 * @throws RunError naming everything that stands in the way, or why the cluster can't be read
 */
export async function inspectCluster(members: readonly Member[], settings: Settings): Promise<ClusterSnapshot> {
  const snapshot = await readCluster(members, settings, { tell: tellProgress });
  const found = [...obstacles(members, settings, snapshot), ...refusedRemovals(members, settings, snapshot)];
  if (found.length > 0) {
    const lines = found.map((line) => `  ${line}`).join("\n");
    throw new RunError(
      `Stack '${settings.stack}' can't be brought up on this cluster; nothing has been touched.\n${lines}`,
    );
  }
  return snapshot;
}
