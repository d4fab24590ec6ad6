import type { Member } from "../../config/member/member.ts";
import type { Settings } from "../../config/settings.ts";
import { nearest } from "../../config/values/nearest.ts";
import { isSelected, type Selector } from "../../config/values/selector.ts";
import { compare } from "../../config/values/sentences.ts";
import type { Finding } from "../words/finding.ts";

/** Members who have left the list and are suspended until their removal, the next one first. */
export const inGrace = (members: readonly Member[]): Finding<"inGrace">[] =>
  members
    .flatMap(({ name, leaves, isUnarchived }) => (leaves === undefined || isUnarchived ? [] : [{ name, leaves }]))
    .sort((a, b) => compare(a.leaves, b.leaves) || compare(a.name, b.name))
    .map(({ name, leaves }) => ({ code: "inGrace", member: name, facts: { leaves } }));

/** Members whose day has come, and who are kept because there is no archive of theirs yet. */
export const unarchived = (members: readonly Member[], { stack, shards }: Settings): Finding<"unarchived">[] =>
  members
    .filter(({ isUnarchived }) => isUnarchived === true)
    .map(({ name }) => ({ code: "unarchived", member: name, facts: { stack: shards?.family ?? stack } }));

/** Members who run pods without a list of images. A list with `*` is a decision, so it is not reported. */
export function runningAnyImage(members: readonly Member[]): Finding[] {
  const names = members.flatMap(({ name, type, images }) =>
    type.home === "edit" && images === undefined ? [name] : [],
  );
  return names.length === 0 ? [] : [{ code: "anyImage", facts: { members: names } }];
}

const many = 300;

/** Number of members that fits one shard well. */
export const membersOfShard = 125;

/** GiB that a full run takes in Pulumi, program and plugin for so many members; measured with 100 and with 1,000. */
export const memoryOf = (members: number) => (600 + 4.6 * members) / 1024;

/** Warns of a list that is long enough to shard, with the memory that this saves; empty if it is sharded or short. */
export function unsplitList(list: readonly Member[], { shards }: Pick<Settings, "shards">): Finding[] {
  const count = Math.ceil(list.length / membersOfShard);
  return shards !== undefined || list.length < many
    ? []
    : [
        {
          code: "unsplit",
          facts: {
            members: list.length,
            shards: count,
            memory: { whole: memoryOf(list.length), shard: memoryOf(Math.ceil(list.length / count)) },
          },
        },
      ];
}

interface PlacedSelector {
  readonly place: string;
  readonly selector: Selector;
}

export const selectorsOf = ({
  budgets = [],
  staff = [],
  objects = [],
}: Pick<Settings, "budgets" | "staff" | "objects">): readonly PlacedSelector[] => [
  ...Object.entries({ budgets, staff }).flatMap(([setting, entries]) =>
    entries.map(({ over }, index) => ({ place: `${setting}[${index}].over`, selector: over })),
  ),
  ...objects.map(({ index, for: selector }) => ({ place: `objects[${index}].for`, selector })),
];

/** With the nearest label that a member has. @param list also other shards' members */
export const selectorsOverNobody = (selectors: readonly PlacedSelector[], list: readonly Member[]): Finding[] =>
  selectors
    .filter(({ selector }) => !list.some((member) => isSelected(member, selector)))
    .map(({ place, selector }) => ({ code: "selectsNobody", facts: { place, meant: meantLabel(selector, list) } }));

/** `; did you mean 'course=cs101'?` for the first label that no member has; empty if none is near. */
function meantLabel({ labels }: Selector, list: readonly Member[]): string {
  const known = new Set(list.flatMap((member) => Object.entries(member.labels).map(pairText)));
  const unknown = Object.entries(labels)
    .map(pairText)
    .find((label) => !known.has(label));
  return unknown === undefined ? "" : nearest(unknown, [...known]);
}

const pairText = ([key, value]: readonly [string, string]) => `${key}=${value}`;
