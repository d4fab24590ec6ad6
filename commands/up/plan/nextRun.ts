import { firstOf } from "../../../cluster/kinds/nameList.ts";
import { mostTargets, type Target, targetAll } from "../../../config/model/target.ts";
import { membersIn } from "../../../plan/decisions/unread/lastState.ts";
import { removalConflicts } from "../../../plan/membership/offboarding/removalConflicts.ts";
import { refusalTexts } from "../../../plan/messages/catalogue.ts";
import { type Differences, differencesOf } from "./differences.ts";
import type { Look } from "./knownState.ts";

/** Request for each stack. */
export interface UpRequest {
  /** Names of members, of this stack or others; empty: whatever differs. */
  readonly members: readonly string[];
  /** Whether to make a full run, whatever differs. */
  readonly all: boolean;
  /** Whether Pulumi has to refresh in any case. */
  readonly refresh: boolean;
}

/** A run with the same result as a full one; with `refresh`, Pulumi has to look at the cluster first. */
export type NextRun =
  | { readonly kind: "nothing" }
  | {
      readonly kind: "members";
      /** Names of members on the list. */
      readonly members: readonly string[];
      /** Names of members who have left it. */
      readonly removedMembers: readonly string[];
      readonly refresh: boolean;
    }
  | { readonly kind: "all"; readonly refresh: boolean; readonly why: string };

/** A run for some of a stack's members, or for all. */
export type ChosenRun = Exclude<NextRun, { kind: "nothing" }>;

/** Names of the run's members; undefined means everyone. */
export const namesIn = (run: ChosenRun): string[] | undefined =>
  run.kind === "all" ? undefined : [...run.members, ...run.removedMembers];

/** @param waits whether it waits for Services where the configuration says so */
export function targetOf({ list }: Pick<Look, "list">, run: ChosenRun, waits = true): Target {
  if (run.kind === "all") {
    return targetAll(list, waits);
  }
  const members = list.filter(({ name }) => run.members.includes(name));
  return { members, isWhole: false, removedMembers: run.removedMembers, waits };
}

/**
 * So many are named also where nobody is left out: their names tell more. A longer target would save nothing then, and
 * warnings about the whole list would be missing.
 */
const few = 20;

/** Reason for not making the requested run, with the way out. */
export interface RefusedRun {
  readonly kind: "refused";
  readonly why: string;
}

/** The run that a stack needs. */
function neededRun(look: Look): NextRun | RefusedRun {
  const { wholes, members } = differencesOf(look);
  const foreign = foreignIn(look, members);
  if (foreign !== undefined) {
    return foreign;
  }
  const refresh = needsRefresh({ wholes, members });
  const [whole] = wholes;
  if (whole !== undefined) {
    return { kind: "all", refresh, why: whole.why };
  }
  const names = [...members.keys()].sort();
  if (names.length === 0) {
    return { kind: "nothing" };
  }
  if (names.length > few && look.members.every(({ member }) => members.has(member.name))) {
    return { kind: "all", refresh, why: "all members differ" };
  }
  if (names.length > mostTargets) {
    return { kind: "all", refresh, why: `${names.length} members differ` };
  }
  const listed = new Set(look.members.map(({ member }) => member.name));
  const [removedMembers, stay] = [names.filter((name) => !listed.has(name)), names.filter((name) => listed.has(name))];
  return { kind: "members", members: stay, removedMembers, refresh };
}

/** The run for some of the stack's members; or the reason why a full one has to come first. */
function runFor(look: Look, names: readonly string[]): NextRun | RefusedRun {
  const refused = (why: string): RefusedRun => ({
    kind: "refused",
    why: `its members can't be updated alone: ${why}. Run a full up first: kubecamp up --stack ${look.settings.stack}`,
  });
  const { wholes, members, interrupted } = differencesOf(look);
  const before = wholes.find(({ isBeforeAll }) => isBeforeAll);
  if (before !== undefined) {
    return refused(before.why);
  }
  // A targeted run makes Pulumi forget other members' pending operations.
  const others = interrupted.filter((name) => !names.includes(name));
  if (others.length > 0) {
    return refused(`a run was interrupted in objects of ${firstOf(others, 3)}`);
  }
  const refresh = names.some((name) => members.get(name) === true);
  return { kind: "members", members: [...names].sort(), removedMembers: [], refresh };
}

/** The full run for `--all`. */
function fullRun(look: Look): NextRun | RefusedRun {
  const differences = differencesOf(look);
  const plan = { kind: "all", refresh: needsRefresh(differences), why: "--all asks for it" } as const;
  return foreignIn(look, differences.members) ?? plan;
}

/** Refuses a run that would delete the namespace of a member who is still in the state, but now in another stack's list. */
function foreignIn(
  { members: own, list, settings, snapshot, state }: Look,
  members: Differences["members"],
): RefusedRun | undefined {
  const stay = new Set([...own.map(({ member }) => member), ...list].map(({ name }) => name));
  const known = membersIn(state.resources);
  const leaving = new Map([...members.keys()].flatMap((name) => (stay.has(name) ? [] : [[name, known.get(name)]])));
  const obstacles = removalConflicts(leaving, list, settings, snapshot);
  return obstacles.length === 0
    ? undefined
    : { kind: "refused", why: refusalTexts(obstacles, "kubecamp up").join("\n") };
}

const needsRefresh = ({ wholes, members }: Pick<Differences, "wholes" | "members">) =>
  wholes.some(({ refresh }) => refresh) || [...members.values()].includes(true);

const targetedText = (members: readonly string[]) => (members.length === 0 ? [] : [firstOf(members, 5)]);
const removedMembersText = (removedMembers: readonly string[]) =>
  removedMembers.length === 0
    ? []
    : [`${firstOf(removedMembers, 5)}, who ${removedMembers.length === 1 ? "leaves" : "leave"}`];

/** Text for people, such as `only ana, ben`. */
export function nextRunText(plan: NextRun): string {
  const refreshed = plan.kind !== "nothing" && plan.refresh ? ", looking at the cluster first" : "";
  switch (plan.kind) {
    case "nothing":
      return "nothing differs";
    case "members":
      return `only ${[...targetedText(plan.members), ...removedMembersText(plan.removedMembers)].join(", and ")}${refreshed}`;
    case "all":
      return `all, since ${plan.why}${refreshed}`;
  }
}

/** The requested run, or the needed one; or the reason why a full one has to come first. */
export function nextRun(look: Look, asked: UpRequest): NextRun | RefusedRun {
  const plan = runAskedFor(look, asked);
  // Some differences only Pulumi can find, such as a bucket's current policy.
  if (plan.kind === "nothing" && asked.refresh && asked.members.length === 0) {
    return { kind: "all", refresh: true, why: "--refresh asks for it" };
  }
  const isRun = plan.kind === "all" || plan.kind === "members";
  return isRun && asked.refresh ? { ...plan, refresh: true } : plan;
}

function runAskedFor(look: Look, asked: Pick<UpRequest, "members" | "all">): NextRun | RefusedRun {
  if (asked.all) {
    return fullRun(look);
  }
  if (asked.members.length === 0) {
    return neededRun(look);
  }
  const ours = look.members.flatMap(({ member: { name } }) => (asked.members.includes(name) ? [name] : []));
  return ours.length === 0 ? { kind: "nothing" } : runFor(look, ours);
}
