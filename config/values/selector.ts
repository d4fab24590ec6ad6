import { z } from "zod";
import type { Member } from "../member/member.ts";
import type { RuleContext } from "../rule.ts";
import type { EntryOf } from "./issues.ts";
import { defined, present } from "./maps.ts";
import { type RawMistake, valueMistake } from "./mistakes.ts";
import { nearest } from "./nearest.ts";
import { labels, optional, text } from "./values.ts";

export const selectorSchema = z.strictObject(
  {
    types: optional(
      z.array(text, "must be a list of types").min(1, "must name a type"),
      "Types; a member has one of them. Default: any.",
      { examples: [["user"]] },
    ),
    labels: optional(labels, "Labels; a member has all of them. Default: any.", { examples: [{ course: "cs101" }] }),
    members: optional(
      z.array(text, "must be a list of members' names").min(1, "must name a member"),
      "Members by name. Default: any.",
      { examples: [["alice"]] },
    ),
  },
  "must be a map with types, labels or members",
);

/** Some of a stack's members: those that fit each of its keys. An absent key fits any. */
export type Selector = Readonly<ReturnType<typeof selectorOf>>;

/** @param entry undefined for all members */
export const selectorOf = ({ types, labels = {}, members }: EntryOf<typeof selectorSchema> = {}) => ({
  labels: labels as Readonly<Record<string, string>>,
  ...defined({ types: types && present(types), members: members && present(members) }),
});

/** Whether a selector fits a member: each of its keys does. */
export const isSelected = (
  { name, type, labels }: Pick<Member, "name" | "labels"> & { readonly type: Pick<Member["type"], "name"> },
  selector: Selector,
) =>
  selector.types?.includes(type.name) !== false &&
  selector.members?.includes(name) !== false &&
  Object.entries(selector.labels).every(([key, value]) => labels[key] === value);

/** Types and members that are not there. A label that nobody has is no mistake: a course may have no members yet. */
export function selectorMistakes(
  at: readonly PropertyKey[],
  selector: EntryOf<typeof selectorSchema> | undefined,
  { candidates, typeNames }: Pick<RuleContext, "candidates" | "typeNames">,
): RawMistake[] {
  const names = candidates.flatMap(({ entry: { member } }) => member ?? []);
  const missing = (key: "types" | "members", what: string, known: readonly string[]) =>
    (selector?.[key] ?? []).flatMap((name, index) =>
      name === undefined || known.includes(name)
        ? []
        : [valueMistake([...at, key, index], name, `is no ${what}${nearest(name, known)}`)],
    );
  return [
    ...(typeNames === undefined ? [] : missing("types", "member type", typeNames)),
    ...missing("members", "member of the list", names),
  ];
}
