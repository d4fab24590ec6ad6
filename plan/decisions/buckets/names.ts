import type { BucketKind } from "../../../cluster/kinds/bucketKinds.ts";

/** Fields that a run leaves unchanged in an object that is somebody else's. */
export const ignoredBucketFields: Readonly<Record<BucketKind, readonly string[]>> = {
  ConfigMap: ["metadata", "immutable", "data"],
  Secret: ["metadata", "immutable", "type", "data"],
};
