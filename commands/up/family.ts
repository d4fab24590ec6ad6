import { ownMembers, stacksInUse } from "../../cluster/shards.ts";
import type { ClusterSnapshot } from "../../cluster/snapshot.ts";
import { nearest } from "../../config/nearest.ts";
import type { Configuration } from "../../config/settings.ts";
import { type HandOver, handOver } from "../../runs/handOver.ts";
import { Problem } from "../../sandbox/problem.ts";
import type { StackResult } from "./upStack.ts";

/**
 * Those of a list's stacks that have any of some members.
 * @throws Problem naming those who are not in the list
 */
export function stacksWith(
  names: readonly string[],
  stacks: readonly string[],
  { settings, members }: Configuration,
  snapshot: ClusterSnapshot,
): readonly string[] {
  const listed = members.map(({ name }) => name);
  const unknown = names.filter((name) => !listed.includes(name));
  if (unknown.length > 0) {
    const told = unknown.map((name) => `'${name}'${nearest(name, listed)}`);
    throw new Problem(`There is no member ${told.join(", ")} in the list of stack '${settings.stack}'.`, {
      why: "A run that is aimed at members makes and changes what is theirs; it removes nobody.",
      remedy: "Name members of the list. To remove who has left it, run it without --member.",
    });
  }
  return stacks.filter((stack) =>
    ownMembers(members, { ...settings, stack }, snapshot).some(({ name }) => names.includes(name)),
  );
}

/** How a round of runs is made, and what is known of the cluster now. */
export interface FamilyParts {
  /** The project's folder, absolute. */
  readonly folder: string;
  readonly configuration: Configuration;
  readonly look: () => Promise<ClusterSnapshot>;
  /** Runs stacks side by side. */
  readonly round: (stacks: readonly string[]) => Promise<readonly StackResult[]>;
  readonly tell: (message: string) => void;
}

/**
 * Brings up all stacks of a list that is split, and hands over who belongs to another by now: before it, to those that have
 * been up, and after it to those that are new. Whoever gets somebody runs before whoever had them.
 * @returns what became of each stack, also of those that the list does not need any more
 */
export async function upFamily(stacks: readonly string[], parts: FamilyParts): Promise<readonly StackResult[]> {
  const { folder, configuration, look, round, tell } = parts;
  const all: StackResult[] = [];
  const rounds = async ({ moved }: HandOver, further: readonly string[]) => {
    const getting = new Set(moved.map(({ to }) => to));
    const having = new Set(moved.map(({ from }) => from));
    const first = [...new Set([...getting, ...further.filter((stack) => getting.has(stack))])];
    const then = [...new Set([...further, ...having])].filter((stack) => !getting.has(stack));
    for (const some of [first, then]) {
      all.push(...(await round(some)));
    }
  };
  const snapshot = await look();
  const before = await handOver(configuration, snapshot, { folder, tell });
  // Also those that the list does not need any more, as long as somebody lives there, or has left something.
  await rounds(before, [...stacks, ...stacksInUse(configuration.settings, snapshot)]);
  const isFine = all.every(({ outcome }) => outcome === "succeeded" || outcome === "unchanged");
  if (before.left.length === 0 || !isFine) {
    return mergedResults(all, before);
  }
  const after = await handOver(configuration, await look(), { folder, tell });
  await rounds(after, []);
  return mergedResults(all, after);
}

/** One result for each stack, in the order in which they ran first; with who could not be handed over. */
export function mergedResults(results: readonly StackResult[], { left }: Pick<HandOver, "left">): StackResult[] {
  const byStack = Map.groupBy(results, ({ stack }) => stack);
  return [...byStack].map(([stack, all]) => {
    const [first, last] = [all[0], all.at(-1)];
    if (first === undefined || last === undefined) {
      throw new Error(`nothing came of stack ${stack}`);
    }
    const did = all.find(({ outcome }) => outcome !== "unchanged") ?? first;
    const stays = left
      .filter(({ from }) => from === stack)
      .map(({ member, to, why }) => `${member} stays here, and is not handed over to ${to}: ${why}`);
    return {
      ...last,
      plan: did.plan,
      outcome: last.outcome === "unchanged" ? did.outcome : last.outcome,
      changes: all.flatMap(({ changes }) => changes),
      members: [...new Set(all.flatMap(({ members }) => members))].sort(),
      warnings: [...new Set([...all.flatMap(({ warnings }) => warnings), ...stays])],
    };
  });
}
