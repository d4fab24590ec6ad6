import type { Warning } from "../../plan/messages/catalogue.ts";
import type { NoticeLine, Rest } from "./print/notices.ts";

/**
 * One thing that changes, in people's units. Of a list it says what is added and removed; of anything else what it was
 * and what it becomes, each undefined where there is none.
 */
export interface ShownDifference {
  /** Such as `CPU`, or the kind and path of what has no name here. */
  readonly what: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly added?: readonly string[];
  readonly removed?: readonly string[];
}

/** Who is let in where, by what is made or changed. */
export interface AccessChange {
  /** Empty of what all share. */
  readonly member: string;
  /** Such as `role at home edit`, or `bucket bob-data`. */
  readonly where: readonly string[];
  /** Such as `oidc:bob`, `group oidc:class-a` or `Allow s3:GetObject to *`. */
  readonly who: readonly string[];
}

/** Whoever is new on the list. */
export interface Joiner {
  readonly member: string;
  readonly type: string;
  /** User names and groups that the environment is opened to; none for who is suspended from the start. */
  readonly subjects: readonly string[];
  /** What their quota holds, such as `500m CPU`; undefined without one. */
  readonly quota: readonly string[] | undefined;
  /** Such as `last day 2026-12-31`. */
  readonly notes: readonly string[];
  readonly url: string | undefined;
}

/** Whoever is no longer on the list. */
export interface ReportedLeaver {
  readonly member: string;
  readonly type: string;
  readonly namespaceDeleted: boolean;
  /** What is lost with them, as the program saw it on the cluster; undefined where it did not say. */
  readonly lost: string | undefined;
  /** How many objects Pulumi deletes. */
  readonly objects: number;
}

export interface Changer {
  readonly member: string;
  readonly differences: readonly ShownDifference[];
}

export interface RouteChange {
  readonly member: string;
  readonly change: "opens" | "closes" | "moves";
  /** Where it can be reached, from now on or until now. */
  readonly url: string;
  /** Where a route that moves was. */
  readonly from?: string;
  /** Why a route closes, or what else is to be said. */
  readonly reason: string;
}

/** A bucket that nobody declares any more. */
export interface LostBucket {
  /** What the server calls it; one of a driver's, as the settings do. */
  readonly bucket: string;
  /** Whose it was. */
  readonly member: string;
  /** Whether what is in it is lost: `driver` is for what only the BucketClass on the cluster says. */
  readonly fate: "deleted" | "kept" | "driver";
  /** In words, such as `is deleted with 10,000 objects (Delete)`. */
  readonly what: string;
}

/** An object by itself. */
export interface ObjectChange {
  /** Such as `ClusterRole kubecamp:dev:view`. */
  readonly object: string;
  readonly change: "made" | "changed" | "deleted" | "replaced";
  readonly differences: readonly ShownDifference[];
  /** Whose it is; undefined for what all share. */
  readonly member?: string;
}

/** What a preview says will happen to whom. */
export interface Report {
  /** Undefined where a preview failed before it said so. */
  readonly stack: string | undefined;
  readonly failed: boolean;
  /** Whether there is a preview at all: one that can't begin prints none, and a file may be something else. */
  readonly isThere: boolean;
  readonly errors: readonly string[];
  readonly access: readonly AccessChange[];
  readonly replacements: readonly ObjectChange[];
  readonly leaving: readonly ReportedLeaver[];
  /** What is lost with all those leavers together of whom no line says it alone. */
  readonly leavingRest: Rest | undefined;
  /** Who is on the cluster and on no list, and of whom Pulumi's state knows nothing: this run deletes nothing of theirs. */
  readonly stranded: readonly NoticeLine[];
  readonly buckets: readonly LostBucket[];
  readonly joining: readonly Joiner[];
  readonly changing: readonly Changer[];
  readonly routes: readonly RouteChange[];
  readonly pending: readonly NoticeLine[];
  /** Changed by hand, and put back; the text says what else there is to know. */
  readonly putBack: readonly NoticeLine[];
  readonly shared: readonly ObjectChange[];
  /** What was not looked at, because no cluster was asked. */
  readonly offline: readonly NoticeLine[];
  /** What was not looked at, because the preview's identity may not. */
  readonly unchecked: readonly NoticeLine[];
  readonly warnings: readonly string[];
  /** Every warning of the program by its code, also of what the report has a place for. */
  readonly findings: readonly Warning[];
}
