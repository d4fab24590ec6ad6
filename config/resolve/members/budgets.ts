import { present } from "../../model/maps.ts";
import type { Budget, BudgetFigure } from "../../model/members/budgets.ts";
import type { Valid } from "../../schema/issues.ts";
import type { BudgetEntry } from "../../schema/members/budgets.ts";
import { sizeMiB } from "../../schema/values.ts";
import { given } from "../given.ts";
import { selectorOf } from "./selector.ts";

/** Budgets of valid entries. */
export const budgetsOf = (entries: Valid<readonly BudgetEntry[]>): Budget[] =>
  present(entries).map((entry) => ({
    name: entry.name ?? "",
    over: selectorOf(entry.over),
    most: boundsOf(entry),
  }));

/** Highest sums by figure. */
export function boundsOf({ devices = {}, storage = {}, ...figures }: Valid<BudgetEntry>): Budget["most"] {
  return {
    ...given(figures, "maxCPUm", "maxMemoryMiB", "storageMiB"),
    ...byName("devices", devices, (number) => number),
    ...byName("storage", storage, sizeMiB),
  };
}

/** Figures in the order of names: Pulumi sorts keys, while a file has them in any order. */
const byName = <T>(
  key: "devices" | "storage",
  map: Readonly<Record<string, T>>,
  read: (value: T) => number,
): Partial<Record<BudgetFigure, number>> =>
  Object.fromEntries(
    Object.keys(map)
      .sort()
      .map((name) => [`${key} ${name}`, read(map[name] as T)]),
  );
