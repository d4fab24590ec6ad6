import { z } from "zod";
import type { Budget, BudgetEntry } from "../budgets.ts";
import type { Valid } from "../values/issues.ts";
import { byName, defined, given, present } from "../values/maps.ts";
import { labels, optional, sizeMiB, text } from "../values/values.ts";
import type { Member, Selector } from "./member.ts";

/** Some of the members. */
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

/** Members that fit each of the keys; without a key, all. */
export type SelectorEntry = z.input<typeof selectorSchema>;

/** @param entry undefined for all members */
export const selectorOf = ({ types, labels = {}, members }: Valid<SelectorEntry> = {}): Selector => ({
  labels,
  ...defined({ types: types && present(types), members: members && present(members) }),
});

/** Whether a selector fits a member: each of its keys does. */
export const isSelected = ({ name, type, labels }: Pick<Member, "name" | "type" | "labels">, selector: Selector) =>
  selector.types?.includes(type.name) !== false &&
  selector.members?.includes(name) !== false &&
  Object.entries(selector.labels).every(([key, value]) => labels[key] === value);

/** Budgets of valid entries. */
export const budgetsOf = (entries: Valid<readonly BudgetEntry[]>): Budget[] =>
  present(entries).map((entry) => ({
    name: entry.name ?? "",
    over: selectorOf(entry.over),
    most: boundsOf(entry),
  }));

const named = (key: "devices" | "storage", amounts: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [`${key} ${name}` as const, amount]));

/** Highest sums by figure. */
export function boundsOf({ devices = {}, storage = {}, ...figures }: Valid<BudgetEntry>): Budget["most"] {
  return {
    ...given(figures, "maxCPUm", "maxMemoryMiB", "storageMiB"),
    ...named(
      "devices",
      byName(devices, (number) => number),
    ),
    ...named("storage", byName(storage, sizeMiB)),
  };
}
