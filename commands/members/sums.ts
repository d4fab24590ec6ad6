import { compare } from "../../cluster/kinds/compare.ts";
import { quantityValue } from "../../cluster/kinds/quantity.ts";
import { countQuantity, cpuQuantity, memoryQuantity } from "../../objects/quantity.ts";
import { deviceIn, storageClassIn } from "../../objects/quotaClasses.ts";
import { table } from "../common/table.ts";
import type { MemberOverview, Usage } from "./overview/overview.ts";
import { byClass, classesJson, memoryText, ofHard, quantities } from "./rows.ts";

/** Members with one value of a label, and their quotas in sum. */
export interface MemberGroup<M = MemberOverview> {
  /** Undefined for members without the label. */
  readonly value: string | undefined;
  readonly members: number;
  /** The members themselves. */
  readonly all: readonly M[];
  /** Number of those whose use nothing bounds; they are in no sum. */
  readonly withoutQuota: number;
  /** By the quota's resource names; devices and StorageClasses are among them. Without those that no quota of theirs has. */
  readonly usage: Readonly<Record<string, Usage>>;
}

const mebibyte = 1024 ** 2;
const bytesQuantity = (bytes: number) => (bytes % mebibyte === 0 ? memoryQuantity(bytes / mebibyte) : String(bytes));

/** Writes a sum as a quantity; undefined for a resource that is not summed up. */
function quantityOf(resource: string): ((sum: number) => string) | undefined {
  if (resource === "limits.cpu") {
    return (cpus) => cpuQuantity(Math.round(cpus * 1000));
  }
  if (["limits.memory", "requests.storage"].includes(resource) || storageClassIn(resource) !== undefined) {
    return bytesQuantity;
  }
  return deviceIn(resource) === undefined ? undefined : countQuantity;
}

/** Groups by value, in its order; members without one come last. */
export function groupsOf<M extends MemberOverview>(
  members: readonly M[],
  groupOf: (member: M) => string | undefined,
): MemberGroup<M>[] {
  return [...Map.groupBy(members, groupOf)]
    .sort(([a], [b]) => Number(a === undefined) - Number(b === undefined) || compare(a ?? "", b ?? ""))
    .map(([value, all]) => ({
      value,
      members: all.length,
      all,
      withoutQuota: all.filter(({ usage }) => usage?.["limits.cpu"] === undefined).length,
      usage: sumsOf(all),
    }));
}

function sumsOf(members: readonly MemberOverview[]): MemberGroup["usage"] {
  const resources = new Set(members.flatMap(({ usage = {} }) => Object.keys(usage)));
  return Object.fromEntries(
    [...resources].flatMap((resource) => {
      const text = quantityOf(resource);
      const all = members.flatMap(({ usage }) => usage?.[resource] ?? []);
      return text === undefined ? [] : [[resource, sumOf(all, text)]];
    }),
  );
}

/** Sum of quotas; the use is unknown until the API server has counted everybody's. */
function sumOf(all: readonly Usage[], text: (sum: number) => string): Usage {
  const sum = (quantities: readonly string[]) =>
    text(quantities.reduce((total, quantity) => total + (quantityValue(quantity) ?? 0), 0));
  const used = all.flatMap((usage) => usage.used ?? []);
  return { used: used.length < all.length ? undefined : sum(used), hard: sum(all.map(({ hard }) => hard)) };
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
    byClass(usage, deviceIn),
    byClass(usage, storageClassIn, bytes),
  ]);
  const headings = [name.toUpperCase(), "MEMBERS", "NO QUOTA", "CPU", "MEMORY", "STORAGE", "DEVICES", "CLASSES"];
  // Few stacks have devices or storage by class.
  const shown = headings.map((_, at) => at < headings.indexOf("DEVICES") || rows.some((row) => row[at] !== "-"));
  return table(
    [headings, ...rows].map((row) => row.filter((_, at) => shown[at])),
    { width, cut: [0] },
  );
}

/** A group for `-o json`; see docs/run/list-members.md for its keys. */
export function groupJson(label: string, { value, members, withoutQuota, usage }: MemberGroup) {
  return {
    label,
    value: value ?? null,
    members,
    withoutQuota,
    cpu: quantities(usage["limits.cpu"], "Millicores", 1000),
    memory: quantities(usage["limits.memory"], "Bytes"),
    storage: quantities(usage["requests.storage"], "Bytes"),
    ...classesJson(usage),
  };
}
