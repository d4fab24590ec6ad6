import { firstOf } from "../../cluster/kinds/nameList.ts";
import { membersIn } from "../../plan/decisions/unread/lastState.ts";
import { removalConflicts } from "../../plan/membership/offboarding/removalConflicts.ts";
import { refusalTexts } from "../../plan/messages/catalogue.ts";
import { isTooLong } from "../../runs/targetedRun.ts";
import { type Differences, differencesOf } from "./differences.ts";
import type { Look } from "./look.ts";

/** What somebody asks of each stack. */
export interface UpRequest {
  /** Names of members, of this stack or others; none at all: whatever differs. */
  readonly members: readonly string[];
  /** A full run, whatever differs. */
  readonly all: boolean;
  /** That Pulumi looks at the cluster first in any case. */
  readonly refresh: boolean;
  /** Whether Pulumi writes its state down once, at the end, wherever that is safe. Default: where it pays. */
  readonly skipCheckpoints?: boolean | undefined;
}

/** Which run leaves a stack as a full one would; with `refresh`, Pulumi has to look at the cluster first. */
export type NextRun =
  | { readonly kind: "nothing" }
  | {
      readonly kind: "members";
      /** Names of those in the list. */
      readonly members: readonly string[];
      /** Names of those who have left it. */
      readonly removedMembers: readonly string[];
      readonly refresh: boolean;
    }
  | { readonly kind: "all"; readonly refresh: boolean; readonly why: string };

/** So many members are quicker served alone, in any list, than with a look at all; and this share of a longer one. */
const fewest = 20;
const share = 1 / 4;

/** Why a stack is not run as it is asked for, with the way out. */
export interface RefusedRun {
  readonly kind: "refused";
  readonly why: string;
}

/**
 * The run that a stack needs by itself.
 * @param fits whether so many fit into what Pulumi is given as targets
 */
export function neededRun(look: Look, fits: (names: readonly string[]) => boolean): NextRun | RefusedRun {
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
  // With those who leave.
  const all = new Set([...look.members.map(({ member }) => member.name), ...names]).size;
  if (names.length > Math.max(fewest, all * share) || !fits(names)) {
    return { kind: "all", refresh, why: `${names.length} of ${all} members differ` };
  }
  if (names.length === 0) {
    return { kind: "nothing" };
  }
  const listed = new Set(look.members.map(({ member }) => member.name));
  const [removedMembers, stay] = [names.filter((name) => !listed.has(name)), names.filter((name) => listed.has(name))];
  return { kind: "members", members: stay, removedMembers, refresh };
}

/** The run about some of the stack's members that somebody asks for; or why a full one has to come first. */
export function runFor(look: Look, names: readonly string[]): NextRun | RefusedRun {
  const refused = (why: string): RefusedRun => ({
    kind: "refused",
    why: `its members can't be brought up alone: ${why}. Bring up all of it first: kubecamp up --stack ${look.settings.stack}`,
  });
  const { wholes, members, interrupted } = differencesOf(look);
  const before = wholes.find(({ isBeforeAll }) => isBeforeAll);
  if (before !== undefined) {
    return refused(before.why);
  }
  // A targeted run has Pulumi forget what was interrupted in others.
  const others = interrupted.filter((name) => !names.includes(name));
  if (others.length > 0) {
    return refused(`a run was interrupted in what ${firstOf(others, 3)} ${others.length === 1 ? "has" : "have"}`);
  }
  const refresh = names.some((name) => members.get(name) === true);
  return { kind: "members", members: [...names].sort(), removedMembers: [], refresh };
}

/** The full run that somebody asks for. */
export function fullRun(look: Look): NextRun | RefusedRun {
  const differences = differencesOf(look);
  const plan = { kind: "all", refresh: needsRefresh(differences), why: "--all asks for it" } as const;
  return foreignIn(look, differences.members) ?? plan;
}

/** A run that would delete the namespace of whom this stack's state has, and who is somebody else's by now. */
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

/** Such as `only ana, ben`, for people. */
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

/** The run that is asked for, or the one that is needed; or why a full one has to come first. */
export function nextRun(look: Look, asked: Omit<UpRequest, "skipCheckpoints">): NextRun | RefusedRun {
  const plan = runAskedFor(look, asked);
  // What nobody but Pulumi can compare, such as what is in a bucket's policy by now, may differ all the same.
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
    return neededRun(look, (names) => !isTooLong(names));
  }
  const ours = look.members.flatMap(({ member: { name } }) => (asked.members.includes(name) ? [name] : []));
  return ours.length === 0 ? { kind: "nothing" } : runFor(look, ours);
}
