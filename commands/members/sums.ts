import { compare } from "../../cluster/kinds/compare.ts";
import { quantityValue } from "../../cluster/kinds/quantity.ts";
import { cpuQuantity, memoryQuantity } from "../../plan/objects/quantity.ts";
import { table } from "../common/table.ts";
import type { MemberOverview, Usage } from "./overview/overview.ts";
import { memoryText, ofHard, quantities } from "./rows.ts";

/** Members with one value of a label, and their quotas in sum. */
export interface MemberGroup {
  /** Undefined for members without the label. */
  readonly value: string | undefined;
  readonly members: number;
  /** Number of those whose use nothing bounds; they are in no sum. */
  readonly withoutQuota: number;
  /** By the quota's resource names; undefined where nobody has a quota. */
  readonly usage: Readonly<Record<Summed, Usage | undefined>>;
}

const mebibyte = 1024 ** 2;
const bytesQuantity = (bytes: number) => (bytes % mebibyte === 0 ? memoryQuantity(bytes / mebibyte) : String(bytes));

/** Summed resources, each with a sum's quantity. */
const summed = {
  "limits.cpu": (cpus: number) => cpuQuantity(Math.round(cpus * 1000)),
  "limits.memory": bytesQuantity,
  "requests.storage": bytesQuantity,
} as const;

type Summed = keyof typeof summed;

/** Groups by value, in its order; members without one come last. */
export function groupsOf(
  members: readonly MemberOverview[],
  groupOf: (member: MemberOverview) => string | undefined,
): MemberGroup[] {
  return [...Map.groupBy(members, groupOf)]
    .sort(([a], [b]) => Number(a === undefined) - Number(b === undefined) || compare(a ?? "", b ?? ""))
    .map(([value, all]) => ({
      value,
      members: all.length,
      withoutQuota: all.filter(({ usage }) => usage?.["limits.cpu"] === undefined).length,
      usage: {
        "limits.cpu": sumOf("limits.cpu", all),
        "limits.memory": sumOf("limits.memory", all),
        "requests.storage": sumOf("requests.storage", all),
      },
    }));
}

/** Sum of quotas; the use is unknown until the API server has counted everybody's. */
function sumOf(resource: Summed, members: readonly MemberOverview[]): Usage | undefined {
  const all = members.flatMap(({ usage }) => usage?.[resource] ?? []);
  const sum = (quantities: readonly string[]) =>
    summed[resource](quantities.reduce((total, quantity) => total + (quantityValue(quantity) ?? 0), 0));
  const used = all.flatMap((usage) => usage.used ?? []);
  return all.length === 0
    ? undefined
    : { used: used.length < all.length ? undefined : sum(used), hard: sum(all.map(({ hard }) => hard)) };
}

/**
 * A line for each group.
 * @param label key of the label
 * @param width columns of the terminal; undefined for a pipe, where nothing is cut
 * @param bytes text of memory and storage. Default: rounded up to MiB
 */
export function groupsTable(
  label: string,
  groups: readonly MemberGroup[],
  width: number | undefined,
  bytes: (quantity: string) => string = memoryText,
): string {
  // As in the columns of 'kubectl get -L'.
  const [name = label] = label.split("/").slice(-1);
  const rows = groups.map(({ value = "(none)", members, withoutQuota, usage }) => [
    value,
    String(members),
    String(withoutQuota),
    ofHard(usage["limits.cpu"]),
    ofHard(usage["limits.memory"], bytes),
    ofHard(usage["requests.storage"], bytes),
  ]);
  return table([[name.toUpperCase(), "MEMBERS", "NO QUOTA", "CPU", "MEMORY", "STORAGE"], ...rows], { width, cut: [0] });
}

/** A group for `-o json`; see docs/reference/commands.md for its keys. */
export function groupJson(label: string, { value, members, withoutQuota, usage }: MemberGroup) {
  return {
    label,
    value: value ?? null,
    members,
    withoutQuota,
    cpu: quantities(usage["limits.cpu"], "Millicores", 1000),
    memory: quantities(usage["limits.memory"], "Bytes"),
    storage: quantities(usage["requests.storage"], "Bytes"),
  };
}
