import type { GuardKind, ObjectName } from "../../../cluster/read/snapshot.ts";
import type { Member, Settings } from "../../../config/model/settings.ts";
import { namespaceName } from "../../../naming/names.ts";

type OfStorage = Pick<Settings, "storage">;
type WithBuckets = Pick<Member, "name" | "buckets">;

/** Kinds that what comes with buckets can be of. */
export type BucketKind = Extract<GuardKind, "ConfigMap" | "Secret">;

/** Kinds of what stands in a member's namespace for each bucket; none where there is nothing that buckets could be on. */
export const bucketKinds = ({ storage }: OfStorage): readonly BucketKind[] =>
  storage?.kind === "s3" ? ["Secret", "ConfigMap"] : [];

/** What stands there for all buckets of a member: each is called as the settings call the bucket. */
export function bucketObjectNames(member: WithBuckets, settings: OfStorage): ObjectName[] {
  const namespace = namespaceName(member);
  const kinds = bucketKinds(settings);
  return (member.buckets ?? []).flatMap(({ name }) => kinds.map((kind) => ({ kind, name, namespace })));
}

/** What of it stays as it stands where it is left to somebody else. */
export const leftBucketFields: Readonly<Record<BucketKind, readonly string[]>> = {
  ConfigMap: ["metadata", "immutable", "data"],
  Secret: ["metadata", "immutable", "type", "data"],
};

/** Whether an object is one of those: members have others of these kinds. */
export const isOfBuckets = (object: ObjectName, member: WithBuckets, settings: OfStorage): boolean =>
  object.namespace === namespaceName(member) &&
  bucketKinds(settings).some((kind) => kind === object.kind) &&
  (member.buckets ?? []).some(({ name }) => name === object.name);
