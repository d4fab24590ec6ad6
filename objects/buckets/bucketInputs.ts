import { withAccess } from "../../buckets/bucket/access.ts";
import { hasAccess, type Member } from "../../config/member/member.ts";
import { defaultAcl, type MemberBucket } from "../../config/storage/buckets.ts";
import { type Fields, list } from "../field.ts";
import { grantText, policyText } from "./accessText.ts";

/**
 * A bucket as declared to the server. While the member is suspended or expired, nobody has access.
 * @param madeKey access key that kubecamp makes for the member; undefined if the settings give theirs
 * @param partition partition of the server's ARNs
 */
export function bucketInputs(member: Member, bucket: MemberBucket, madeKey: string | undefined, partition = "aws") {
  const { bucketName, reclaimPolicy, acl = defaultAcl, grants, versioning, adopt } = bucket;
  const whatever = { bucketName, member: member.name, reclaimPolicy, versioning, adopt };
  if (!hasAccess(member)) {
    return { ...whatever, acl: "private" as const };
  }
  const principal = madeKey ?? member.bucketKeys?.principal;
  const policy = principal === undefined ? bucket.policy : withAccess(bucketName, principal, bucket.policy, partition);
  return {
    ...whatever,
    ...(grants === undefined ? { acl } : { grants: grants.map((grant) => ({ ...grant })) }),
    ...(policy === undefined ? {} : { policy }),
    ...(madeKey === undefined ? {} : { bucketOwner: madeKey }),
  };
}

export const bucketFields: Fields = {
  acl: { what: "ACL" },
  // The access key would mean nothing to readers.
  bucketOwner: { what: "owner on the server", text: (value) => value && "the member" },
  grants: list("grants", grantText),
  policy: { what: "lets in", text: policyText },
  reclaimPolicy: { what: "reclaimPolicy" },
  versioning: { what: "versioning", text: (value) => (value === "true" ? "on" : "off") },
};

/**
 * The member's user on the server, if kubecamp makes their keys; undefined if the settings give them. While the member is
 * suspended or expired, the user is inactive, and so has no access to others' buckets either.
 */
export function bucketUserInputs(member: Member) {
  const { name, buckets = [], bucketKeys, bucketKeyGeneration = 1 } = member;
  return buckets.length === 0 || bucketKeys !== undefined
    ? undefined
    : {
        member: name,
        generation: bucketKeyGeneration,
        ...(hasAccess(member) ? {} : { status: "Inactive" as const }),
      };
}

export const bucketUserFields: Fields = {
  generation: { what: "generation of the keys to buckets" },
  status: { what: "keys to buckets", text: (value) => (value === "Inactive" ? "closed" : "open") },
};
