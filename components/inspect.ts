import type { Waiting } from "../cluster/api/client.ts";
import { reportProgress } from "../cluster/read/progress.ts";
import { readCluster } from "../cluster/read/read.ts";
import { foundDomain } from "../cluster/read/server/clusterDomain.ts";
import { nothingRead } from "../cluster/read/snapshot/nothingRead.ts";
import type { ClusterSnapshot } from "../cluster/read/snapshot/snapshot.ts";
import { RunError } from "../config/model/runError.ts";
import type { Configuration } from "../config/model/settings/settings.ts";
import { type Target, targetAll } from "../config/model/target.ts";
import { isOffline } from "../config/sources/engine/offline.ts";
import type { KnownObjects, KnownState } from "../plan/decide/knownState.ts";
import { mutatesAsLast } from "../plan/decisions/unread/unread.ts";
import { refusalTexts, type UpCommand } from "../plan/messages/catalogue.ts";
import type { Refusal } from "../plan/messages/finding.ts";
import type { Plan } from "../plan/plan.ts";
import { planAt, type Run, refusals, runFor } from "../plan/run.ts";
import { ownState } from "./lastState.ts";

/** A preview or an up for everyone's sake, or an up of the watch: these go on without some lists that may not be read. */
export type RunKind = "preview" | "up" | "watch";

/** A run's work, and the reasons not to start it. */
export interface Inspected extends Run {
  /** Objects in Pulumi's state; undefined if it could not be read. */
  readonly known: KnownObjects | undefined;
  /** Reasons to stop before the run touches the cluster. */
  readonly refusals: readonly Refusal[];
}

/**
 * Decides a run for everyone that Pulumi has started, from the cluster and Pulumi's state.
 * @param now the run's moment, which decides who is asleep
 * @throws RunError when the cluster can't be read
 */
export async function inspectCluster(configuration: Configuration, now: Date = new Date()): Promise<Inspected> {
  // Only a program needs it. A command imports this file too, and would load Pulumi's SDK before it knows of a run.
  const { runtime } = await import("@pulumi/pulumi");
  const kind = runtime.isDryRun() ? "preview" : "up";
  const [read, state] = await Promise.all([
    readSnapshot(configuration, kind, { notify: reportProgress }, now),
    ownState(),
  ]);
  const plan = planFrom(configuration, read, state, now);
  return inspected(plan, targetAll(plan.list), state);
}

/**
 * Reads the cluster; an offline preview reads none.
 * @throws RunError when it can't be read
 */
export async function readSnapshot(
  { settings, members }: Configuration,
  kind: RunKind,
  waiting: Partial<Waiting>,
  now: Date,
): Promise<ClusterSnapshot> {
  const moment = now.toISOString();
  if (isOffline(process.env, kind === "preview")) {
    return { ...nothingRead(settings), now: moment };
  }
  const [read, domain] = await Promise.all([readCluster(members, settings, waiting, kind, now), foundDomain(settings)]);
  return { ...read, now: moment, domain };
}

/**
 * Plans a stack, with Pulumi's state for lists that could not be read from the cluster.
 * @param state undefined if it could not be read
 */
export function planFrom(
  configuration: Configuration,
  { unread, ...read }: ClusterSnapshot,
  state: Pick<KnownState, "names"> | undefined,
  now: Date,
): Plan {
  const missing = unread && { ...unread, last: state?.names };
  const snapshot = {
    ...read,
    mutates: mutatesAsLast(read, missing),
    ...(missing === undefined ? {} : { unread: missing }),
  };
  return planAt(configuration, snapshot, now, state?.names);
}

/**
 * A run of a plan, with the reasons not to start it; an offline preview has none.
 * @param state as for `planFrom`
 */
export function inspected(plan: Plan, target: Target, state: KnownState | undefined): Inspected {
  const run = runFor(plan, target, state?.names);
  const isOffline = plan.snapshot.unread?.offline === true;
  return { ...run, known: state?.objects, refusals: isOffline ? [] : refusals(run, state) };
}

/**
 * @param by the command that the text names
 * @throws RunError naming every refusal; nothing was changed by then
 */
export function refuse(
  { refusals: found, plan: { settings } }: Pick<Inspected, "refusals" | "plan">,
  by?: UpCommand,
): void {
  if (found.length > 0) {
    const lines = refusalTexts(found, by)
      .map((line) => `  ${line}`)
      .join("\n");
    throw new RunError(`Stack '${settings.stack}' can't be brought up on this cluster; nothing was changed.\n${lines}`);
  }
}
