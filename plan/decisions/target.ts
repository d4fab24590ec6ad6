import type { Member } from "../../config/member/member.ts";
import { environmentType } from "../../config/names/urns.ts";

/**
 * Members that a run registers. With Pulumi's targets, an unregistered resource is deleted if it is targeted, and left
 * alone otherwise.
 * @see https://www.pulumi.com/docs/iac/cli/commands/pulumi_up/
 */
export interface Target {
  readonly members: readonly Member[];
  /** Whether these are all members: unregistered resources are deleted then. */
  readonly isWhole: boolean;
  /** Names of members that left the list, for a targeted run to remove. */
  readonly removedMembers: readonly string[];
  /**
   * Whether the run waits for Services if `readiness.mode` is `wait`. Runs of the watch don't: it sees Services appear.
   */
  readonly waits: boolean;
}

/** Variables that make the engine touch more or less than all. */
const narrowingVariables = [
  "TARGET",
  "TARGET_DEPENDENTS",
  "TARGET_REPLACE",
  "REPLACE",
  "EXCLUDE",
  "EXCLUDE_DEPENDENTS",
].map((flag) => `PULUMI_OPTION_${flag}`);

/** The target of a run for everyone. */
export const targetAll = (members: readonly Member[], waits = true): Target => ({
  members,
  isWhole: true,
  removedMembers: [],
  waits,
});

/** Whether a run removes members who left the list. */
export const removes = ({ isWhole, removedMembers }: Pick<Target, "isWhole" | "removedMembers">): boolean =>
  isWhole || removedMembers.length > 0;

/** Names of the set variables that narrow a run. */
export const narrowing = (env: NodeJS.ProcessEnv): string[] => narrowingVariables.filter((name) => env[name]);

/**
 * The engine's targets for a run: each member's component and its children. `**` matches anything. No member's name
 * contains ':' or '/', so no other component matches. Shared resources are not targeted: Pulumi would also update the
 * bindings of all members.
 * @returns undefined for a run for everyone
 * @see https://www.pulumi.com/docs/iac/concepts/resources/names/#urns
 */
export function targetsOf({ isWhole, members, removedMembers }: Target): string[] | undefined {
  const component = `**::${environmentType}`;
  const names = [...members.map(({ name }) => name), ...removedMembers];
  if (!isWhole && names.length === 0) {
    throw new Error("without any target, the engine would run for everyone");
  }
  return isWhole ? undefined : names.flatMap((name) => [`${component}::${name}`, `${component}$**::${name}/**`]);
}

/**
 * Most members that kubecamp targets rather than run for everyone. Leaving out the others saves their registration, some
 * 50 ms each; but Pulumi matches each resource with each target. Among 1,000 members it takes 11 s of CPU a pass for 200 of
 * them, where 40 s are saved, and some 25 s for 450 of them, where that is all that is saved.
 */
export const mostTargets = 200;
