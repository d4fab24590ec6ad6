import { byName, defined, given, present } from "../../model/maps.ts";
import type { Budget } from "../../model/members/budgets.ts";
import type { Member, Selector } from "../../model/members/member.ts";
import type { Valid } from "../../schema/issues.ts";
import type { BudgetEntry } from "../../schema/members/budgets.ts";
import type { SelectorEntry } from "../../schema/members/selector.ts";
import { sizeMiB } from "../../schema/values.ts";

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
