import { createHash } from "node:crypto";
import { resourcePlace } from "../resourcePlace.ts";
import type { Tags } from "../s3/s3.ts";
import type { BucketSettings } from "./settings.ts";

/** Whose a bucket is: of which stack, for which resource of it. */
export interface Mark {
  /** What no other stack on the server calls itself. */
  readonly stack: string;
  readonly urn: string;
}

const prefix = "kubecamp.dev/";
const keys = {
  stack: `${prefix}stack`,
  resource: `${prefix}resource`,
  /** For people, and for a state that is rebuilt: what the digest is of can't be read out of it. */
  name: `${prefix}name`,
  member: `${prefix}member`,
  reclaimPolicy: `${prefix}reclaim-policy`,
  /** Stands on a bucket that was left behind, without the others, or with the policy by which it was to be deleted. */
  left: `${prefix}left-by`,
} as const;

/** The tags that say whose a bucket is. What a killed run has made is known by them, and what leaves is found by them. */
export function markTags({ stack, urn }: Mark, { member, reclaimPolicy }: BucketSettings): Tags {
  return {
    [keys.stack]: stack,
    [keys.resource]: digestOf(resourcePlace(urn)),
    [keys.name]: urn.split("::").at(-1) ?? "",
    [keys.member]: member,
    [keys.reclaimPolicy]: reclaimPolicy,
  };
}

/** A bucket's tags with the mark among them. */
export function marked(live: Tags, mark: Mark, settings: BucketSettings): Tags {
  return { ...foreignTags(live), ...markTags(mark, settings) };
}

/**
 * A bucket's tags once it is nobody's any more: they say who left it.
 * @param isToGo whether it was to be deleted, and could not be
 */
export function unmarked(live: Tags, mark: Mark, { member }: BucketSettings, isToGo = false): Tags {
  const toGo = isToGo ? { [keys.reclaimPolicy]: "Delete" } : {};
  return { ...foreignTags(live), [keys.left]: `${mark.stack} ${member}`, ...toGo };
}

/** Whose a bucket is: this resource's, another's of the same stack, nobody's, or another stack's; the others in words. */
export type MarkOwner =
  | "mine"
  | "nobody"
  | { readonly other: string; readonly sameStack: boolean; readonly sameMember: boolean };

export function ownerIn(live: Tags, mark: Mark, settings: BucketSettings): MarkOwner {
  const mine = markTags(mark, settings);
  const stack = live[keys.stack];
  if (stack === undefined) return "nobody";
  const sameStack = stack === mark.stack;
  if (sameStack && live[keys.resource] === mine[keys.resource]) return "mine";
  const sameMember = live[keys.member] === settings.member;
  return { other: `of ${live[keys.member] ?? "somebody"} in the stack ${stack}`, sameStack, sameMember };
}

/**
 * Whether a bucket may be taken over from another stack where that is asked for: a stack that was renamed, or whose cluster was
 * rebuilt, is another to the tags of its own buckets.
 */
export function isFormerly(whose: MarkOwner): whose is Exclude<MarkOwner, string> {
  return typeof whose === "object" && !whose.sameStack && whose.sameMember;
}

/** The way out there, for messages. */
export const formerly =
  "if that is this stack by a former name or cluster, set 'adopt: true' for one run to take it over";

/** Likewise, of a bucket that Pulumi's state has: no two resources of a stack have the same, but one may be called anew. */
export function stillOwnedIn(live: Tags, mark: Mark, settings: BucketSettings): MarkOwner {
  const whose = ownerIn(live, mark, settings);
  return typeof whose === "object" && whose.sameStack ? "mine" : whose;
}

/** What a bucket says of itself. */
export interface OwnBucket {
  readonly member: string;
  readonly reclaimPolicy: "Retain" | "Delete";
  /** Of the resource that it was last, beside a digest of where that stands. An earlier release has not written the name. */
  readonly resource: string;
  readonly name?: string;
}

/** What a stack's own bucket says of itself; undefined for what is not this stack's. */
export function ownBucket(live: Tags, stack: string): OwnBucket | undefined {
  if (live[keys.stack] !== stack) return undefined;
  const name = live[keys.name];
  return {
    member: live[keys.member] ?? "",
    reclaimPolicy: live[keys.reclaimPolicy] === "Delete" ? "Delete" : "Retain",
    resource: live[keys.resource] ?? "",
    ...(name === undefined ? {} : { name }),
  };
}

/** Whether a bucket that says this of itself was last the resource of a URN. */
export function isOfResource({ resource }: OwnBucket, urn: string): boolean {
  return resource === digestOf(resourcePlace(urn));
}

/** Tags don't take all letters. */
function digestOf(place: string): string {
  return createHash("sha256").update(place).digest("hex").slice(0, 32);
}

function foreignTags(live: Tags): Tags {
  return Object.fromEntries(Object.entries(live).filter(([key]) => !key.startsWith(prefix)));
}
