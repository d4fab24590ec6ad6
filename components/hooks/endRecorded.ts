import * as pulumi from "@pulumi/pulumi";
import { keyOf, liveOf, type ObjectName } from "../../cluster/read/snapshot/snapshot.ts";
import { patchEach } from "../../cluster/write/patchEach.ts";
import { unseenAnnotation } from "../../naming/labels.ts";
import { bucketDigest, digestOn } from "../../plan/decide/unseen.ts";
import { isRead } from "../../plan/manifest/manifest.ts";
import type { Run } from "../../plan/run.ts";
import type { MemberEnvironment } from "../memberEnvironment.ts";
import { stackDigest } from "../provider/providerArgs.ts";
import { warn } from "../warn.ts";

/**
 * Writes digests of what no object shows, once a run has come to its end: a member's on their namespace, and that of the whole
 * stack, in a run for everyone, on its first ClusterRole. Another digest, or none, makes the next run necessary. A preview
 * writes none.
 * @returns an output that the stack's own outputs must depend on, so that Pulumi waits
 */
export function endRecorded(
  { targeted, target }: Run,
  environments: ReadonlyMap<string, Pick<MemberEnvironment, "made">>,
  stopped: pulumi.Output<void>,
): pulumi.Output<void> {
  const { settings, snapshot, members, shared } = targeted;
  const record = (object: ObjectName, digest: string | undefined, made: pulumi.Output<unknown>[]) => {
    const live = liveOf(object, snapshot);
    if (pulumi.runtime.isDryRun() || (live === undefined ? undefined : digestOn(live)) === digest) {
      return [];
    }
    const write = async () => {
      const patch = { metadata: { annotations: { [unseenAnnotation]: digest ?? null } } };
      const what = `note on ${keyOf(object)} what this run has brought about`;
      const refused = await patchEach([{ ...object, what, patch }], settings);
      await warn(refused.map(({ why, ...one }) => ({ code: "notTakenOff", object: keyOf(one), facts: { why } })));
    };
    // One that has failed says so itself.
    return [pulumi.recover(pulumi.all(made).apply(write), () => undefined)];
  };
  const ofMembers = members.flatMap((plan) => {
    const home = plan.objects.filter(isRead).find(({ part }) => part === "namespace");
    const environment = environments.get(plan.member.name);
    return home && environment ? record(home, bucketDigest(plan), environment.made) : [];
  });
  const carrier = target.isWhole ? shared.find(isRead) : undefined;
  const all = [...environments.values()].flatMap(({ made }) => made);
  const ofStack = carrier ? record(carrier, stackDigest(settings, snapshot.id), all) : [];
  return pulumi.all([stopped, ...ofMembers, ...ofStack]).apply(() => undefined);
}
