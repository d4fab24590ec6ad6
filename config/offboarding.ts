import type { ArchiveSettings } from "./archive.ts";

/** Rules for removals. */
export interface OffboardingSettings {
  /** Most members that a run removes. Default: 3, but none if the list is empty, which is how a truncated file looks. */
  readonly maxRemovals?: number;
  /** Days between leaving the list and removal, in which a member is suspended. Default: 0, which removes at once. */
  readonly graceDays?: number;
  /** Names of members who have left the list and are removed without waiting. Default: none. */
  readonly removeNow?: readonly string[];
  /** Archive that has to exist before a member is removed. Default: none. */
  readonly archive?: ArchiveSettings;
}

/** Most members that a run removes, and the defaults for members who leave these out. */
export const defaultOffboarding = { maxRemovals: 3, graceDays: 0, protect: false, adopt: false } as const;
