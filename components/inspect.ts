import { foundDomain } from "../cluster/api/clusterDomain.ts";
import { reportProgress } from "../cluster/api/progress.ts";
import type { Waiting } from "../cluster/api/requests.ts";
import { readCluster } from "../cluster/read/read.ts";
import type { ClusterSnapshot } from "../cluster/read/snapshot.ts";
import { nothingRead } from "../cluster/read/snapshot.ts";
import type { Configuration } from "../config/settings.ts";
import { isOffline } from "../config/sources/offline.ts";
import { RunError } from "../config/values/runError.ts";
import { planFrom, type Run, runFor } from "../plan/decide/run.ts";
import { targetAll } from "../plan/decisions/target.ts";
import { refusalTexts, type UpCommand } from "../plan/words/catalogue.ts";
import { ownState } from "./lastState.ts";

/** A preview or an up for everyone's sake, or an up of the watch: these go on without some lists that may not be read. */
export type RunKind = "preview" | "up" | "watch";

/** A run for everyone that Pulumi has started. @throws RunError when the cluster can't be read */
export async function inspectCluster(configuration: Configuration, now: Date = new Date()): Promise<Run> {
  // Only a program needs it. A command imports this file too, and would load Pulumi's SDK before it knows of a run.
  const { runtime } = await import("@pulumi/pulumi");
  const kind = runtime.isDryRun() ? "preview" : "up";
  const [read, state] = await Promise.all([
    readSnapshot(configuration, kind, { notify: reportProgress }, now),
    ownState(),
  ]);
  const plan = planFrom(configuration, read, state, now);
  return runFor(plan, targetAll(plan.list), state);
}

/** An offline preview reads none. @throws RunError when it can't be read */
export async function readSnapshot(
  { settings, members }: Configuration,
  kind: RunKind,
  waiting: Partial<Waiting>,
  now: Date,
): Promise<ClusterSnapshot> {
  const moment = now.toISOString();
  if (isOffline(process.env, { isPreview: kind === "preview" })) {
    return { ...nothingRead(settings), now: moment };
  }
  const [read, domain] = await Promise.all([
    readCluster(members, settings, waiting, { run: kind, now }),
    foundDomain(settings),
  ]);
  return { ...read, now: moment, domain };
}

/** @throws RunError naming every refusal, and the command `by`; nothing was changed by then */
export function refuse({ refusals: found, plan: { settings } }: Pick<Run, "refusals" | "plan">, by?: UpCommand): void {
  if (found.length > 0) {
    const lines = refusalTexts(found, by)
      .map((line) => `  ${line}`)
      .join("\n");
    throw new RunError(`Stack '${settings.stack}' can't be brought up on this cluster; nothing was changed.\n${lines}`);
  }
}
