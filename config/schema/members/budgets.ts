import { z } from "zod";
import type { BudgetKey } from "../../model/members/budgets.ts";
import { amount, cpu, dnsLabel, memory, optional, size } from "../values.ts";
import { deviceName, storageClassName } from "./confinement.ts";
import { selectorSchema } from "./selector.ts";

/** Highest sum of each figure. */
const figures = {
  maxCPUm: optional(cpu, "Highest sum of `maxCPUm`, in thousandths of a CPU. Default: not bounded."),
  maxMemoryMiB: optional(memory, "Highest sum of `maxMemoryMiB`. Default: not bounded."),
  storageMiB: optional(
    amount(1, 1_000_000_000_000, "MiB"),
    "Highest sum of the quotas of storage, `numOfPVCs` times `maxPVCSizeMiB`. Default: not bounded.",
  ),
  devices: optional(
    z.record(deviceName, amount(0, 1_000_000_000, "devices"), "must be a map of devices with their numbers"),
    "Highest sum of `devices`, by extended resource or DRA DeviceClass. Default: not bounded.",
    { examples: [{ "nvidia.com/gpu": 8 }] },
  ),
  storage: optional(
    z.record(storageClassName, size, "must be a map of StorageClasses with their sizes"),
    "Highest sum of `storage`, by StorageClass, such as `500Gi`. Default: not bounded.",
    { examples: [{ fast: "200Gi" }] },
  ),
} satisfies Readonly<Record<BudgetKey, z.ZodType>>;

export const budgetSchema = z.strictObject(
  {
    name: dnsLabel.meta({ description: "Name in messages: a DNS label.", examples: ["cs101"] }),
    over: optional(selectorSchema, "The members whose quotas count. Default: all.", {
      examples: [{ labels: { course: "cs101" } }],
    }),
    ...figures,
  },
  "must be a budget: a name, and at least one of maxCPUm, maxMemoryMiB, storageMiB, devices and storage",
);

/** A budget: what the quotas of some members may add up to. */
export type BudgetEntry = z.input<typeof budgetSchema>;
