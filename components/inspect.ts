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
import type { KnownObjects } from "../plan/decide/knownState.ts";
import { mutatesAsLast } from "../plan/decisions/unread/unread.ts";
import { refusalTexts, type UpCommand } from "../plan/messages/catalogue.ts";
import type { Refusal } from "../plan/messages/finding.ts";
import type { Plan } from "../plan/plan.ts";
import {
  planAt,
  planNeedsState,
  type Run,
  refusals,
  refusalsNeedState,
  runFor,
  warningsNeedState,
} from "../plan/run.ts";
import { type LastState, ownState } from "./lastState.ts";

/** A preview or an up for everyone's sake, or an up of the watch: these go on without some lists that may not be read. */
export type RunKind = "preview" | "up" | "watch";

/** A run's work, and the reasons not to start it. */
export interface Inspected extends Run {
  /** Objects in Pulumi's state; undefined if it was not read, as where no warning depends on it. */
  readonly known: KnownObjects | undefined;
  /** Reasons to stop before the run touches the cluster. */
  readonly refusals: readonly Refusal[];
}

/**
 * Decides a run for everyone that Pulumi has started: reads the cluster, and Pulumi's state where it decides something.
 * @param now the run's moment, which decides who is asleep
 * @throws RunError when the cluster can't be read
 */
export async function inspectCluster(configuration: Configuration, now: Date = new Date()): Promise<Inspected> {
  // Only a program needs it. A command imports this file too, and would load Pulumi's SDK before it knows of a run.
  const { runtime } = await import("@pulumi/pulumi");
  const state = ownState();
  const kind = runtime.isDryRun() ? "preview" : "up";
  const read = await readSnapshot(configuration, kind, { notify: reportProgress }, now);
  const plan = await planFrom(configuration, read, state, now);
  return await inspected(plan, targetAll(plan.list), state);
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

/** Plans a stack, with Pulumi's state for lists that could not be read from the cluster. */
export async function planFrom(
  configuration: Configuration,
  { unread, ...read }: ClusterSnapshot,
  state: LastState,
  now: Date,
): Promise<Plan> {
  const missing = unread && { ...unread, last: (await state())?.names };
  const snapshot = {
    ...read,
    mutates: mutatesAsLast(read, missing),
    ...(missing === undefined ? {} : { unread: missing }),
  };
  const needed = planNeedsState(configuration, snapshot) ? (await state())?.names : undefined;
  return planAt(configuration, snapshot, now, needed);
}

/** A run of a plan, with the reasons not to start it; an offline preview has none. */
export async function inspected(plan: Plan, target: Target, state: LastState): Promise<Inspected> {
  const { settings, list: members, snapshot } = plan;
  const needed = planNeedsState({ settings, members }, snapshot) ? (await state())?.names : undefined;
  const run = runFor(plan, target, needed);
  if (snapshot.unread?.offline === true) {
    return { ...run, known: undefined, refusals: [] };
  }
  const last = refusalsNeedState(run) ? await state() : undefined;
  const known = warningsNeedState(run) ? (await state())?.objects : undefined;
  return { ...run, known, refusals: refusals(run, last) };
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
