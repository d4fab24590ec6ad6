import { samePolicy } from "../../config/rules/buckets/bucketPolicy.ts";
import { principalsIn } from "../../config/rules/buckets/policyWithout.ts";
import type { S3, Tags } from "../s3/s3.ts";
import { isMadeKey } from "../users/credentials.ts";
import { belongsTo, type ServerClients } from "./belongs.ts";
import type { Creator } from "./create.ts";
import { isTaken, type LiveBucket, liveBucket, tagsOf, taken } from "./live.ts";
import { isFormerly, type MarkOwner, stillOwnedIn } from "./mark.ts";
import { type BucketSettings, type BucketState, bucketOf } from "./settings.ts";

/** What has become of a bucket that Pulumi's state has. */
export type Hold = Gone | Taken | Ours | Claimed | Strangers;

interface Gone {
  readonly is: "gone";
}

/** Somebody has deleted it, and has made another of that name where the administrator may not look. */
interface Taken {
  readonly is: "taken";
}

interface There {
  readonly live: LiveBucket;
  /** Undefined where the server has no tags for buckets. */
  readonly tags: Tags | undefined;
}

interface Ours extends There {
  readonly is: "ours";
  /** Whether its tags say so. Who may write them can take them away. */
  readonly isMarked: boolean;
  /** Whether the server says so, too, or knows no owners. */
  readonly isKnown: boolean;
  /** What there is to say of it. */
  readonly note?: string;
}

/** Its tags say that it is another stack's: which may be so, or whoever may write them says it. */
interface Claimed extends There {
  readonly is: "claimed";
  readonly by: Exclude<MarkOwner, string>;
}

/** It is somebody else's on the server: somebody has made another of that name. */
interface Strangers {
  readonly is: "another's";
  readonly owner: string;
}

/**
 * Looks at a bucket, and changes nothing.
 * @param settings as declared; what a refresh has found to own it, is no reason to take it for ours
 */
export async function holdOf(asked: ServerClients, settings: BucketState, holder: Creator): Promise<Hold> {
  try {
    return await found(asked, settings, holder);
  } catch (error) {
    if (await isTaken(asked.s3, settings.bucketName, error)) return { is: "taken" };
    throw error;
  }
}

async function found(asked: ServerClients, settings: BucketState, holder: Creator): Promise<Hold> {
  const { bucketName, bucketOwner, adopt, unmarked = false } = settings;
  const { mark, administrator } = holder;
  const who = bucketOf(settings);
  const live = await liveBucket(asked.s3, bucketName);
  if (live === undefined) return { is: "gone" };
  const { owner = "" } = live;
  const belongs = await belongsTo(live.owner, asked, { administrator, declared: bucketOwner });
  const isAnothers = belongs === "another's";
  if (isAnothers && !adopt) return { is: "another's", owner };
  const isKnown = belongs !== "unknown";
  const tags = await tagsOf(asked.s3, bucketName);
  const whose = tags === undefined ? "mine" : stillOwnedIn(tags, mark, settings);
  const ours = { is: "ours", live, tags, isKnown } as const;
  const takenOver = (why: string) => `${who} is taken over: ${why} (adopt)`;
  if (typeof whose === "object") {
    return adopt && isFormerly(whose)
      ? { ...ours, isMarked: true, note: takenOver(`its tags said that it is ${whose.other}`) }
      : { is: "claimed", live, tags, by: whose };
  }
  const isMarked = whose === "mine";
  if (isAnothers) {
    return { ...ours, isMarked, note: takenOver(`it belonged to '${owner}' on the server`) };
  }
  const note = `${who}: somebody has taken away the tags that say that it is this stack's; they are put back`;
  return { ...ours, isMarked, ...(isMarked || unmarked || adopt ? {} : { note }) };
}

/**
 * Whether a bucket whose tags name another stack lets in whom that one has declared. Then it was taken over. If not, its member may
 * have written these tags. Where nobody can tell, the answer is no, so that access ends.
 * @param last what this stack has declared last
 */
export function isTakenOver(last: BucketSettings, { owner, policy }: LiveBucket): boolean {
  const isUsers = owner !== undefined && isMadeKey(owner);
  if (last.bucketOwner !== undefined) return isUsers && owner !== last.bucketOwner;
  if (last.policy === undefined || policy === undefined) return isUsers;
  const before = principalsIn(last.policy);
  return !samePolicy(policy, last.policy) && ![...principalsIn(policy)].some((each) => before.has(each));
}

/** What there is to say of such a one. */
export const othersLetIn = "it lets in others than this stack has declared";

/**
 * A bucket as a refresh may note it. What somebody else has declared there would be taken for this stack's afterwards.
 * @returns why not, where its name or its tags are somebody else's by now; undefined if it is gone
 */
export async function ownLive(
  s3: S3,
  settings: BucketSettings,
  { mark }: Creator,
): Promise<LiveBucket | { readonly why: string } | undefined> {
  const { bucketName, adopt } = settings;
  try {
    const live = await liveBucket(s3, bucketName);
    if (live === undefined) return undefined;
    const whose = stillOwnedIn((await tagsOf(s3, bucketName)) ?? {}, mark, settings);
    const isClaimed = typeof whose === "object" && !(adopt && isFormerly(whose));
    return isClaimed ? { why: `its tags say that it is ${whose.other}` } : live;
  } catch (error) {
    if (await isTaken(s3, bucketName, error)) return { why: taken };
    throw error;
  }
}
