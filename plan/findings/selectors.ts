import type { Member } from "../../config/model/members/member.ts";
import type { Selector } from "../../config/model/members/selector.ts";
import { nearest } from "../../config/model/nearest.ts";
import type { Settings } from "../../config/model/settings/settings.ts";
import { isSelected } from "../../config/resolve/members/selector.ts";
import type { Finding } from "../messages/finding.ts";

/** A selector, with its path in the settings, such as `staff[0].over`. */
interface PlacedSelector {
  readonly place: string;
  readonly selector: Selector;
}

/** All selectors of the settings. */
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

/**
 * Selectors that fit no member, with the nearest label that one has.
 * @param list all members, including those of other shards
 */
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
