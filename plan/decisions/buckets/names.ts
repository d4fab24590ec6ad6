import { type BucketKind, bucketKinds } from "../../../cluster/kinds/bucketKinds.ts";
import type { ObjectName } from "../../../cluster/read/snapshot.ts";
import type { Member, Settings } from "../../../config/model/settings.ts";
import { namespaceName } from "../../../naming/names.ts";

/** What of it stays as it stands where it is left to somebody else. */
export const leftBucketFields: Readonly<Record<BucketKind, readonly string[]>> = {
  ConfigMap: ["metadata", "immutable", "data"],
  Secret: ["metadata", "immutable", "type", "data"],
};

/** Whether an object is one of those: members have others of these kinds. */
export const isOfBuckets = (
  object: ObjectName,
  member: Pick<Member, "name" | "buckets">,
  settings: Pick<Settings, "storage">,
): boolean =>
  object.namespace === namespaceName(member) &&
  bucketKinds(settings).some((kind) => kind === object.kind) &&
  (member.buckets ?? []).some(({ name }) => name === object.name);
