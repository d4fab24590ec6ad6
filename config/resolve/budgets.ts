import { present } from "../model/maps.ts";
import type { Budget } from "../model/settings.ts";
import type { BudgetEntry } from "../schema/budgets.ts";
import type { Valid } from "../schema/issues.ts";
import { given } from "./given.ts";
import { selectorOf } from "./selector.ts";

/** Budgets of valid entries. */
export const budgetsOf = (entries: Valid<readonly BudgetEntry[]>): Budget[] =>
  present(entries).map(({ name = "", over, ...figures }) => ({
    name,
    over: selectorOf(over),
    most: given(figures, "maxCPUm", "maxMemoryMiB", "storageMiB"),
  }));
