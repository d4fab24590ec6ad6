import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import { nearest } from "../../config/model/nearest.ts";
import { RunError } from "../../config/model/runError.ts";
import type { Configuration } from "../../config/model/settings.ts";
import { anotherCluster } from "../../plan/membership/ownership.ts";
import { ownMembers, stacksInUse, targetedElsewhere } from "../../plan/membership/shards.ts";
import { refusalTexts, type Warning, warningsOf } from "../../plan/messages/catalogue.ts";
import { shortName } from "../../runs/selectedStack.ts";
import type { Transfer } from "../../runs/transfer.ts";
import { Problem } from "../common/problem.ts";
import { reported } from "./looking.ts";
import { isFailure } from "./print/resultText.ts";
import type { StackResult } from "./upStack.ts";

/** What the command line says, and the stacks that it stands for. */
export interface NamedStacks {
  readonly stack: string;
  readonly stacks: readonly string[];
}

/** Those that a run is about; of a list that is split, also those that it does not need any more, and that have something. */
export function stacksInFamily(
  { stack, stacks }: NamedStacks,
  { settings }: Pick<Configuration, "settings">,
  snapshot: ClusterSnapshot,
): readonly string[] {
  const isFamily = settings.shards?.family === shortName(stack);
  return isFamily ? [...new Set([...stacks, ...stacksInUse(settings, snapshot)])] : stacks;
}

/**
 * Those of the stacks that have any of some members.
 * @throws Problem naming those who are not in the list, or whom none of the stacks has
 */
export function stacksWith(
  names: readonly string[],
  named: NamedStacks,
  { settings, members }: Configuration,
  snapshot: ClusterSnapshot,
): readonly string[] {
  const listed = members.map(({ name }) => name);
  const unknown = names.filter((name) => !listed.includes(name));
  if (unknown.length > 0) {
    const reported = unknown.map((name) => `'${name}'${nearest(name, listed)}`);
    throw new Problem(`There is no member ${reported.join(", ")} in the list of stack '${settings.stack}'.`, {
      why: "A run that is aimed at members makes and changes what is theirs; it removes nobody.",
      remedy: "Name members of the list. To remove who has left it, run it without --member.",
    });
  }
  const targeted = members.filter(({ name }) => names.includes(name));
  if (settings.shards?.family === shortName(named.stack)) {
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

/** How a round of runs is made, and what is known of the cluster now. */
export interface FamilyParts {
  readonly configuration: Configuration;
  readonly look: () => Promise<ClusterSnapshot>;
  /** Hands over who can be. */
  readonly transfer: (snapshot: ClusterSnapshot) => Promise<Transfer>;
  /** Runs stacks side by side. */
  readonly round: (stacks: readonly string[]) => Promise<readonly StackResult[]>;
}

/**
 * Brings up all stacks of a list that is split, and hands over who belongs to another by now: before it, to those that have
 * been up, and after it to those that are new. Whoever gets somebody runs before whoever had them.
 * @returns what became of each stack, also of those that the list does not need any more
 * @throws RunError where it can't begin
 */
export async function upFamily(stacks: readonly string[], parts: FamilyParts): Promise<readonly StackResult[]> {
  const { configuration, look, transfer, round } = parts;
  const all: StackResult[] = [];
  const rounds = async ({ moved }: Transfer, further: readonly string[]) => {
    const getting = new Set(moved.map(({ to }) => to));
    const having = moved.map(({ from }) => from);
    all.push(...(await round([...getting])));
    all.push(...(await round([...new Set([...further, ...having])].filter((stack) => !getting.has(stack)))));
  };
  const snapshot = await look();
  const elsewhere = anotherCluster(configuration.settings, snapshot);
  if (elsewhere !== undefined) {
    // Labels would be written there before any run could refuse.
    throw new RunError(
      `Stack '${configuration.settings.shards?.family}' can't be brought up: ${refusalTexts([elsewhere])}`,
    );
  }
  const before = await transfer(snapshot);
  // Also those that the list does not need any more, as long as somebody lives there, or has left something.
  const inUse = [...stacksInUse(configuration.settings, snapshot), ...before.left.map(({ from }) => from)];
  await rounds(before, [...stacks, ...inUse]);
  const isUp = (name: string) => all.some((result) => result.stack === name && !isFailure(result));
  if (!before.left.some(({ to }) => isUp(to)) || all.some(({ outcome }) => outcome === "cancelled")) {
    return mergedResults(all, before);
  }
  try {
    const after = await transfer(await look());
    await rounds(after, []);
    return mergedResults(all, after);
  } catch (error) {
    // What has been run has to be told all the same.
    return mergedResults(all, { left: before.left.map((one) => ({ ...one, why: reported(error) })) });
  }
}

const staying = (left: Transfer["left"]): Warning[] =>
  warningsOf(left.map(({ member, to, why }) => ({ code: "notHandedOver", member, facts: { to, why } })));

/**
 * One result for each stack, in the order in which they ran first. Who could not be handed over is a failure of the stack
 * that still has them.
 */
export function mergedResults(results: readonly StackResult[], { left }: Pick<Transfer, "left">): StackResult[] {
  const byStack = Map.groupBy(results, ({ stack }) => stack);
  return [...byStack].map(([stack, all]) => {
    const [first, last] = [all[0], all.at(-1)];
    if (first === undefined || last === undefined) {
      throw new Error(`nothing came of stack ${stack}`);
    }
    const ran = all.find(({ outcome }) => outcome !== "unchanged");
    const stays = staying(left.filter(({ from }) => from === stack));
    const isStuck = stays.length > 0 && !isFailure(last);
    const outcome = last.outcome === "unchanged" && ran !== undefined ? "succeeded" : last.outcome;
    // Who was to be handed over before a run, either has been by now, or is told of with the reason.
    const warnings = all.flatMap((result) => result.warnings.filter(({ code }) => code !== "moves"));
    return {
      ...last,
      plan: (ran ?? first).plan,
      outcome: isStuck ? "failed" : outcome,
      reason: isStuck ? stays.map(({ text }) => text).join("\n") : last.reason,
      changes: all.flatMap(({ changes }) => changes),
      members: [...new Set(all.flatMap(({ members }) => members))].sort(),
      warnings: [...warnings, ...(isStuck ? [] : stays)],
    };
  });
}
