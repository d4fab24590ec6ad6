import { nearest } from "../model/nearest.ts";
import type { Valid } from "../schema/issues.ts";
import type { SelectorEntry } from "../schema/members/selector.ts";
import { type RawMistake, valueMistake } from "../sources/mistakes.ts";
import type { Candidate, RulesContext } from "./rules.ts";

/**
 * Mistakes: types and members that are not there. A label that nobody has is none: a course may have no members yet.
 * @param at path of the selector in the configuration
 */
export function selectorFindings(
  at: readonly PropertyKey[],
  selector: Valid<SelectorEntry> | undefined,
  candidates: readonly Candidate[],
  { typeNames }: Pick<RulesContext, "typeNames">,
): RawMistake[] {
  const names = candidates.flatMap(({ entry: { member } }) => member ?? []);
  const missing = (key: "types" | "members", what: string, known: readonly string[]) =>
    (selector?.[key] ?? []).flatMap((name, index): RawMistake[] =>
      name === undefined || known.includes(name)
        ? []
        : [valueMistake([...at, key, index], name, `is no ${what}${nearest(name, known)}`)],
    );
  return [
    ...(typeNames === undefined ? [] : missing("types", "member type", typeNames)),
    ...missing("members", "member of the list", names),
  ];
}
