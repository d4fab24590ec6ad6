import type { LeavingBucket } from "../../buckets/bucket/leaving.ts";
import type { Finding } from "../messages/finding.ts";
import type { Plan } from "../plan.ts";
import type { Target } from "../target.ts";

/** The plan for all members of the stack, and the target of a run. */
export interface BucketsRun {
  readonly plan: Pick<Plan, "list" | "members" | "removedMembers" | "settings">;
  readonly target: Target;
}

/** Undeclared buckets that this run covers: all shards of a family tag their buckets with the same stack. */
export function letGoOf(leaving: readonly LeavingBucket[], { plan, target }: BucketsRun) {
  const { settings } = plan;
  const listed = new Set(plan.list.map(({ name }) => name));
  const ours = new Set(plan.members.map(({ member }) => member.name));
  const gone = new Set(plan.removedMembers.map(({ name }) => name));
  const targeted = new Set([...target.members.map(({ name }) => name), ...target.removedMembers]);
  const isOurs = (name: string) =>
    listed.has(name) ? ours.has(name) : settings.shards === undefined || gone.has(name);
  return leaving.filter(({ member }) => (target.isWhole ? isOurs(member) : targeted.has(member)));
}

/** One finding for each bucket: whether it is deleted or kept. */
export function leavingFindings(leaving: readonly LeavingBucket[]): Finding<"buckets">[] {
  return leaving
    .toSorted((a, b) => (a.bucketName < b.bucketName ? -1 : 1))
    .map(({ member, bucketName, deletes }) => ({ code: "buckets", member, facts: { bucket: bucketName, deletes } }));
}
