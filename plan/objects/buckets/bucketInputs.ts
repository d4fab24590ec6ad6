import { withAccess } from "../../../buckets/bucket/access.ts";
import { defaultAcl } from "../../../config/model/defaults.ts";
import type { Member, MemberBucket } from "../../../config/model/settings.ts";

/**
 * A bucket as it is declared to the server. Who is suspended or expired is not let in, nor is anybody else.
 * @param madeKey the access key that kubecamp makes for the member; undefined where theirs were given
 * @param partition of the server's ARNs
 */
export function bucketInputs(member: Member, bucket: MemberBucket, madeKey: string | undefined, partition = "aws") {
  const { bucketName, reclaimPolicy, acl = defaultAcl, grants, versioning, adopt } = bucket;
  const whatever = { bucketName, member: member.name, reclaimPolicy, versioning, adopt };
  if (member.standing !== "active") {
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

/**
 * Whoever a member is on the server, where kubecamp makes their keys; undefined where those were given. Those of who is suspended
 * or expired open nothing, nor what others let them into.
 */
export function bucketUserInputs({ name, buckets = [], bucketKeys, bucketKeyGeneration = 1, standing }: Member) {
  return buckets.length === 0 || bucketKeys !== undefined
    ? undefined
    : {
        member: name,
        generation: bucketKeyGeneration,
        ...(standing === "active" ? {} : { status: "Inactive" as const }),
      };
}
