import { runtime } from "@pulumi/pulumi";
import { foundDomain } from "../cluster/read/clusterDomain.ts";
import { nothingRead } from "../cluster/read/nothingRead.ts";
import { reportProgress } from "../cluster/read/progress.ts";
import { readCluster } from "../cluster/read/read.ts";
import type { ClusterSnapshot } from "../cluster/read/snapshot.ts";
import { RunError } from "../config/model/runError.ts";
import { isOffline } from "../config/sources/offline.ts";
import { upCommand } from "../config/sources/upCommand.ts";
import type { KnownObjects } from "../plan/decisions/unread/lastState.ts";
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
  warningsNeedState,
} from "../plan/run.ts";
import { LastState } from "./lastState.ts";

/** What a run is to do, and what may stand in its way. */
export interface Inspected extends Run {
  /** What Pulumi's state has of the cluster, as far as anything that there is to say depends on it; else nothing. */
  readonly known: KnownObjects;
  /** Everything that keeps the run from touching the cluster. */
  readonly refusals: readonly Refusal[];
}

/**
 * Reads the cluster, and Pulumi's state where that decides something, and plans the run. A preview goes on without what it
 * can't look at, and that is nothing at all where it is to do without a cluster.
 * @throws RunError when the cluster can't be read
 */
export async function inspectCluster(asked: RunRequest): Promise<Inspected> {
  const state = new LastState();
  const snapshot = await readSnapshot(asked, state);
  const run = planRun(asked, snapshot, planNeedsState(asked, snapshot) ? await state.names() : undefined);
  if (isOffline(process.env, runtime.isDryRun())) {
    return { ...run, known: new Map(), refusals: [] };
  }
  const last = refusalsNeedState(asked, run) ? { names: await state.names(), members: await state.members() } : {};
  const known = (warningsNeedState(run) ? await state.objects() : undefined) ?? new Map();
  return { ...run, known, refusals: refusals(asked, run, last) };
}

/** @throws RunError naming everything that stands in the way; nothing has been touched by then */
export function refuse({ refusals: found, plan: { settings } }: Pick<Inspected, "refusals" | "plan">): void {
  if (found.length > 0) {
    const lines = refusalTexts(found, upCommand())
      .map((line) => `  ${line}`)
      .join("\n");
    throw new RunError(
      `Stack '${settings.stack}' can't be brought up on this cluster; nothing has been touched.\n${lines}`,
    );
  }
}

/** With what Pulumi's state tells, if there is something that the cluster did not. */
async function readSnapshot(asked: RunRequest, state: LastState): Promise<ClusterSnapshot> {
  const { list, target, settings } = asked;
  const begin = (namespaces: ClusterSnapshot["namespaces"]) => {
    if (losable(asked, { namespaces }).length > 0) {
      state.begin();
    }
  };
  const [{ unread, ...read }, domain] = isOffline(process.env, runtime.isDryRun())
    ? [nothingRead(), undefined]
    : await Promise.all([
        readCluster(list, settings, { notify: reportProgress }, runtime.isDryRun() ? "preview" : "up", begin),
        target.isWhole ? foundDomain(settings) : undefined,
      ]);
  return {
    ...read,
    now: new Date().toISOString(),
    domain,
    ...(unread === undefined ? {} : { unread: { ...unread, last: await state.names() } }),
  };
}
