import type { BucketKind } from "../../../cluster/kinds/bucketKinds.ts";

/** What of it stays as it stands where it is left to somebody else. */
export const leftBucketFields: Readonly<Record<BucketKind, readonly string[]>> = {
  ConfigMap: ["metadata", "immutable", "data"],
  Secret: ["metadata", "immutable", "type", "data"],
};
