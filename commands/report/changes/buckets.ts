import { furtherAccess } from "../../../objects/buckets/accessText.ts";
import type { Inputs } from "../../../objects/field.ts";
import { type ShownDifference, shownDifferences } from "../../../objects/shown/differences.ts";
import { maskedText, masking } from "../../../objects/shown/values.ts";
import { bucketFate } from "../../../plan/words/contents.ts";
import type { Finding } from "../../../plan/words/finding.ts";
import type { LostBucket } from "../model.ts";
import { objectName, type Step } from "../steps.ts";

/** `bucket/data` is the bucket itself; a driver's is `bucket/data/claim`. */
const ofBucket = /^bucket\/([^/]+)(?:\/(secret|config|claim|access))?$/;
const userPart = "bucket-user";

export const isBucketStep = ({ part }: Pick<Step, "part">) => part === userPart || ofBucket.test(part);

/** Role of a step's object for a bucket; undefined for others. */
function roleOf({ part }: Step): string | undefined {
  const [match, , beside = "itself"] = ofBucket.exec(part) ?? [];
  return match && beside;
}

const isBucket = (step: Step) => ["itself", "claim"].includes(roleOf(step) ?? "");

/** Whether a change replaces the object without a loss: the immutable objects with a bucket's address. */
export const isMadeAnew = (step: Step) => ["secret", "config"].includes(roleOf(step) ?? "");

/** A bucket's name on the server; for a driver's bucket, the name in the settings. */
export function nameOfBucket({ part, before, after }: Step): string {
  const inputs = Object.keys(after).length > 0 ? after : before;
  return maskedText(inputs.bucketName) ?? ofBucket.exec(part)?.[1] ?? part;
}

/** Access to a new or changed bucket beyond its member's. */
export const accessOf = ({ after }: Step) => furtherAccess(masking(after) as Inputs);

/** Notes for a new member, such as `with buckets alice-data, alice-site`, and each bucket's further access. */
export function bucketNotes(steps: readonly Step[]): string[] {
  const made = steps.filter((step) => isBucket(step) && step.change === "made");
  const names = made.map(nameOfBucket).sort();
  const all = names.length === 0 ? [] : [`with ${names.length === 1 ? "bucket" : "buckets"} ${names.join(", ")}`];
  const open = made.flatMap((step) => accessOf(step).map((one) => `bucket ${nameOfBucket(step)}: ${one}`));
  return [...all, ...open.sort()];
}

/** Changes of a staying member's buckets; `lostBuckets` has those that go. */
export function bucketDifferences(steps: readonly Step[]): ShownDifference[] {
  const own = steps.filter(isBucketStep);
  const whole = new Set(own.filter((step) => isBucket(step) && step.change !== "changed").map(settingsName));
  const isAlone = (step: Step) => isBucket(step) || !whole.has(settingsName(step));
  return own.filter(isAlone).flatMap((step): ShownDifference[] => {
    const { change } = step;
    if (change === "changed") {
      const isUser = step.part === userPart;
      return shownDifferences(step).map((one) => (isUser ? one : { ...one, what: `${objectName(step)}: ${one.what}` }));
    }
    // Keys come and go with the first and last bucket, and `lostBuckets` reports buckets that go.
    if (step.part === userPart || (isBucket(step) && change === "deleted")) {
      return [];
    }
    const what = isBucket(step) ? `bucket ${nameOfBucket(step)}` : objectName(step);
    const there = ["there", ...(isBucket(step) ? accessOf(step) : [])].join("; ");
    const [from, to] = { made: [undefined, there], deleted: ["there", undefined], replaced: ["there", "made anew"] }[
      change
    ];
    return [{ what, from, to }];
  });
}

const settingsName = ({ part }: Step) => ofBucket.exec(part)?.[1];

/** Buckets that the run deletes or drops, of any member. @param findings with the contents that each loses */
export function lostBuckets(
  steps: readonly Step[],
  findings: readonly Finding<"buckets">[],
  { isUnfinished }: { /** Whether the preview failed, and so has no deletions. */ readonly isUnfinished: boolean },
): LostBucket[] {
  const reported = findings.map(
    ({ member = "?", facts }): LostBucket => ({
      bucket: facts.bucket,
      member,
      fate: facts.deletes === undefined ? "kept" : "deleted",
      what: bucketFate(facts),
    }),
  );
  const seen = steps
    .filter((step) => isBucket(step) && step.change === "deleted" && !step.isKept)
    .map((step): LostBucket => {
      const { member = "?" } = step;
      const bucket = nameOfBucket(step);
      const fate = fateOf(step);
      return { bucket, member, fate, what: reported.find((one) => one.bucket === bucket)?.what ?? whats[fate] };
    });
  const rest = reported.filter(({ bucket }) => !seen.some((one) => one.bucket === bucket));
  const all = [...seen, ...(isUnfinished ? rest : [])];
  return all.sort((a, b) => order(a) - order(b) || (a.bucket < b.bucket ? -1 : 1));
}

const whats: Readonly<Record<LostBucket["fate"], string>> = {
  deleted: "is deleted with all that is in it, not counted (Delete)",
  kept: bucketFate({ deletes: undefined }),
  driver: "is the driver's to keep or delete, by its BucketClass's deletionPolicy",
};

function fateOf({ kind, before }: Step): LostBucket["fate"] {
  if (kind === "BucketClaim") {
    return "driver";
  }
  return before.reclaimPolicy === "Delete" ? "deleted" : "kept";
}

const order = ({ fate }: LostBucket) => ["deleted", "driver", "kept"].indexOf(fate);
