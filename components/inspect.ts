import { runtime } from "@pulumi/pulumi";
import { reportProgress } from "../cluster/read/progress.ts";
import { readCluster } from "../cluster/read/read.ts";
import { foundDomain } from "../cluster/read/server/clusterDomain.ts";
import { nothingRead } from "../cluster/read/snapshot/nothingRead.ts";
import type { ClusterSnapshot } from "../cluster/read/snapshot/snapshot.ts";
import { RunError } from "../config/model/runError.ts";
import { isOffline } from "../config/sources/engine/offline.ts";
import { upCommand } from "../config/sources/engine/upCommand.ts";
import type { KnownObjects } from "../plan/decisions/unread/lastState.ts";
import { mutatesAsLast } from "../plan/decisions/unread/unread.ts";
import { refusalTexts } from "../plan/messages/catalogue.ts";
import type { Refusal } from "../plan/messages/finding.ts";
import {
  losable,
  planNeedsState,
  planRun,
  type Run,
  type RunRequest,
  refusals,
  refusalsNeedState,
  requestAt,
  warningsNeedState,
} from "../plan/run.ts";
import { LastState } from "./lastState.ts";

/** A run's work, and the reasons not to start it. */
export interface Inspected extends Run {
  /** Objects in Pulumi's state; undefined if it was not read, as where no warning depends on it. */
  readonly known: KnownObjects | undefined;
  /** Reasons to stop before the run touches the cluster. */
  readonly refusals: readonly Refusal[];
}

/**
 * Reads the cluster, and Pulumi's state where it decides something, and plans the run. A preview goes on without lists
 * that it can't read; an offline preview reads no cluster at all.
 * @param now the run's moment, which decides who is asleep
 * @throws RunError when the cluster can't be read
 */
export async function inspectCluster(given: RunRequest, now: Date = new Date()): Promise<Inspected> {
  const state = new LastState();
  const snapshot = await readSnapshot(given, state, now);
  const asked = requestAt(given, snapshot, now);
  const run = planRun(asked, snapshot, planNeedsState(asked, snapshot) ? await state.names() : undefined);
  if (isOffline(process.env, runtime.isDryRun())) {
    return { ...run, known: undefined, refusals: [] };
  }
  const last = refusalsNeedState(asked, run) ? { names: await state.names(), members: await state.members() } : {};
  const known = warningsNeedState(run) ? await state.objects() : undefined;
  return { ...run, known, refusals: refusals(asked, run, last) };
}

/** @throws RunError naming every refusal; nothing was changed by then */
export function refuse({ refusals: found, plan: { settings } }: Pick<Inspected, "refusals" | "plan">): void {
  if (found.length > 0) {
    const lines = refusalTexts(found, upCommand())
      .map((line) => `  ${line}`)
      .join("\n");
    throw new RunError(`Stack '${settings.stack}' can't be brought up on this cluster; nothing was changed.\n${lines}`);
  }
}

/** Adds Pulumi's state for lists that could not be read from the cluster. */
async function readSnapshot(asked: RunRequest, state: LastState, now: Date): Promise<ClusterSnapshot> {
  const { list, target, settings } = asked;
  const begin = (namespaces: ClusterSnapshot["namespaces"]) => {
    if (losable(asked, { namespaces }).length > 0) {
      state.begin();
    }
  };
  const [{ unread, ...read }, domain] = isOffline(process.env, runtime.isDryRun())
    ? [nothingRead(settings), undefined]
    : await Promise.all([
        readCluster(
          list,
          settings,
          { notify: reportProgress },
          runtime.isDryRun() ? "preview" : target.waits ? "up" : "watch",
          begin,
          now,
        ),
        target.isWhole ? foundDomain(settings) : undefined,
      ]);
  const missing = unread && { ...unread, last: await state.names() };
  return {
    ...read,
    now: now.toISOString(),
    domain,
    mutates: mutatesAsLast(read, missing),
    ...(missing === undefined ? {} : { unread: missing }),
  };
}
