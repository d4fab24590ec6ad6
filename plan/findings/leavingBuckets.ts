import type { LeavingBucket } from "../../buckets/bucket/leaving.ts";
import type { BucketsProvider } from "../../buckets/resources/bucketsProvider.ts";
import { leavingBuckets } from "../../buckets/resources/leavingBuckets.ts";
import { counted } from "../../cluster/kinds/nameList.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Member, Settings } from "../../config/model/settings.ts";
import type { Target } from "../../config/model/target.ts";
import { warningTitles } from "../../naming/warnings.ts";
import { removedMembers } from "../membership/offboarding/removedMembers.ts";

/** What a run is about. */
interface Run {
  /** All members, also of a stack that has a part of them. */
  readonly list: readonly Member[];
  /** Those of them whom this stack has. */
  readonly own: readonly Member[];
  readonly target: Target;
  readonly settings: Settings;
  readonly snapshot: ClusterSnapshot;
}

/**
 * One warning for all buckets that the run lets go of, with what is lost in each: Pulumi, which deletes at the end of a run,
 * asks nobody about that in a preview. None where no server is set, or nothing goes.
 */
export async function leavingBucketsWarning(
  storage: { readonly provider: BucketsProvider } | undefined,
  run: Run,
): Promise<string | undefined> {
  if (storage === undefined) {
    return undefined;
  }
  const declared = run.list.flatMap(({ buckets = [] }) => buckets.map(({ bucketName }) => bucketName));
  return leavingText(letGoOf(await leavingBuckets(storage.provider, declared), run));
}

/** Of buckets that nobody in the list has, those that this run is about: other shards have called theirs the same. */
export function letGoOf(leaving: readonly LeavingBucket[], { list, own, target, settings, snapshot }: Run) {
  const listed = new Set(list.map(({ name }) => name));
  const ours = new Set(own.map(({ name }) => name));
  const gone = new Set(removedMembers(list, settings, snapshot).map(({ name }) => name));
  const targeted = new Set([...target.members.map(({ name }) => name), ...target.removedMembers]);
  const isOurs = (name: string) =>
    listed.has(name) ? ours.has(name) : settings.shards === undefined || gone.has(name);
  return leaving.filter(({ member }) => (target.isWhole ? isOurs(member) : targeted.has(member)));
}

/** A line for each. */
export function leavingText(leaving: readonly LeavingBucket[]): string | undefined {
  const lines = leaving
    .toSorted((a, b) => (a.bucketName < b.bucketName ? -1 : 1))
    .map(({ member, bucketName, deletes }) => {
      const count = deletes && `${deletes.more ? "more than " : ""}${objectsIn(deletes.objects)}`;
      return count === undefined
        ? `  ${member}: '${bucketName}' stays on the server with all that is in it, closed to everybody (Retain)`
        : `  ${member}: '${bucketName}' is deleted with ${count} (Delete)`;
    });
  return lines.length === 0 ? undefined : [warningTitles.buckets, ...lines].join("\n");
}

/** Such as `10,000 objects`. */
function objectsIn(count: number): string {
  return counted(count, "object").replace(String(count), count.toLocaleString("en"));
}
