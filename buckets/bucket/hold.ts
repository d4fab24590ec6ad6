import type { Tags } from "../s3/s3.ts";
import { type Asked, belongsTo } from "./belongs.ts";
import type { Creator } from "./create.ts";
import { type LiveBucket, liveBucket, tagsOf } from "./live.ts";
import { isFormerly, stillOwnedIn, type Whose } from "./mark.ts";
import { type BucketState, bucketOf } from "./settings.ts";

/** What has become of a bucket that Pulumi's state has. */
export type Hold = Gone | Ours | Claimed | Strangers;

interface Gone {
  readonly is: "gone";
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
  /** What there is to say of it. */
  readonly note?: string;
}

/** Its tags say that it is another stack's: which may be so, or whoever may write them says it. */
interface Claimed extends There {
  readonly is: "claimed";
  readonly by: Exclude<Whose, string>;
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
export async function holdOf(asked: Asked, settings: BucketState, holder: Creator): Promise<Hold> {
  const { bucketName, bucketOwner, adopt, unmarked = false } = settings;
  const { mark, administrator } = holder;
  const who = bucketOf(settings);
  const live = await liveBucket(asked.s3, bucketName);
  if (live === undefined) return { is: "gone" };
  const { owner = "" } = live;
  const belongs = await belongsTo(live.owner, asked, { administrator, declared: bucketOwner });
  const isAnothers = belongs === "another's";
  if (isAnothers && !adopt) return { is: "another's", owner };
  const tags = await tagsOf(asked.s3, bucketName);
  const whose = tags === undefined ? "mine" : stillOwnedIn(tags, mark, settings);
  const there = { live, tags };
  if (typeof whose === "object") {
    return adopt && isFormerly(whose)
      ? {
          is: "ours",
          ...there,
          isMarked: true,
          note: `${who} is taken over: its tags said that it is ${whose.other} (adopt)`,
        }
      : { is: "claimed", ...there, by: whose };
  }
  const isMarked = whose === "mine";
  if (isAnothers) {
    return {
      is: "ours",
      ...there,
      isMarked,
      note: `${who} is taken over: it belonged to '${owner}' on the server (adopt)`,
    };
  }
  const note = `${who}: somebody has taken away the tags that say that it is this stack's; they are put back`;
  return { is: "ours", ...there, isMarked, ...(isMarked || unmarked || adopt ? {} : { note }) };
}
