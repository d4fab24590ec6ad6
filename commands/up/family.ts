import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Configuration, Settings } from "../../config/settings.ts";
import { nearest } from "../../config/values/nearest.ts";
import { RunError } from "../../config/values/runError.ts";
import { anotherCluster } from "../../plan/decide/obstacles.ts";
import { ownMembers, stacksInUse, targetedElsewhere } from "../../plan/members/shards.ts";
import { refusalTexts, warningsOf } from "../../plan/words/catalogue.ts";
import type { Finding } from "../../plan/words/finding.ts";
import { shortName } from "../../runs/selectedStack.ts";
import type { Transferred } from "../../runs/state/transfer.ts";
import { Problem } from "../common/problem.ts";
import { failureReason } from "./looking.ts";
import { isFailure } from "./resultText.ts";
import type { StackResult } from "./upStack.ts";

interface NamedStacks {
  readonly stack: string;
  readonly stacks: readonly string[];
}

/** Whether the stack on the command line is the undivided one of a split list. */
export const isFamily = ({ shards }: Pick<Settings, "shards">, stack: string): boolean =>
  shards?.family === shortName(stack);

/** Stacks of a run; for a split list also those that it no longer needs and that still have objects. */
export function stacksInFamily(
  { stack, stacks }: NamedStacks,
  { settings }: Pick<Configuration, "settings">,
  snapshot: ClusterSnapshot,
): readonly string[] {
  return isFamily(settings, stack) ? [...new Set([...stacks, ...stacksInUse(settings, snapshot)])] : stacks;
}

/** Stacks that have at least one of some members. */
export function stacksWith(
  names: readonly string[],
  named: NamedStacks,
  { settings, members }: Configuration,
  snapshot: ClusterSnapshot,
): readonly string[] {
  const listed = members.map(({ name }) => name);
  const unknown = names.filter((name) => !listed.includes(name));
  if (unknown.length > 0) {
    const quoted = unknown.map((name) => `'${name}'${nearest(name, listed)}`);
    throw new Problem(`There is no member ${quoted.join(", ")} in the list of stack '${settings.stack}'.`, {
      why: "A run with --member creates and changes the objects of these members; it removes no member.",
      remedy: "Name members of the list. To remove members that are no longer in it, run it without --member.",
    });
  }
  const targeted = members.filter(({ name }) => names.includes(name));
  if (isFamily(settings, named.stack)) {
    return stacksInFamily(named, { settings }, snapshot).filter(
      (stack) => ownMembers(targeted, { ...settings, stack }, snapshot).length > 0,
    );
  }
  const elsewhere = targetedElsewhere(targeted, settings, snapshot);
  if (elsewhere.length > 0) {
    throw new Problem(`Stack '${named.stack}' does not have all of these members.`, {
      why: `${refusalTexts(elsewhere).join("\n")}.`,
      remedy: `Run it for all shards: --stack ${settings.shards?.family}.`,
    });
  }
  return named.stacks;
}

interface FamilyParts {
  readonly configuration: Configuration;
  readonly look: () => Promise<ClusterSnapshot>;
  /** Transfers as many members as possible. */
  readonly transfer: (snapshot: ClusterSnapshot) => Promise<Transferred>;
  readonly round: (stacks: readonly string[]) => Promise<readonly StackResult[]>;
}

/**
 * Brings up all stacks of a split list, and transfers members who belong to another: before the runs to stacks that
 * exist, and afterwards to new ones.
 */
export async function upFamily(stacks: readonly string[], parts: FamilyParts): Promise<readonly StackResult[]> {
  const { configuration, look, transfer, round } = parts;
  const { settings } = configuration;
  const snapshot = await look();
  const elsewhere = anotherCluster(settings, snapshot);
  if (elsewhere !== undefined) {
    // A transfer would write labels on the wrong cluster before any run could refuse.
    throw new RunError(`Stack '${settings.shards?.family}' can't be brought up: ${refusalTexts([elsewhere])}`);
  }
  const before = await transfer(snapshot);
  // Includes stacks that the list no longer needs, as long as they have members or leftovers.
  const all = await round([...new Set([...stacks, ...stacksInUse(settings, snapshot)])]);
  const isUp = (name: string) => all.some((result) => result.stack === name && !isFailure(result));
  if (!before.left.some(({ to }) => isUp(to)) || all.some(({ outcome }) => outcome === "cancelled")) {
    return mergedResults(all, before);
  }
  try {
    const after = await transfer(await look());
    const again = await round([...new Set(after.moved.flatMap(({ from, to }) => [to, from]))]);
    return mergedResults([...all, ...again], after);
  } catch (error) {
    // The runs so far must be reported all the same.
    return mergedResults(all, { left: before.left.map((one) => ({ ...one, why: failureReason(error) })) });
  }
}

/** One result for each stack. A member who could not be transferred makes the old stack's a failure. */
export function mergedResults(results: readonly StackResult[], { left }: Pick<Transferred, "left">): StackResult[] {
  const byStack = Map.groupBy(results, ({ stack }) => stack);
  return [...byStack].map(([stack, all]) => {
    const [first, last] = [all[0], all.at(-1)];
    if (first === undefined || last === undefined) {
      throw new Error(`there is no result for stack ${stack}`);
    }
    const ran = all.find(({ outcome }) => outcome !== "unchanged");
    const stays = left.flatMap(({ from, member, to, why }): Finding[] =>
      from === stack ? [{ code: "notTransferred", member, facts: { to, why } }] : [],
    );
    const isStuck = stays.length > 0 && !isFailure(last);
    const outcome = last.outcome === "unchanged" && ran !== undefined ? "succeeded" : last.outcome;
    // Such members have been transferred since, or `stays` reports them with the reason.
    const warnings = all.flatMap((result) => result.warnings.filter(({ code }) => code !== "transfers"));
    return {
      ...last,
      plan: (ran ?? first).plan,
      outcome: isStuck ? "failed" : outcome,
      reason: isStuck
        ? warningsOf(stays)
            .map(({ text }) => text)
            .join("\n")
        : last.reason,
      changes: all.flatMap(({ changes }) => changes),
      members: [...new Set(all.flatMap(({ members }) => members))].sort(),
      warnings: [...warnings, ...(isStuck ? [] : stays)],
      notices: all.flatMap(({ notices }) => notices),
      remarks: all.flatMap(({ remarks }) => remarks),
    };
  });
}
