import type { Member } from "../../config/member/member.ts";
import { isOfFamily } from "../../config/shards.ts";
import { nearest } from "../../config/values/nearest.ts";
import type { MemberOverview } from "../../plan/members/overview.ts";
import { Problem } from "../common/problem.ts";
import { readStack } from "../common/stackFile.ts";

interface List {
  readonly isOf: (stack: string) => boolean;
  readonly members: readonly Member[];
}

export function listsOf(stacks: readonly string[], folder: string) {
  const lists: List[] = [];
  const unread: { readonly stack: string; readonly problem: Problem }[] = [];
  for (const stack of new Set(stacks)) {
    if (lists.some(({ isOf }) => isOf(stack))) {
      continue;
    }
    try {
      const { settings, members } = readStack(stack, folder).configuration;
      const { shards } = settings;
      lists.push({ isOf: (other) => other === stack || (shards !== undefined && isOfFamily(other, shards)), members });
    } catch (problem) {
      if (!(problem instanceof Problem)) {
        throw problem;
      }
      unread.push({ stack, problem });
    }
  }
  return { lists, unread };
}

/** Labels of a member of the lists, which are in the stacks' files, not on the cluster; undefined without such a file. */
export function listedLabels(stacks: readonly string[], folder: string) {
  const { lists, unread } = listsOf(stacks, folder);
  const found = lists.map(({ isOf, members }) => ({ isOf, byName: new Map(members.map((each) => [each.name, each])) }));
  const of = ({ stack, member }: Pick<MemberOverview, "stack" | "member">) =>
    found.find(({ isOf }) => isOf(stack))?.byName.get(member)?.labels;
  return {
    of,
    keys: new Set(lists.flatMap(({ members }) => members.flatMap(({ labels }) => Object.keys(labels)))),
    unread,
  };
}

/** Value of a label by member, or of `type`. */
export function labelValues(
  label: string,
  stacks: readonly string[],
  folder: string,
): (member: Pick<MemberOverview, "stack" | "member" | "type">) => string | undefined {
  if (label === "type") {
    return ({ type }) => type;
  }
  const {
    of,
    keys,
    unread: [first],
  } = listedLabels(stacks, folder);
  if (first !== undefined) {
    throw first.problem;
  }
  if (!keys.has(label)) {
    const known = [...keys, "type"].sort();
    throw new Problem(`No member has the label '${label}'${nearest(label, known) || "."}`, {
      why: `The lists of ${[...new Set(stacks)].join(", ")} have ${known.join(", ")}.`,
      remedy: "Name one of these with --by, or give members the label (docs/run/budgets.md).",
    });
  }
  return (member) => of(member)?.[label];
}
