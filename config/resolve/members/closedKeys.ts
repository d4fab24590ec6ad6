import { hasAccess, type Member } from "../../model/members/member.ts";
import type { MemberBucket } from "../../model/settings/storage.ts";
import { policyWithout } from "../../rules/buckets/policyWithout.ts";

/**
 * Members, without access for those who are suspended or expired: removes their given keys from the policies and grants
 * of all buckets. Keys that kubecamp makes need no removal: they open nothing meanwhile.
 */
export function withoutClosedKeys(members: readonly Member[]): readonly Member[] {
  const closed: ReadonlySet<string> = new Set(
    members
      .filter((member) => !hasAccess(member))
      .flatMap(({ bucketKeys }) => [bucketKeys?.accessKeyId, bucketKeys?.principal])
      .flatMap((key) => (key ? [key] : [])),
  );
  return closed.size === 0
    ? members
    : members.map((member) =>
        member.buckets === undefined
          ? member
          : { ...member, buckets: member.buckets.map((bucket) => bucketWithout(bucket, closed)) },
      );
}

function bucketWithout({ policy, grants, ...bucket }: MemberBucket, closed: ReadonlySet<string>): MemberBucket {
  const left = policy === undefined ? undefined : policyWithout(policy, closed);
  return {
    ...bucket,
    ...(grants === undefined ? {} : { grants: grants.filter(({ grantee }) => !closed.has(grantee)) }),
    ...(left === undefined ? {} : { policy: left }),
  };
}
