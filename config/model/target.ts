import { readFileSync, unlinkSync } from "node:fs";
import { environmentType } from "../../naming/urns.ts";
import { isMap } from "./maps.ts";
import type { Member } from "./members/member.ts";
import { RunError } from "./runError.ts";

/**
 * Members that a run registers. With Pulumi's targets, an unregistered resource is deleted if it is targeted, and left
 * alone otherwise. The program therefore leaves a member out only if the engine certainly has the same target.
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

/**
 * Environment variable with the path of a run's target file. `kubecamp up`, `preview` and `watch` write the file for
 * one run; the program deletes it on reading. A variable whose file is gone stops the run.
 */
export const targetFileVariable = "KUBECAMP_TARGET_FILE";

/** Environment variable with the engine's targets; the flag `--target` overrides it. */
export const targetVariable = "PULUMI_OPTION_TARGET";

/** Variables that make the engine touch more or less than its targets. */
const otherVariables = ["TARGET_DEPENDENTS", "TARGET_REPLACE", "REPLACE", "EXCLUDE", "EXCLUDE_DEPENDENTS"].map(
  (flag) => `PULUMI_OPTION_${flag}`,
);

/** Content of a target file. */
export interface TargetFile {
  readonly stack: string;
  /** Names of members; undefined means everyone. */
  readonly members?: readonly string[] | undefined;
  /** Names of members to remove, who left the list. Default: none. */
  readonly removedMembers?: readonly string[] | undefined;
  /** Whether the run waits for Services if the settings say so, as a plain `pulumi up` does. Default: false. */
  readonly waits?: boolean;
}

/** Names of all targeted members; undefined means everyone. */
export const namesIn = ({
  members,
  removedMembers = [],
}: Pick<TargetFile, "members" | "removedMembers">): string[] | undefined =>
  members === undefined ? undefined : [...members, ...removedMembers];

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
export function narrowing(env: NodeJS.ProcessEnv): string[] {
  return [targetFileVariable, targetVariable, ...otherVariables].filter((name) => env[name]);
}

/**
 * The engine's targets for these members, in the form of the environment variable: each member's component and its
 * children. `**` matches anything. No member's name contains ':' or '/', so no other component matches. Shared
 * resources are not targeted: Pulumi would also update the bindings of all members.
 * @see https://www.pulumi.com/docs/iac/concepts/resources/names/#urns
 */
export function targetsOf(members: readonly string[]): string {
  const component = `**::${environmentType}`;
  return members.flatMap((name) => [`${component}::${name}`, `${component}$**::${name}/**`]).join(",");
}

/**
 * Most members that kubecamp targets rather than run for everyone. Leaving out the others saves their registration, some
 * 50 ms each; but Pulumi matches each resource with each target. Among 1,000 members it takes 11 s of CPU a pass for 200 of
 * them, where 40 s are saved, and some 25 s for 450 of them, where that is all that is saved.
 */
export const mostTargets = 200;

/**
 * The members that this run targets: all, unless a command of kubecamp's narrowed the run.
 * @param list all members
 * @throws RunError if the environment has the target of another run; nothing was changed by then
 */
export function readTarget(list: readonly Member[], stack: string, env: NodeJS.ProcessEnv = process.env): Target {
  const path = env[targetFileVariable];
  if (!path) {
    return targetAll(list);
  }
  const { members, removedMembers = [], waits = false } = refusing(() => targetOf(taken(path), list, stack, env));
  if (members === undefined) {
    return targetAll(list, waits);
  }
  const names = new Set(members);
  const targeted = list.filter(({ name }) => names.has(name));
  return { members: targeted, isWhole: false, removedMembers, waits };
}

/** Reads the file and deletes it. A second run finds none, nor does another command that inherited the environment. */
function taken(path: string): unknown {
  try {
    const text = readFileSync(path, "utf8");
    unlinkSync(path);
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`no target file for this run at '${path}' (${error instanceof Error ? error.message : error})`);
  }
}

/**
 * Checks that a target belongs to this run.
 * @throws Error with the reason why it does not
 */
export function targetOf(
  target: unknown,
  list: readonly Pick<Member, "name">[],
  stack: string,
  env: NodeJS.ProcessEnv,
): TargetFile {
  if (!isTargetFile(target)) {
    throw new Error("its content is no target");
  }
  if (target.stack !== stack) {
    throw new Error(`it is for stack '${target.stack}', not '${stack}'`);
  }
  const names = namesIn(target);
  if (names?.length === 0) {
    // Without any target, the engine would run for everyone.
    throw new Error("it names no member");
  }
  const { members = [], removedMembers = [] } = target;
  if (target.members === undefined && removedMembers.length > 0) {
    throw new Error("it is for all members, and names removed members");
  }
  const listed = new Set(list.map(({ name }) => name));
  const unknown = members.filter((name) => !listed.has(name));
  if (unknown.length > 0) {
    throw new ListChanged(`${unknown.join(", ")} left it`);
  }
  const staying = removedMembers.filter((name) => listed.has(name));
  if (staying.length > 0) {
    throw new ListChanged(`${staying.join(", ")} came back into it`);
  }
  if ((env[targetVariable] ?? "") !== targetsOf(names ?? [])) {
    throw new Error(`the engine has other targets (${targetVariable})`);
  }
  const others = otherVariables.filter((name) => env[name]);
  if (others.length > 0) {
    throw new Error(`the engine has further orders (${others.join(", ")})`);
  }
  return target;
}

function isTargetFile(value: unknown): value is TargetFile {
  return (
    isMap(value) &&
    typeof value.stack === "string" &&
    ["undefined", "boolean"].includes(typeof value.waits) &&
    isNames(value.members) &&
    isNames(value.removedMembers)
  );
}

const isNames = (value: unknown) =>
  value === undefined || (Array.isArray(value) && value.every((name) => typeof name === "string"));

/** The list was edited between a command's look at it and the program's. */
class ListChanged extends Error {}

function refusing<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ListChanged) {
      throw new RunError(
        `The list of members was edited while this run began: ${error.message}; nothing was changed. Run it again.`,
      );
    }
    throw new RunError(
      `${targetFileVariable} is set, and this run is not the one it was made for: ${error instanceof Error ? error.message : error}; ` +
        `nothing was changed. Only kubecamp's own commands set it: 'unset ${targetFileVariable} ${targetVariable}' and run again.`,
    );
  }
}
