import type { Props } from "../protocol/values.ts";

/** Fields of each request about a resource. */
export interface Request {
  readonly urn: string;
  /** Seconds, from `customTimeouts`; 0 for none. */
  readonly timeout: number;
}

/** A resource in Pulumi's state. */
export interface Before {
  readonly id: string;
  readonly inputs: Props;
  readonly state: Props;
}

/** A resource as created. */
export interface Written {
  readonly id: string;
  readonly properties: Props;
}

/** A resource as found, also as inputs that would declare it. */
export interface FoundResource extends Written {
  readonly inputs: Props;
}
