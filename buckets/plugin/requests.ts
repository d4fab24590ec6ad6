import type { Props } from "../protocol/values.ts";

/** What Pulumi gives with every request about a resource. */
export interface Request {
  readonly urn: string;
  /** Seconds, from `customTimeouts`; 0 for none. */
  readonly timeout: number;
}

/** What Pulumi remembers of a resource. */
export interface Before {
  readonly id: string;
  readonly inputs: Props;
  readonly state: Props;
}

/** What has become of a resource. */
export interface Written {
  readonly id: string;
  readonly properties: Props;
}

/** What a resource is now, also in the words in which it would be declared. */
export interface FoundResource extends Written {
  readonly inputs: Props;
}
