import type { NoticeLine, PreviewNotices } from "./print/notices.ts";

/**
 * One change, in people's units. A list has added and removed entries; any other value has its old and new text,
 * undefined where it is missing.
 */
export interface ShownDifference {
  /** Such as `CPU`, or the kind and path of a field without a name here. */
  readonly what: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly added?: readonly string[];
  readonly removed?: readonly string[];
}

export interface AccessChange {
  /** Empty for shared objects. */
  readonly member: string;
  /** Such as `role 'edit' at home`, or `bucket bob-data`. */
  readonly where: readonly string[];
  /** Such as `oidc:bob`, `group oidc:class-a` or `Allow s3:GetObject to *`. */
  readonly who: readonly string[];
}

export interface Joiner {
  readonly member: string;
  readonly type: string;
  /** User names and groups with access to the environment. Empty for a member who starts suspended. */
  readonly subjects: readonly string[];
  /** Limits of the quota, such as `500m CPU`; undefined without a quota. */
  readonly quota: readonly string[] | undefined;
  /** Such as `last day 2026-12-31`. */
  readonly notes: readonly string[];
  readonly url: string | undefined;
}

export interface ReportedLeaver {
  readonly member: string;
  readonly type: string;
  readonly namespaceDeleted: boolean;
  /** Losses on the cluster, in the program's words; undefined if it reported none. */
  readonly lost: string | undefined;
  readonly objects: number;
}

export interface Changer {
  readonly member: string;
  readonly differences: readonly ShownDifference[];
}

export interface RouteChange {
  readonly member: string;
  readonly change: "opens" | "closes" | "moves";
  readonly url: string;
  /** Old address of a route that moves. */
  readonly from?: string;
  /** Reason why a route closes, or a note. */
  readonly reason: string;
}

export interface LostBucket {
  /** Name on the server; for a driver's bucket, the name in the settings. */
  readonly bucket: string;
  readonly member: string;
  /** Whether its content is lost; for `driver`, the BucketClass on the cluster decides. */
  readonly fate: "deleted" | "kept" | "driver";
  /** In words, such as `is deleted with 10,000 objects (Delete)`. */
  readonly what: string;
}

export interface ObjectChange {
  readonly object: string;
  readonly change: "made" | "changed" | "deleted" | "replaced";
  readonly differences: readonly ShownDifference[];
  /** Owner; undefined for shared objects. */
  readonly member?: string;
}

/** A removed member whose objects Pulumi's state lacks. */
export interface Stranded extends NoticeLine {
  readonly losesNamespace: boolean;
  /** Whether only a namespace is left that is already being deleted. */
  readonly isOnTheirWay: boolean;
}

export interface Report extends Omit<PreviewNotices, "leaving" | "buckets" | "closing" | "changedByHand"> {
  readonly stack: string;
  /** Whether there is a preview at all: one that can't start prints none. */
  readonly isThere: boolean;
  readonly access: readonly AccessChange[];
  readonly replacements: readonly ObjectChange[];
  readonly leaving: readonly ReportedLeaver[];
  /** Removed members that are on the cluster but not in Pulumi's state: `pulumi up` does not delete their objects. */
  readonly stranded: readonly Stranded[];
  /** Whether the run deletes their objects, as that of `kubecamp up` does. */
  readonly deletesStranded: boolean;
  /** Number of objects that are as declared on the cluster, and that the run only records in Pulumi's state. */
  readonly recorded: number;
  readonly buckets: readonly LostBucket[];
  readonly joining: readonly Joiner[];
  readonly changing: readonly Changer[];
  readonly routes: readonly RouteChange[];
  /** Objects that were changed by hand and are reset; the text is a note. */
  readonly putBack: readonly NoticeLine[];
  readonly shared: readonly ObjectChange[];
}
