import type { Member, MemberBucket } from "../model/settings.ts";
import { policyWithout } from "../rules/buckets/policyWithout.ts";

/**
 * Members whose buckets let in nobody who is suspended or has expired by now, although their policies or grants name the key that
 * was given for that member. Keys that kubecamp makes open nothing meanwhile, whatever names them.
 */
export function withoutClosedKeys(members: readonly Member[]): readonly Member[] {
  const closed: ReadonlySet<string> = new Set(
    members
      .filter(({ standing }) => standing !== "active")
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
