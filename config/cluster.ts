import { z } from "zod";
import { storageMiB } from "./member/limits.ts";
import { type Quota, quotasIn } from "./member/quotas.ts";
import type { Rule } from "./rule.ts";
import type { Valid } from "./values/issues.ts";
import { given, when } from "./values/maps.ts";
import { valueMistake } from "./values/mistakes.ts";
import { amount, clusterDomain, clusterId, contact, cpu, memory, optional, text } from "./values/values.ts";

export const clusterSchema = optional(
  z.strictObject(
    {
      context: optional(text, "Kubeconfig context. Default: the current one."),
      id: optional(
        clusterId,
        "UID of the namespace `kube-system`. A run stops at any other cluster. Default: any cluster.",
      ),
      domain: optional(
        clusterDomain,
        "DNS domain of Services. A run stops if the API server's certificate names another. Default: `cluster.local`.",
      ),
    },
    "must be a map",
  ),
  "The stack's cluster.",
  { examples: [{ context: "prod", id: "0b9c7f0e-6a51-4c6f-9c0e-2f1d3a4b5c6d" }] },
);

export const clusterOf = (entry: Valid<z.input<typeof clusterSchema>> = {}) => given(entry, "context", "id", "domain");

/** @param id undefined if nobody could read the cluster's @param declared the stack's `cluster.id` */
export const anotherClusterText = (id: string | undefined, declared: string): string =>
  `this is another cluster: its id is ${id ?? "not known"}, and the stack's (cluster.id) is ${declared}; ` +
  "switch to the right context, or change cluster.id if the cluster was rebuilt";

export const defaultContact = "your cluster's admin";

export const contactSchema = optional(contact, "Contact that refusals name.", {
  default: defaultContact,
  examples: ["platform@example.org"],
});

export const capacitySchema = optional(
  z.strictObject(
    {
      cpuMillicores: optional(cpu, "In thousandths of a CPU. Default: not checked."),
      memoryMiB: optional(memory, "In MiB. Default: not checked."),
      storageMiB: optional(amount(1, 1_000_000_000_000, "MiB"), "In MiB. Default: not checked."),
    },
    "must be a map",
  ),
  "The cluster's capacity for members. A run stops if their quotas add up to more. Members without a quota don't count.",
  { examples: [{ cpuMillicores: 64_000, memoryMiB: 262_144, storageMiB: 2_000_000 }] },
);

const shares = {
  cpuMillicores: ({ limits }: Quota) => limits.maxCpuMillicores,
  memoryMiB: ({ limits }: Quota) => limits.maxMemoryMiB,
  storageMiB,
} as const;

/** The sum leaves out invalid figures: a sum that is too high without them is too high with them. */
export const capacityRule: Rule = (all) => {
  const { capacity } = all.entry;
  if (capacity === undefined) {
    return [];
  }
  const quotas = quotasIn(all);
  return (["cpuMillicores", "memoryMiB", "storageMiB"] as const).flatMap((figure) => {
    const most = capacity[figure];
    const known = quotas.map(shares[figure]).filter((share) => !Number.isNaN(share));
    const sum = known.reduce((total, share) => total + share, 0);
    const whose = known.length === 1 ? "the quota of a member" : `the sum of the quotas of ${known.length} members`;
    return when(
      most !== undefined && most < sum,
      valueMistake(["capacity", figure], most, `is less than ${whose} (${sum})`),
    );
  });
};
