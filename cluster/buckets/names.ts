import type { Member, Settings } from "../../config/settings.ts";
import { namespaceName } from "../../naming/names.ts";
import type { GuardKind, ObjectName } from "../snapshot.ts";

/** Kinds of what says in a member's namespace how a bucket is reached; nothing where there is no server. */
export const bucketKinds = ({ storage }: Pick<Settings, "storage">): readonly GuardKind[] =>
  storage?.kind === "s3" ? ["Secret", "ConfigMap"] : [];

/** What stands there for all buckets of a member, each called as the settings call the bucket. */
export function bucketObjectNames(member: Pick<Member, "name" | "buckets">, settings: Pick<Settings, "storage">) {
  const namespace = namespaceName(member);
  return (member.buckets ?? []).flatMap(({ name }) =>
    bucketKinds(settings).map((kind): ObjectName => ({ kind, name, namespace })),
  );
}

/** Whether an object is one of those. */
export const isOfBuckets = (
  { kind, name, namespace }: ObjectName,
  member: Pick<Member, "name" | "buckets">,
  settings: Pick<Settings, "storage">,
): boolean =>
  namespace === namespaceName(member) &&
  bucketKinds(settings).some((each) => each === kind) &&
  (member.buckets ?? []).some((bucket) => bucket.name === name);
