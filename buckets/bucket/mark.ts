import { createHash } from "node:crypto";
import type { Tags } from "../s3/s3.ts";
import type { BucketSettings } from "./settings.ts";

/** Whose a bucket is: of which stack, for which resource of it. */
export interface Mark {
  /** Stack's name in words that no other stack has. */
  readonly owner: string;
  /** The resource's URN, which may have letters that tags don't take. */
  readonly urn: string;
}

const prefix = "kubecamp.dev/";
const keys = {
  owner: `${prefix}owner`,
  resource: `${prefix}resource`,
  member: `${prefix}member`,
  reclaimPolicy: `${prefix}reclaim-policy`,
  /** Stands alone on a bucket that was left behind. */
  left: `${prefix}left-by`,
} as const;

/** The tags that say whose a bucket is. What a killed run has made is known by them, and what leaves is found by them. */
export function markTags({ owner, urn }: Mark, { member, reclaimPolicy }: BucketSettings): Tags {
  return {
    [keys.owner]: owner,
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
  return { ...foreignTags(live), [keys.left]: `${mark.owner} ${member}` };
}

/** Whose a bucket is by its tags: this resource's, nobody's, or somebody else's, in words. */
export function ownerIn(live: Tags, mark: Mark, settings: BucketSettings): "mine" | "nobody" | { other: string } {
  const mine = markTags(mark, settings);
  const owner = live[keys.owner];
  if (owner === undefined) return "nobody";
  if (owner === mark.owner && live[keys.resource] === mine[keys.resource]) return "mine";
  const member = live[keys.member];
  return { other: `of ${member ?? "somebody"} in the stack ${owner}` };
}

/** What a stack's own bucket says of itself; undefined for what is not this stack's. */
export function ownBucket(
  live: Tags,
  owner: string,
): { readonly member: string; readonly reclaimPolicy: "Retain" | "Delete" } | undefined {
  if (live[keys.owner] !== owner) return undefined;
  return {
    member: live[keys.member] ?? "",
    reclaimPolicy: live[keys.reclaimPolicy] === "Delete" ? "Delete" : "Retain",
  };
}

function foreignTags(live: Tags): Tags {
  return Object.fromEntries(Object.entries(live).filter(([key]) => !key.startsWith(prefix)));
}
