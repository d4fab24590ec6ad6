import { z } from "zod";
import type { BudgetFigure } from "../model/budgets.ts";
import { selectorSchema } from "./selector.ts";
import { amount, cpu, dnsLabel, memory } from "./values.ts";

/** Highest sum of each figure. */
const figures = {
  maxCPUm: cpu
    .optional()
    .meta({ description: "Highest sum of `maxCPUm`, in thousandths of a CPU. Default: not bounded." }),
  maxMemoryMiB: memory.optional().meta({ description: "Highest sum of `maxMemoryMiB`. Default: not bounded." }),
  storageMiB: amount(1, 1_000_000_000_000, "MiB").optional().meta({
    description: "Highest sum of the quotas of storage, `numOfPVCs` times `maxPVCSizeMiB`. Default: not bounded.",
  }),
} satisfies Readonly<Record<BudgetFigure, z.ZodType>>;

export const budgetSchema = z.strictObject(
  {
    name: dnsLabel.meta({ description: "Name in messages: a DNS label.", examples: ["cs101"] }),
    over: selectorSchema.optional().meta({
      description: "The members whose quotas count. Default: all.",
      examples: [{ labels: { course: "cs101" } }],
    }),
    ...figures,
  },
  "must be a budget: a name, and at least one of maxCPUm, maxMemoryMiB and storageMiB",
);

/** A budget: what the quotas of some members may add up to. */
export type BudgetEntry = z.input<typeof budgetSchema>;
