import { bucketIn } from "../../../plan/messages/reading.ts";
import type { LostBucket, ShownDifference } from "../model.ts";
import type { NoticeLine } from "../print/notices.ts";
import { objectName, type Step } from "../steps.ts";
import { bucketAccess } from "./bucketFields.ts";
import { shownDifferences } from "./differences.ts";
import { maskedText } from "./values.ts";

/** `bucket/data` is the bucket itself; from a driver it is `bucket/data/claim`. */
const ofBucket = /^bucket\/([^/]+)(?:\/(secret|config|claim|access))?$/;
const userPart = "bucket-user";

/** Whether it is a bucket, whoever a member is on its server, or what comes with it. */
export const isBucketStep = ({ part }: Pick<Step, "part">) => part === userPart || ofBucket.test(part);

/** What a step is of a bucket; undefined for anything else. */
function roleOf({ part }: Step): "itself" | "secret" | "config" | "claim" | "access" | undefined {
  const [match, , beside] = ofBucket.exec(part) ?? [];
  return match === undefined
    ? undefined
    : ((beside as "secret" | "config" | "claim" | "access" | undefined) ?? "itself");
}

/** Whether it is a bucket, and not what comes with it. */
const isBucket = (step: Step) => ["itself", "claim"].includes(roleOf(step) ?? "");

/**
 * Whether an object is made anew whenever it changes, and nothing is lost by that: what says how a bucket is reached, which
 * nobody can change.
 */
export const isMadeAnew = (step: Step) => ["secret", "config"].includes(roleOf(step) ?? "");

/** What the server calls a bucket; one that a driver makes, as the settings do. */
export function nameOfBucket({ part, before, after }: Step): string {
  const inputs = Object.keys(after).length > 0 ? after : before;
  return maskedText(inputs.bucketName) ?? ofBucket.exec(part)?.[1] ?? part;
}

/** Such as `with buckets alice-data, alice-site`, of a joiner, and whom each lets in besides; none for who has none. */
export function bucketNotes(steps: readonly Step[]): string[] {
  const made = steps.filter((step) => isBucket(step) && step.change === "made");
  const names = made.map(nameOfBucket).sort();
  const all = names.length === 0 ? [] : [`with ${names.length === 1 ? "bucket" : "buckets"} ${names.join(", ")}`];
  const open = made.flatMap((step) => bucketAccess(step.after).map((one) => `bucket ${nameOfBucket(step)}: ${one}`));
  return [...all, ...open.sort()];
}

/** What changes of the buckets of a member who stays; of one that goes, `lostBuckets` tells. */
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
    // That there are keys, or none any more, follows from there being buckets; and one that goes is told of elsewhere.
    if (step.part === userPart || (isBucket(step) && change === "deleted")) {
      return [];
    }
    const what = isBucket(step) ? `bucket ${nameOfBucket(step)}` : objectName(step);
    const there = ["there", ...(isBucket(step) ? bucketAccess(step.after) : [])].join("; ");
    const [from, to] = { made: [undefined, there], deleted: ["there", undefined], replaced: ["there", "made anew"] }[
      change
    ];
    return [{ what, from, to }];
  });
}

const settingsName = ({ part }: Step) => ofBucket.exec(part)?.[1];

/**
 * Buckets that the run deletes or lets go of, whoever they are of.
 * @param said what the program saw of each on the server: `'alice-data' is deleted with 3 objects (Delete)`
 * @param isUnfinished whether the preview failed, and so never came to deletions: then it is what was said that tells
 */
export function lostBuckets(steps: readonly Step[], said: readonly NoticeLine[], isUnfinished: boolean): LostBucket[] {
  const reported = said.flatMap((one) => {
    const found = bucketIn(one);
    return found === undefined ? [] : [{ ...found, member: one.name }];
  });
  const seen = steps
    .filter((step) => isBucket(step) && step.change === "deleted" && !step.isKept)
    .map((step): LostBucket => {
      const { member = "?" } = step;
      const bucket = nameOfBucket(step);
      const fate = fateOf(step);
      return { bucket, member, fate, what: reported.find((one) => one.bucket === bucket)?.what ?? whats[fate] };
    });
  const unseen = reported.filter(({ bucket }) => !seen.some((one) => one.bucket === bucket));
  const rest = unseen.map(({ isDeleted, ...one }): LostBucket => ({ ...one, fate: isDeleted ? "deleted" : "kept" }));
  const all = [...seen, ...(isUnfinished ? rest : [])];
  return all.sort((a, b) => order(a) - order(b) || (a.bucket < b.bucket ? -1 : 1));
}

const whats: Readonly<Record<LostBucket["fate"], string>> = {
  deleted: "is deleted with all that is in it, which nobody has counted (Delete)",
  kept: "stays on the server with all that is in it, closed to everybody (Retain)",
  driver: "goes back to its driver, which deletes it or keeps it as its BucketClass says (deletionPolicy)",
};

function fateOf({ kind, before }: Step): LostBucket["fate"] {
  return kind === "BucketClaim" ? "driver" : before.reclaimPolicy === "Delete" ? "deleted" : "kept";
}

/** What is lost comes first. */
const order = ({ fate }: LostBucket) => ["deleted", "driver", "kept"].indexOf(fate);
