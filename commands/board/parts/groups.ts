import { compare } from "../../../cluster/kinds/compare.ts";
import type { BoardMember, BoardModel } from "../model.ts";

/** The states, those first that an admin may have to do something about. */
const states = [
  "pending",
  "leaving",
  "expired",
  "suspended",
  "asleep",
  "ready",
] as const satisfies readonly BoardMember["state"][];

/** Keys of the labels that members have, and `type`, which as for `members --by` is never a label. */
export const labelKeys = ({ members }: Pick<BoardModel, "members">): string[] => [
  ...[...new Set(members.flatMap(({ labels }) => Object.keys(labels)))].filter((key) => key !== "type").sort(compare),
  "type",
];

/** A member's value of a label, or of `type`. */
export const labelOf = ({ labels, type }: BoardMember, key: string): string | undefined =>
  key === "type" ? type : Object.hasOwn(labels, key) ? labels[key] : undefined;

/** Members by state, without the states that nobody is in. */
export const byState = (members: readonly BoardMember[]): [BoardMember["state"], BoardMember[]][] =>
  states.flatMap((state): [BoardMember["state"], BoardMember[]][] => {
    const all = members.filter((member) => member.state === state);
    return all.length === 0 ? [] : [[state, all]];
  });
