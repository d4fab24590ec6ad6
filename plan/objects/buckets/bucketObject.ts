import type { BucketKind } from "../../../cluster/kinds/bucketKinds.ts";
import type { CosiKind } from "../../../cluster/kinds/cosi.ts";
import type { BucketPart } from "../../../naming/logicalNames.ts";
import type { Declared } from "../declared.ts";

/** An object in a member's namespace that says how to reach a bucket, or requests it. */
export interface BucketObject extends Declared {
  /** Logical name after the bucket's name, which never changes. */
  readonly part: BucketPart;
  readonly apiVersion: string;
  readonly kind: BucketKind | CosiKind;
}
