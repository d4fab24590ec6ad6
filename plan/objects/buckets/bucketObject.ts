import type { BucketKind } from "../../../cluster/kinds/bucketKinds.ts";
import type { CosiKind } from "../../../cluster/kinds/cosi.ts";
import type { BucketPart } from "../../../naming/logicalNames.ts";
import type { Declared } from "../declared.ts";

/** One object in a member's namespace that says how a bucket is reached, or asks for it. */
export interface BucketObject extends Declared {
  /** What follows the bucket's name in its logical name, which never changes. */
  readonly part: BucketPart;
  readonly apiVersion: string;
  readonly kind: BucketKind | CosiKind;
}
