import { hash } from "node:crypto";
import { resourcePlace } from "../s3/credentials.ts";
import type { Tags } from "../s3/s3.ts";
import type { BucketSettings } from "./settings.ts";

/** Owner of a bucket in its tags: a stack and a resource of it. */
export interface Mark {
  /** Name that no other stack on the server has. */
  readonly stack: string;
  readonly urn: string;
}

const prefix = "kubecamp.dev/";
const keys = {
  stack: `${prefix}stack`,
  resource: `${prefix}resource`,
  /** For people, and for a lost state: the digest can't be reversed. */
  name: `${prefix}name`,
  member: `${prefix}member`,
  reclaimPolicy: `${prefix}reclaim-policy`,
  /** Set on a bucket that was left behind, alone or with the reclaim policy if it was to be deleted. */
  left: `${prefix}left-by`,
} as const;

/** The ownership tags. A run recognises by them a killed run's bucket, and one that is no longer declared. */
export function markTags({ stack, urn }: Mark, { member, reclaimPolicy }: BucketSettings): Tags {
  return {
    [keys.stack]: stack,
    // Tags don't allow all characters of a URN.
    [keys.resource]: hash("sha256", resourcePlace(urn)).slice(0, 32),
    [keys.name]: urn.split("::").at(-1) ?? "",
    [keys.member]: member,
    [keys.reclaimPolicy]: reclaimPolicy,
  };
}

export function withOwnership(live: Tags, mark: Mark, settings: BucketSettings): Tags {
  return { ...foreignTags(live), ...markTags(mark, settings) };
}

export type Fate = "stays" | "was to go";

/** A bucket's tags once it is released: they name the stack and member that left it. */
export function withoutOwnership(live: Tags, mark: Mark, { member }: BucketSettings, fate: Fate): Tags {
  const toGo = fate === "was to go" ? { [keys.reclaimPolicy]: "Delete" } : {};
  return { ...foreignTags(live), [keys.left]: `${mark.stack} ${member}`, ...toGo };
}

/** Owner by the tags: this resource, nobody, or another resource or stack, described in words. */
export type MarkOwner =
  | "mine"
  | "nobody"
  | { readonly other: string; readonly sameStack: boolean; readonly sameMember: boolean };

export function ownerIn(live: Tags, mark: Mark, settings: BucketSettings): MarkOwner {
  const mine = markTags(mark, settings);
  const stack = live[keys.stack];
  if (stack === undefined) {
    return "nobody";
  }
  const sameStack = stack === mark.stack;
  if (sameStack && live[keys.resource] === mine[keys.resource]) {
    return "mine";
  }
  const sameMember = live[keys.member] === settings.member;
  return { other: `of ${live[keys.member] ?? "somebody"} in the stack ${stack}`, sameStack, sameMember };
}

/** Whether `adopt` may take a bucket from another stack: after a rename, or with a rebuilt cluster, stacks differ. */
export function isFormerly(whose: MarkOwner): whose is Exclude<MarkOwner, string> {
  return typeof whose === "object" && !whose.sameStack && whose.sameMember;
}

export const formerly =
  "if that is this stack by a former name or cluster, set 'adopt: true' for one run to take it over";

/** For a bucket in Pulumi's state, another resource of this stack counts as this one, renamed: two can't share a bucket. */
export function stillOwnedIn(live: Tags, mark: Mark, settings: BucketSettings): MarkOwner {
  const whose = ownerIn(live, mark, settings);
  return typeof whose === "object" && whose.sameStack ? "mine" : whose;
}

export interface OwnBucket {
  readonly member: string;
  readonly reclaimPolicy: "Retain" | "Delete";
  /** The resource's logical name; empty if somebody has taken the tag off. */
  readonly name: string;
}

export function ownBucket(live: Tags, stack: string): OwnBucket | undefined {
  if (live[keys.stack] !== stack) {
    return undefined;
  }
  return {
    member: live[keys.member] ?? "",
    reclaimPolicy: live[keys.reclaimPolicy] === "Delete" ? "Delete" : "Retain",
    name: live[keys.name] ?? "",
  };
}

function foreignTags(live: Tags): Tags {
  return Object.fromEntries(Object.entries(live).filter(([key]) => !key.startsWith(prefix)));
}
