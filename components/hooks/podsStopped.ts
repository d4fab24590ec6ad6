import * as pulumi from "@pulumi/pulumi";
import { reportProgress } from "../../cluster/api/progress.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import { stopPods } from "../../cluster/write/pods.ts";
import { settleSleepers } from "../../cluster/write/wakeUp.ts";
import type { Member } from "../../config/member/member.ts";
import type { Settings } from "../../config/settings.ts";
import { leftRunning, unsettledSleepers } from "../../plan/findings/closing.ts";
import { sleepersIn, stillOpenMembers } from "../../plan/members/restless.ts";
import type { MemberEnvironment } from "../memberEnvironment.ts";
import { warn } from "../warn.ts";

/**
 * Stops suspended members' pods once their quotas are at zero; a preview stops none. It goes by pods on the cluster,
 * not by hooks: a run that was killed after it set a quota leaves no change for a hook.
 * @returns an output that the stack's own outputs must depend on, so that Pulumi waits, and fails if this does
 */
export function podsStopped(
  members: readonly Member[],
  environments: ReadonlyMap<string, Pick<MemberEnvironment, "quota">>,
  settings: Settings,
  snapshot: ClusterSnapshot,
): pulumi.Output<void> {
  if (pulumi.runtime.isDryRun()) {
    return pulumi.output(undefined);
  }
  const restless = stillOpenMembers(members, snapshot);
  // The URN is known when the plugin is done with the quota, even in a run that targets other members. The ID would
  // then be unknown, and the stack's outputs with it. stopPods reads the live quota.
  const quotas = restless.map(({ member }) => environments.get(member)?.quota?.urn);
  return pulumi.all(quotas).apply(async () => {
    const stillRunning = await stopPods(restless, settings, { notify: reportProgress });
    await warn(leftRunning(stillRunning));
  });
}

interface Settled {
  readonly members: readonly Member[];
  readonly environments: ReadonlyMap<string, Pick<MemberEnvironment, "home" | "quota">>;
  readonly settings: Settings;
  readonly snapshot: Pick<ClusterSnapshot, "managedObjects" | "now">;
}

/** By a mark on the namespace, so that a killed run's rest is the next one's. The stack's outputs must depend on it. */
export function sleepersSettled(
  { members, environments, settings, snapshot }: Settled,
  stopped: pulumi.Output<void>,
): pulumi.Output<void> {
  const sleepers = sleepersIn(members, snapshot);
  if (pulumi.runtime.isDryRun() || sleepers.length === 0) {
    return stopped;
  }
  // Their URNs are known when the plugin is done with them (`podsStopped`).
  const made = sleepers.flatMap(({ member }) => {
    const { home, quota } = environments.get(member) ?? {};
    return [home?.urn, quota?.urn];
  });
  return pulumi.all([stopped, pulumi.all(made)]).apply(async () => {
    const failed = await settleSleepers(sleepers, settings, new Date(snapshot.now ?? Date.now()), {
      notify: reportProgress,
    });
    await warn(unsettledSleepers(failed, sleepers));
  });
}
