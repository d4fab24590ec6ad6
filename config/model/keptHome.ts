import type { Settings } from "./settings.ts";

/** A member's namespace on the cluster, with what runs keep there for the time after the member leaves the list. */
export interface KeptHome {
  /** Name of the member. */
  readonly member: string;
  /** Whether removal is refused. */
  readonly protect: boolean;
  /** First day on which a run removes the member, as `2026-12-31`; undefined before a run has seen them missing. */
  readonly leaves?: string;
  /** The member's last entry as JSON; undefined if none was kept. */
  readonly entry?: string;
}

/** A text with the member's entry may have so many bytes: all annotations of an object together have 256 KiB. */
export const longestEntry = 64 * 1024;

/** Whether members who leave the list are suspended before their removal. */
export const hasGrace = ({ offboarding }: Pick<Settings, "offboarding">): boolean => (offboarding.graceDays ?? 0) > 0;
