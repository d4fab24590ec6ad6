import { firstFew } from "../../config/values/sentences.ts";
import { mostTargets, type Target, targetAll } from "../decisions/target.ts";
import { refusalTexts } from "../words/catalogue.ts";
import { type Differing, differingIn, type PlanAndState } from "./differing.ts";
import { removalConflicts } from "./removals.ts";
import { differingMembers, wholesOf } from "./wholes.ts";

export interface AskedUp {
  /** Names of members, of this stack or others; empty: whatever differs. */
  readonly members: readonly string[];
  readonly all: boolean;
  readonly refresh: boolean;
}

/** A run with the same result as a full one; with `refresh`, Pulumi has to look at the cluster first. */
export type NextRun =
  | { readonly kind: "nothing" }
  | {
      readonly kind: "members";
      readonly members: readonly string[];
      readonly removedMembers: readonly string[];
      readonly refresh: boolean;
    }
  | { readonly kind: "all"; readonly refresh: boolean; readonly why: string };

export type ChosenRun = Exclude<NextRun, { kind: "nothing" }>;

export const membersOfRun = (run: ChosenRun): string[] | undefined =>
  run.kind === "all" ? undefined : [...run.members, ...run.removedMembers];

export function targetOfRun({ list }: Pick<PlanAndState, "list">, run: ChosenRun): Target {
  if (run.kind === "all") {
    return targetAll(list);
  }
  const members = list.filter(({ name }) => run.members.includes(name));
  return { members, isWhole: false, removedMembers: run.removedMembers, waits: true };
}

/** So many are named even where nobody is left out: names tell more, and a longer target would save nothing then. */
const few = 20;

export interface RefusedRun {
  readonly kind: "refused";
  readonly why: string;
}

function neededRun(known: PlanAndState): NextRun | RefusedRun {
  const differing = differingIn(known);
  const names = differingMembers(differing);
  const foreign = foreignIn(known, names);
  if (foreign !== undefined) {
    return foreign;
  }
  const [whole, ...others] = wholesOf(known, differing);
  const refresh = differing.some((one) => one.refresh) || [whole, ...others].some((one) => one?.refresh);
  if (whole !== undefined) {
    return { kind: "all", refresh, why: whole.why };
  }
  if (names.length === 0) {
    return { kind: "nothing" };
  }
  if (names.length > few && known.members.every(({ member }) => names.includes(member.name))) {
    return { kind: "all", refresh, why: "all members differ" };
  }
  if (names.length > mostTargets) {
    return { kind: "all", refresh, why: `${names.length} members differ` };
  }
  const listed = new Set(known.members.map(({ member }) => member.name));
  const [removedMembers, stay] = [names.filter((name) => !listed.has(name)), names.filter((name) => listed.has(name))];
  return { kind: "members", members: stay, removedMembers, refresh };
}

function runOfSome(known: PlanAndState, names: readonly string[]): NextRun | RefusedRun {
  const refused = (why: string): RefusedRun => ({
    kind: "refused",
    why: `its members can't be updated alone: ${why}. Run a full up first: kubecamp up --stack ${known.settings.stack}`,
  });
  const differing = differingIn(known);
  const before = wholesOf(known, differing).find(({ isBeforeAll }) => isBeforeAll);
  if (before !== undefined) {
    return refused(before.why);
  }
  const others = differingMembers(begunBeside(names, differing));
  if (others.length > 0) {
    return refused(`a run was interrupted in objects of ${firstFew(others, 3)}`);
  }
  const refresh = differing.some((one) => one.refresh && names.includes(one.member ?? ""));
  return { kind: "members", members: [...names].sort(), removedMembers: [], refresh };
}

/** What a killed run has begun for others or for all. A run of these would make Pulumi forget it, except creations. */
export const begunBeside = (names: readonly string[], differing: readonly Differing[]): Differing[] =>
  differing.filter(
    ({ what, refresh, isCreation, member }) =>
      what === "unfinished" && refresh && isCreation !== true && !names.includes(member ?? ""),
  );

function fullRun(known: PlanAndState): NextRun | RefusedRun {
  const differing = differingIn(known);
  const refresh = [...differing, ...wholesOf(known, differing)].some((one) => one.refresh);
  return foreignIn(known, differingMembers(differing)) ?? { kind: "all", refresh, why: "that was asked for" };
}

/** Refuses a run that would delete the namespace of a member who is still in the state, but now in another stack's list. */
function foreignIn(
  { members, list, settings, snapshot, state }: PlanAndState,
  names: readonly string[],
): RefusedRun | undefined {
  const stay = new Set([...members.map(({ member }) => member), ...list].map(({ name }) => name));
  const leaving = new Map(names.flatMap((name) => (stay.has(name) ? [] : [[name, state.members.get(name)]])));
  const obstacles = removalConflicts(leaving, list, settings, snapshot);
  return obstacles.length === 0
    ? undefined
    : { kind: "refused", why: refusalTexts(obstacles, "kubecamp up").join("\n") };
}

/** Text for people, such as `only ana, ben`. */
export function nextRunText(plan: NextRun): string {
  const refreshed = plan.kind !== "nothing" && plan.refresh ? ", looking at the cluster first" : "";
  switch (plan.kind) {
    case "nothing":
      return "nothing differs";
    case "members": {
      const { members, removedMembers } = plan;
      const leaving = `${firstFew(removedMembers, 5)}, who ${removedMembers.length === 1 ? "leaves" : "leave"}`;
      const texts = [firstFew(members, 5), removedMembers.length === 0 ? "" : leaving];
      return `only ${texts.filter((text) => text !== "").join(", and ")}${refreshed}`;
    }
    case "all":
      return `all, since ${plan.why}${refreshed}`;
  }
}

export function nextRun(known: PlanAndState, asked: AskedUp): NextRun | RefusedRun {
  const plan = runAskedFor(known, asked);
  // Some differences only Pulumi can find, such as a bucket's current policy.
  if (plan.kind === "nothing" && asked.refresh && asked.members.length === 0) {
    return { kind: "all", refresh: true, why: "--refresh asks for it" };
  }
  const isRun = plan.kind === "all" || plan.kind === "members";
  return isRun && asked.refresh ? { ...plan, refresh: true } : plan;
}

function runAskedFor(known: PlanAndState, asked: Pick<AskedUp, "members" | "all">): NextRun | RefusedRun {
  if (asked.all) {
    return fullRun(known);
  }
  if (asked.members.length === 0) {
    return neededRun(known);
  }
  const ours = known.members.flatMap(({ member: { name } }) => (asked.members.includes(name) ? [name] : []));
  return ours.length === 0 ? { kind: "nothing" } : runOfSome(known, ours);
}
