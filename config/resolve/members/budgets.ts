import { byName, given, present } from "../../model/maps.ts";
import type { Budget } from "../../model/members/budgets.ts";
import type { Valid } from "../../schema/issues.ts";
import type { BudgetEntry } from "../../schema/members/budgets.ts";
import { sizeMiB } from "../../schema/values.ts";
import { selectorOf } from "./selector.ts";

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
