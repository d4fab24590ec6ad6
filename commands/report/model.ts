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
