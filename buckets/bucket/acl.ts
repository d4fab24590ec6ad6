import { allUsers, type CannedAcl, defaultAcl } from "../../config/storage/buckets.ts";
import { compare } from "../../config/values/sentences.ts";
import type { Grant, LiveAcl } from "../s3/s3.ts";
import type { BucketSettings } from "./settings.ts";

export type DeclaredAcl = Pick<BucketSettings, "acl" | "grants">;

const anybodySignedIn = "http://acs.amazonaws.com/groups/global/AuthenticatedUsers";

/** Grants of each canned ACL besides the owner's full control. */
const canned: Readonly<Record<CannedAcl, readonly Grant[]>> = {
  private: [],
  "public-read": [{ grantee: allUsers, permission: "READ" }],
  "public-read-write": [
    { grantee: allUsers, permission: "READ" },
    { grantee: allUsers, permission: "WRITE" },
  ],
  "authenticated-read": [{ grantee: anybodySignedIn, permission: "READ" }],
};

/**
 * The declaration of a live ACL: a canned one if it has exactly those grants.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html#canned-acl
 */
export function declaredAcl({ owner, grants }: LiveAcl): DeclaredAcl {
  const others = grants.filter(({ grantee, permission }) => !(grantee === owner && permission === "FULL_CONTROL"));
  const found = (Object.keys(canned) as CannedAcl[]).find((name) => sameGrants(canned[name], others));
  return found === undefined ? { grants: sortedGrants(others) } : { acl: found };
}

/** The ACL with these grants. It includes the owner's full control, which would be lost otherwise. */
export function aclWith(owner: string, grants: readonly Grant[]): LiveAcl {
  const own: Grant = { grantee: owner, permission: "FULL_CONTROL" };
  return { owner, grants: [own, ...sortedGrants(grants)] };
}

export const sameAcl = (one: DeclaredAcl, other: DeclaredAcl): boolean => sameGrants(grantsOf(one), grantsOf(other));

/** Whether a bucket without an ACL is as declared. */
export const isPrivate = (declared: DeclaredAcl): boolean => grantsOf(declared).length === 0;

const grantsOf = ({ acl, grants }: DeclaredAcl): readonly Grant[] => grants ?? canned[acl ?? defaultAcl];

function sameGrants(one: readonly Grant[], other: readonly Grant[]): boolean {
  return JSON.stringify(sortedGrants(one)) === JSON.stringify(sortedGrants(other));
}

/** Grants without duplicates and in a fixed order, since the server's may differ. */
function sortedGrants(grants: readonly Grant[]): Grant[] {
  const byText = new Map(grants.map((grant) => [`${grant.grantee} ${grant.permission}`, grant] as const));
  return [...byText].sort(([a], [b]) => compare(a, b)).map(([, { grantee, permission }]) => ({ grantee, permission }));
}
