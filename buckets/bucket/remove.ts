import type { S3 } from "../s3/awsS3.ts";
import { hasCode, isPassing, isRefusal, orElse, S3Failure } from "../s3/failures.ts";
import type { ObjectVersion, Tags } from "../s3/s3.ts";
import { emptyBucket } from "./empty.ts";
import { closeTo, type Hold, isTakenOver, othersLetIn } from "./hold.ts";
import { isGone } from "./live.ts";
import { type Fate, isFormerly, type Mark, ownBucket, withoutOwnership } from "./mark.ts";
import { type BucketSettings, bucketOf, nextOwner, type Owners, type ServerClients } from "./settings.ts";

/** Attempts to empty a bucket while something writes to it or the server fails. */
const rounds = 3;

/** Minutes for a bucket that something writes to, so that other removals don't wait longer. */
const patience = 20;

/** Minutes for emptying, less than the operation has: a bucket that takes longer is a warning and fails no run. */
const longest = 40;

/** Minutes that clocks may differ: S3 refuses requests whose time is further off. */
const skew = 15;

const putBack = "put its entry back with 'adopt: true' for one run, then remove it";

/** Remedy if a bucket's tags have another name of the stack. */
const backFirst = `if that is this stack by a former name or cluster, ${putBack}`;

const finish = `delete it yourself, or ${putBack}`;

const notSeen =
  "its owner can't be checked, since the S3 server does not tell its access key who it is; give the key the right " +
  "to list its buckets (s3:ListAllMyBuckets) first";

interface Removal {
  readonly settings: BucketSettings;
  readonly mark: Mark;
  readonly hold: Hold;
  readonly owners: Owners;
  readonly progress: (text: string) => void;
}

/** Releases a bucket by its reclaim policy, access first. Obstacles that its member made are only a warning. */
export async function removeBucket(asked: ServerClients, removal: Removal) {
  const { s3 } = asked;
  const { settings, hold } = removal;
  const who = bucketOf(settings);
  if (hold.is === "gone") {
    return { text: `${who} is gone already`, isAsDeclared: true };
  }
  // A bucket adopted on purpose is closed whoever owns it.
  if (hold.is === "taken" || (hold.is === "another's" && !settings.adopt)) {
    return otherwise(`${who} is left alone, as open as it is: ${hold.why}; if it is yours, ${finish}`);
  }
  if (hold.is === "claimed" && isTakenOver(settings, hold.live)) {
    return otherwise(`${who} is left as it is: ${othersLetIn}, and ${whyNotOurs(hold)}`);
  }
  const { bucketOwner: before, ...unowned } = settings;
  const live = hold.is === "another's" ? hold.owner : hold.live.owner;
  await closeTo(asked, settings.bucketName, nextOwner(unowned, { before, live }, removal.owners));
  const closed = `${who} stays on the server with all that is in it, closed to all but the server's administrators`;
  if (hold.is !== "ours" || !hold.isMarked) {
    return otherwise(`${closed}; ${whyNotOurs(hold)}`);
  }
  const { reclaimPolicy } = settings;
  // Previews read the tags, which may differ from the state after a killed or failed update.
  const { reclaimPolicy: tagged = reclaimPolicy } = ownBucket(hold.tags ?? {}, removal.mark.stack) ?? {};
  if (reclaimPolicy === "Retain" || tagged === "Retain") {
    const differs = tagged === reclaimPolicy ? "" : `; ${disagreeing(tagged)}`;
    const note = await leave(s3, removal, hold.tags, "stays");
    return { text: `${closed} (reclaimPolicy Retain)${differs}${note}`, isAsDeclared: differs + note === "" };
  }
  const { objects, why } = hold.isKnown ? await emptyAndDelete(s3, removal) : { objects: 0, why: notSeen };
  const count = objects === 0 ? "no objects" : `${objects} object${objects === 1 ? "" : "s"}`;
  if (why === undefined) {
    return { text: `${who} is deleted with ${count} in it`, isAsDeclared: true };
  }
  const note = await leave(s3, removal, hold.tags, "was to go");
  const kept = `${who} is not deleted, and stays on the server, closed to all but the server's administrators`;
  return otherwise(`${kept}, with ${count} deleted in it: ${why}; ${finish}${note}`);
}

const otherwise = (text: string) => ({ text, isAsDeclared: false });

function whyNotOurs(hold: Exclude<Hold, { is: "gone" | "taken" }>): string {
  const why = hold.is === "ours" ? "its tags name no owner" : hold.why;
  const isFormer = hold.is === "claimed" && isFormerly(hold.by);
  return `${why}; ${isFormer ? backFirst : "delete it yourself if it is not needed"}`;
}

function disagreeing(tagged: string): string {
  return (
    `its tags say ${tagged} and Pulumi's state does not, as after an up that failed half-way or with a lost state, so nothing ` +
    `in it is deleted; if it should be deleted, ${finish}`
  );
}

/** Removes the ownership tags: a later member of the same name must not get the bucket. */
async function leave(s3: S3, { settings, mark }: Removal, tags: Tags | undefined, fate: Fate): Promise<string> {
  if (tags === undefined) {
    return "";
  }
  const wanted = withoutOwnership(tags, mark, settings, fate);
  const refused = await orElse(s3.putBucketTagging(settings.bucketName, wanted), isRefusal, "refused");
  return refused === "refused" ? "; it still has this stack's tags, since the server refuses to change them" : "";
}

async function emptyAndDelete(s3: S3, { settings, progress }: Removal) {
  const { bucketName } = settings;
  const start = Date.now();
  let late: number | undefined;
  const isLate = (listed: readonly ObjectVersion[]) => {
    const minutes = (Date.now() - start) / 60_000;
    // Newer objects were written after the bucket was closed.
    const isWritten = listed.some(({ lastModified }) => Number(lastModified) > start + skew * 60_000);
    if (minutes > longest) {
      late = longest;
    }
    if (minutes > patience && isWritten) {
      late = patience;
    }
    return late !== undefined;
  };
  let objects = 0;
  for (let round = 1; ; round++) {
    const before = objects;
    try {
      const reported = (count: number) => {
        objects = before + count;
        progress(`${bucketOf(settings)}: ${objects} objects deleted`);
      };
      const emptied = await emptyBucket(s3, bucketName, { progress: reported, isLate });
      const deleted = s3.deleteBucket(bucketName).then(() => true);
      if (await orElse(deleted, isStillFull, false)) {
        return { objects, why: undefined };
      }
      const after = late === undefined ? "" : ` after ${late} minutes`;
      if (emptied.why !== undefined) {
        return { objects, why: `${emptied.why}${after}` };
      }
      if (round === rounds) {
        return { objects, why: "somebody with rights of their own on the server keeps writing to it" };
      }
    } catch (error) {
      if (isGone(error)) {
        return { objects, why: undefined };
      }
      if (!(error instanceof S3Failure && isRefusal(error))) {
        throw error;
      }
      // A member may have stored something that makes the server fail each time.
      if (isPassing(error) && round < rounds) {
        continue;
      }
      const said = error.message || error.code;
      return { objects, why: `the server answers ${error.status} to ${error.operation} (${said})` };
    }
  }
}

const isStillFull = (error: unknown) => hasCode(error, "BucketNotEmpty", "VersionedBucketNotEmpty");
