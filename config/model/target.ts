import { readFileSync, unlinkSync } from "node:fs";
import { isMap } from "./maps.ts";
import { RunError } from "./runError.ts";
import type { Member } from "./settings.ts";

/**
 * Which members a run registers. With Pulumi's targets, what the program does not register is left alone unless it is
 * targeted, and what is targeted and not registered is deleted. So the program leaves somebody out only where it is
 * certain that the engine has the same target.
 * @see https://www.pulumi.com/docs/iac/cli/commands/pulumi_up/
 */
export interface Target {
  readonly members: readonly Member[];
  /** Whether that is everybody, so that what is not registered is to be deleted. */
  readonly isWhole: boolean;
  /** Names of those who have left the list and whom a run that is not whole removes. */
  readonly removedMembers: readonly string[];
  /** Whether the run waits for Services where `readiness.mode` is `wait`: not one of the watch, which sees them come. */
  readonly waits: boolean;
}

/**
 * The environment variable with the path of a run's target: a file that `kubecamp up`, `preview` and `watch` write for one run
 * of theirs, and that the program takes away when it reads it. Whatever is left of it in an environment stands for nothing.
 */
export const targetFileVariable = "KUBECAMP_TARGET_FILE";

/** The environment variable from which the engine takes its targets, unless the flag `--target` is given. */
export const targetVariable = "PULUMI_OPTION_TARGET";

/** Others by which the engine would touch more or less than it targets. */
const otherVariables = ["TARGET_DEPENDENTS", "TARGET_REPLACE", "REPLACE", "EXCLUDE", "EXCLUDE_DEPENDENTS"].map(
  (flag) => `PULUMI_OPTION_${flag}`,
);

/** What such a file says. */
export interface TargetFile {
  readonly stack: string;
  /** Names of members; undefined: everybody. */
  readonly members?: readonly string[] | undefined;
  /** Names of those who have left the list, and are to be removed. Default: none. */
  readonly removedMembers?: readonly string[] | undefined;
  /** Whether the run waits for Services where that is set, as a plain `pulumi up` does. Default: false. */
  readonly waits?: boolean;
}

/** Names of all its members; undefined: everybody. */
export const namesIn = ({
  members,
  removedMembers = [],
}: Pick<TargetFile, "members" | "removedMembers">): string[] | undefined =>
  members === undefined ? undefined : [...members, ...removedMembers];

/** A run for everybody. */
export const targetAll = (members: readonly Member[], waits = true): Target => ({
  members,
  isWhole: true,
  removedMembers: [],
  waits,
});

/** Whether a run removes anybody who has left the list. */
export const removes = ({ isWhole, removedMembers }: Pick<Target, "isWhole" | "removedMembers">): boolean =>
  isWhole || removedMembers.length > 0;

/** Those of the variables that narrow a run which an environment has. */
export function narrowing(env: NodeJS.ProcessEnv): string[] {
  return [targetFileVariable, targetVariable, ...otherVariables].filter((name) => env[name]);
}

/**
 * The engine's targets for a run's, as the environment variable takes them: each member's component and all that is in it.
 * `**` stands for anything; what is in another component has another URN, since no name of a member has a ':' or '/' in
 * it. What all share is no target: to Pulumi, everybody's bindings would be part of it.
 * @see https://www.pulumi.com/docs/iac/concepts/resources/names/#urns
 */
export function targetsOf(members: readonly string[]): string {
  const component = "**::kubecamp:index:MemberEnvironment";
  return members.flatMap((name) => [`${component}::${name}`, `${component}$**::${name}/**`]).join(",");
}

/**
 * Whom this run targets: everybody, unless one of kubecamp's own commands has targeted it.
 * @param list all members
 * @throws RunError when the environment has a target that is not this run's; nothing has been touched by then
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

/** The file's content. There is none for a second run, nor for one of another kind that inherited the environment. */
function taken(path: string): unknown {
  try {
    const text = readFileSync(path, "utf8");
    unlinkSync(path);
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`there is no aim for this run in '${path}' (${error instanceof Error ? error.message : error})`);
  }
}

/**
 * A target that is for this run.
 * @throws Error saying why it is not
 */
export function targetOf(
  target: unknown,
  list: readonly Pick<Member, "name">[],
  stack: string,
  env: NodeJS.ProcessEnv,
): TargetFile {
  if (!isTargetFile(target)) {
    throw new Error("its file is no aim");
  }
  if (target.stack !== stack) {
    throw new Error(`it is for stack '${target.stack}', not '${stack}'`);
  }
  const names = namesIn(target);
  if (names?.length === 0) {
    // No targets at all are to the engine a run for everybody.
    throw new Error("it names nobody");
  }
  const { members = [], removedMembers = [] } = target;
  if (target.members === undefined && removedMembers.length > 0) {
    throw new Error("it is for everybody, and names who leaves");
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

/** Somebody has edited the list after a command had looked at it, and before the program read it. */
class ListChanged extends Error {}

function refusing<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ListChanged) {
      throw new RunError(
        `The list of members was edited while this run began: ${error.message}; nothing has been touched. Run it again.`,
      );
    }
    throw new RunError(
      `${targetFileVariable} is set, and this run is not the one it was made for: ${error instanceof Error ? error.message : error}; ` +
        `nothing has been touched. Only kubecamp's own commands aim a run in this way: 'unset ${targetFileVariable} ${targetVariable}' and run again.`,
    );
  }
}
