import * as pulumi from "@pulumi/pulumi";
import { reportProgress } from "../../cluster/read/progress.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import { stopPods } from "../../cluster/write/pods.ts";
import type { Member, Settings } from "../../config/model/settings.ts";
import { leftRunning } from "../../plan/findings/closing.ts";
import { stillOpenMembers } from "../../plan/membership/restless.ts";
import type { MemberEnvironment } from "../memberEnvironment.ts";
import { warn } from "../warn.ts";

/**
 * Has the pods of suspended members stopped as soon as all their quotas are at zero; in a preview, nobody's. It goes by
 * what runs on the cluster, not by what this run changes, as a resource's hooks would: a run that was killed after it
 * had set a quota leaves nothing to change there, and pods that go on for ever.
 * @returns an output that the stack's own must depend on, so that Pulumi waits, and fails when this does
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
  // Known when the plugin is done with the quota, and also where a run that targets others does not make it: the ID
  // is not, and the stack's outputs would be lost with it. What it holds by then, the API server is asked itself.
  const quotas = restless.map(({ member }) => environments.get(member)?.quota?.urn);
  return pulumi.all(quotas).apply(async () => {
    const left = await stopPods(restless, settings, { notify: reportProgress });
    await warn(leftRunning(left));
  });
}
