import { samePolicy } from "../../config/rules/buckets/bucketPolicy.ts";
import { principalsIn } from "../../config/rules/buckets/policyWithout.ts";
import type { Tags } from "../s3/s3.ts";
import { isMadeKey } from "../users/credentials.ts";
import type { Creator } from "./create.ts";
import { isTaken, type LiveBucket, liveBucket, tagsOf, taken } from "./live.ts";
import { isFormerly, type MarkOwner, stillOwnedIn } from "./mark.ts";
import { belongsTo, type ServerClients } from "./owner.ts";
import { type BucketSettings, bucketOf } from "./settings.ts";

/** State of a bucket that is in Pulumi's state; `why` says in words why it is not ours. */
export type Hold =
  | { readonly is: "gone" }
  /** Deleted, and made again by somebody else, out of the administrator's reach. */
  | { readonly is: "taken"; readonly why: string }
  /** Deleted, and made again by somebody else on the server. */
  | { readonly is: "another's"; readonly owner: string; readonly why: string }
  /** Its tags name another stack, truly or because somebody wrote them. */
  | { readonly is: "claimed"; readonly live: LiveBucket; readonly by: Exclude<MarkOwner, string>; readonly why: string }
  | Ours;

interface Ours {
  readonly is: "ours";
  readonly live: LiveBucket;
  /** Undefined if the server has no tags for buckets. */
  readonly tags: Tags | undefined;
  /** Whether its tags say so. Whoever may write tags can remove them. */
  readonly isMarked: boolean;
  /** Whether the server confirms the owner, or reports none. */
  readonly isKnown: boolean;
  /** A warning. */
  readonly note?: string;
}

/**
 * Inspects a bucket without changing it.
 * @param settings as declared; an owner found by a refresh is no proof that the bucket is ours
 */
export async function holdOf(asked: ServerClients, settings: BucketSettings, holder: Creator): Promise<Hold> {
  try {
    return await found(asked, settings, holder);
  } catch (error) {
    if (await isTaken(asked.s3, settings.bucketName, error)) return { is: "taken", why: taken };
    throw error;
  }
}

async function found(asked: ServerClients, settings: BucketSettings, holder: Creator): Promise<Hold> {
  const { bucketName, bucketOwner, adopt } = settings;
  const { mark, administrator } = holder;
  const who = bucketOf(settings);
  const live = await liveBucket(asked.s3, bucketName);
  if (live === undefined) return { is: "gone" };
  const { owner = "" } = live;
  const belongs = await belongsTo(live.owner, asked, { administrator, declared: bucketOwner });
  const isAnothers = belongs === "another's";
  const theirs = `it belongs to '${owner}' on the server`;
  if (isAnothers && !adopt) return { is: "another's", owner, why: theirs };
  const isKnown = belongs !== "unknown";
  const tags = await tagsOf(asked.s3, bucketName);
  const whose = tags === undefined ? "mine" : stillOwnedIn(tags, mark, settings);
  const ours = { is: "ours", live, tags, isKnown } as const;
  const takenOver = (why: string) => `${who} is taken over: ${why} (adopt)`;
  if (typeof whose === "object") {
    const why = `its tags say that it is ${whose.other}`;
    return adopt && isFormerly(whose)
      ? { ...ours, isMarked: true, note: takenOver(why) }
      : { is: "claimed", live, by: whose, why };
  }
  const isMarked = whose === "mine";
  if (isAnothers) return { ...ours, isMarked, note: takenOver(theirs) };
  const note = `${who}: it does not have this stack's tags; they are restored`;
  return { ...ours, isMarked, ...(isMarked || adopt ? {} : { note }) };
}

/**
 * Whether a bucket with another stack's tags was taken over by it: then it gives others access than this stack declared. If
 * not, its member may have written the tags. In doubt, the answer is no, so that access ends.
 * @param last the settings declared last
 */
export function isTakenOver(last: BucketSettings, { owner, policy }: LiveBucket): boolean {
  const isUsers = owner !== undefined && isMadeKey(owner);
  if (last.bucketOwner !== undefined) return isUsers && owner !== last.bucketOwner;
  if (last.policy === undefined || policy === undefined) return isUsers;
  const before = principalsIn(last.policy);
  return !samePolicy(policy, last.policy) && ![...principalsIn(policy)].some((each) => before.has(each));
}

/** Message about a bucket that was taken over. */
export const othersLetIn = "it gives access to others than this stack has declared";
