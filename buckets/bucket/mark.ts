import { createHash } from "node:crypto";
import type { Tags } from "../s3/s3.ts";
import type { BucketSettings } from "./settings.ts";

/** Whose a bucket is: of which stack, for which resource of it. */
export interface Mark {
  /** What no other stack on the server calls itself. */
  readonly stack: string;
  /** The resource's URN, which may have letters that tags don't take. */
  readonly urn: string;
}

const prefix = "kubecamp.dev/";
const keys = {
  stack: `${prefix}stack`,
  resource: `${prefix}resource`,
  member: `${prefix}member`,
  reclaimPolicy: `${prefix}reclaim-policy`,
  /** Stands alone on a bucket that was left behind. */
  left: `${prefix}left-by`,
} as const;

/** The tags that say whose a bucket is. What a killed run has made is known by them, and what leaves is found by them. */
export function markTags({ stack, urn }: Mark, { member, reclaimPolicy }: BucketSettings): Tags {
  return {
    [keys.stack]: stack,
    [keys.resource]: createHash("sha256").update(urn).digest("hex").slice(0, 32),
    [keys.member]: member,
    [keys.reclaimPolicy]: reclaimPolicy,
  };
}

/** A bucket's tags with the mark among them. */
export function marked(live: Tags, mark: Mark, settings: BucketSettings): Tags {
  return { ...foreignTags(live), ...markTags(mark, settings) };
}

/** A bucket's tags once it is nobody's any more: they say who left it. */
export function unmarked(live: Tags, mark: Mark, { member }: BucketSettings): Tags {
  return { ...foreignTags(live), [keys.left]: `${mark.stack} ${member}` };
}

/** Whose a bucket is by its tags: this resource's, nobody's, or somebody else's, in words. */
export function ownerIn(live: Tags, mark: Mark, settings: BucketSettings): "mine" | "nobody" | { other: string } {
  const mine = markTags(mark, settings);
  const stack = live[keys.stack];
  if (stack === undefined) return "nobody";
  if (stack === mark.stack && live[keys.resource] === mine[keys.resource]) return "mine";
  const member = live[keys.member];
  return { other: `of ${member ?? "somebody"} in the stack ${stack}` };
}

/** What a stack's own bucket says of itself; undefined for what is not this stack's. */
export function ownBucket(
  live: Tags,
  stack: string,
): { readonly member: string; readonly reclaimPolicy: "Retain" | "Delete" } | undefined {
  if (live[keys.stack] !== stack) return undefined;
  return {
    member: live[keys.member] ?? "",
    reclaimPolicy: live[keys.reclaimPolicy] === "Delete" ? "Delete" : "Retain",
  };
}

function foreignTags(live: Tags): Tags {
  return Object.fromEntries(Object.entries(live).filter(([key]) => !key.startsWith(prefix)));
}
