import { quantityValue } from "../../cluster/kinds/quantity.ts";
import { compare } from "../../config/values/sentences.ts";
import { countQuantity, cpuQuantity, memoryQuantity } from "../../objects/quantity.ts";
import { deviceIn, storageClassIn } from "../../objects/quotaClasses.ts";
import type { MemberOverview, Usage } from "../../plan/members/overview.ts";

const mebibyte = 1024 ** 2;

/** Memory in MiB, rounded up, or a larger unit where it is whole. */
export function memoryText(quantity: string): string {
  const bytes = quantityValue(quantity);
  return bytes === undefined ? quantity : memoryQuantity(Math.ceil(bytes / mebibyte));
}

/** Usage by device or StorageClass name, sorted. */
export function classesIn(usage: MemberOverview["usage"], nameIn: (resource: string) => string | undefined) {
  return Object.entries(usage ?? {})
    .flatMap(([resource, each]): [string, Usage][] => {
      const name = nameIn(resource);
      return name === undefined ? [] : [[name, each]];
    })
    .sort(([a], [b]) => compare(a, b));
}

export interface MemberGroup<M = MemberOverview> {
  readonly value: string | undefined;
  readonly members: number;
  readonly all: readonly M[];
  /** Number of those whose use nothing bounds; they are in no sum. */
  readonly withoutQuota: number;
  /** By the quota's resource names; devices and StorageClasses are among them. Without those that no quota of theirs has. */
  readonly usage: Readonly<Record<string, Usage>>;
}

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
