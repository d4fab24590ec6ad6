import * as pulumi from "@pulumi/pulumi";
import { reportProgress } from "../../cluster/read/progress.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot/snapshot.ts";
import { settleSleepers } from "../../cluster/write/wakeUp.ts";
import type { Member } from "../../config/model/members/member.ts";
import type { Settings } from "../../config/model/settings/settings.ts";
import { unsettledSleepers } from "../../plan/findings/sleep.ts";
import { sleepersIn } from "../../plan/membership/restless.ts";
import type { MemberEnvironment } from "../memberEnvironment.ts";
import { warn } from "../warn.ts";

/**
 * Does what falling asleep and waking need beside the declared objects, once quotas are as declared and pods stopped; a
 * preview does none of it. It goes by a mark on the namespace, so that a killed run's rest is the next run's.
 * @param stopped resolves when the pods are stopped
 * @returns an output that the stack's own outputs must depend on, so that Pulumi waits
 */
export function sleepersSettled(
  members: readonly Member[],
  environments: ReadonlyMap<string, Pick<MemberEnvironment, "home" | "quota">>,
  stopped: pulumi.Output<void>,
  settings: Settings,
  snapshot: Pick<ClusterSnapshot, "managedObjects" | "now">,
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
