import { z } from "zod";
import { containerCpu, count, cpu, memory, optional, volume, volumes } from "../values/values.ts";
import type { MemberType } from "./types.ts";

/** One figure of a member's limits. */
interface LimitFigure {
  /** Key in the configuration. */
  readonly key: string;
  /** Second key that the Members operator accepts. */
  readonly also?: string;
  /** The Members operator's own figure, used if neither member, type nor stack has one. */
  readonly default: number;
}

/** Keys of the figures in the configuration, the operator's second keys included; the schema has an entry for each. */
type LimitKey = Figure["key"] | Extract<Figure, { readonly also: string }>["also"];

/**
 * All figures. The types of entries and limits and the reference of the settings derive from this table and the schema.
 */
export const limitFigures = {
  /** Sum of all containers' CPU limits, in thousandths of a CPU. */
  maxCpuMillicores: { key: "maxCPUm", default: 500 },
  /** Sum of all containers' memory limits, in MiB. */
  maxMemoryMiB: { key: "maxMemoryMiB", default: 500 },
  /** CPU of a container that states none, in thousandths of a CPU. */
  defaultCpuMillicores: { key: "defaultCPUm", default: 100 },
  /** Memory of a container that states none, in MiB. */
  defaultMemoryMiB: { key: "defaultMemoryMiB", also: "defaultMemoryMB", default: 100 },
  /** How many PersistentVolumeClaims. */
  persistentVolumeClaims: { key: "numOfPVCs", default: 5 },
  /** Size of a single PersistentVolumeClaim, in MiB. */
  maxPersistentVolumeClaimMiB: { key: "maxPVCSizeMiB", default: 1000 },
  /** How many pods. */
  pods: { key: "maxPods", default: 50 },
  /** How many objects of each other kind that members can create, such as ConfigMaps or Deployments; of some, fewer. */
  objects: { key: "maxObjects", default: 100 },
  /** Sum of what all containers may write outside of volumes, in MiB. */
  maxEphemeralStorageMiB: { key: "maxEphemeralStorageMiB", default: 10_000 },
  /** Ephemeral storage of a container that states none, in MiB. */
  defaultEphemeralStorageMiB: { key: "defaultEphemeralStorageMiB", default: 1000 },
} as const satisfies Readonly<Record<string, LimitFigure>>;

type Figure = (typeof limitFigures)[keyof typeof limitFigures];

/** Limits of a member's pods, volumes and objects. */
export type MemberLimits = { readonly [Figure in keyof typeof limitFigures]: number };

/** Builds limits, one figure at a time. */
const limitsBy = (figureOf: (figure: LimitFigure) => number): MemberLimits =>
  Object.fromEntries(Object.entries(limitFigures).map(([name, figure]) => [name, figureOf(figure)])) as MemberLimits;

/** Most storage of all of a member's claims, in MiB: by number and size, and by StorageClass if the type names some. */
export function storageMiB({ type, limits }: { readonly type: MemberType; readonly limits: MemberLimits }): number {
  const most = limits.persistentVolumeClaims * limits.maxPersistentVolumeClaimMiB;
  const ofClasses = type.storage && Object.values(type.storage).reduce((sum, each) => sum + each, 0);
  return Math.min(most, ofClasses ?? most);
}

/** A limit with its built-in default. */
const limit = <Value extends z.ZodType>(figure: keyof MemberLimits, value: Value, description: string) =>
  value.optional().meta({ description, default: limitFigures[figure].default });

export const limits = {
  maxCPUm: limit("maxCpuMillicores", cpu, "Quota of CPU limits, in thousandths of a CPU."),
  maxMemoryMiB: limit("maxMemoryMiB", memory, "Quota of memory limits, in MiB."),
  defaultCPUm: limit(
    "defaultCpuMillicores",
    containerCpu,
    "Default CPU request and limit of a container, in thousandths; at least 10, at most `maxCPUm`.",
  ),
  defaultMemoryMiB: limit(
    "defaultMemoryMiB",
    memory,
    "Default memory request and limit of a container, in MiB; at most `maxMemoryMiB`.",
  ),
  defaultMemoryMB: optional(memory, "The operator's name for `defaultMemoryMiB`, in MiB too. Default: as there."),
  numOfPVCs: limit("persistentVolumeClaims", volumes, "Quota of PersistentVolumeClaims."),
  maxPVCSizeMiB: limit(
    "maxPersistentVolumeClaimMiB",
    volume,
    "Largest PersistentVolumeClaim, in MiB; times `numOfPVCs`, the quota of storage.",
  ),
  maxPods: limit(
    "pods",
    count("pods"),
    "Quota of pods, and the most that one object can request (without a quota, at least 1000).",
  ),
  maxObjects: limit(
    "objects",
    count("objects"),
    "Quota of each other kind, such as Secrets; five times as many for ReplicaSets, ControllerRevisions and finished pods; at most 40 Services, 40 HorizontalPodAutoscalers and 20 CronJobs, or two fifths of it and a fifth if that is more.",
  ),
  maxEphemeralStorageMiB: limit("maxEphemeralStorageMiB", memory, "Quota of ephemeral storage, logs included, in MiB."),
  defaultEphemeralStorageMiB: limit(
    "defaultEphemeralStorageMiB",
    memory,
    "Default limit of a container's ephemeral storage, in MiB; above it, the pod is evicted. At most `maxEphemeralStorageMiB`.",
  ),
} satisfies Readonly<Record<LimitKey, z.ZodType>>;

export const limitsSchema = z.strictObject(limits, "must be a map of limits");

export const defaultsSchema = optional(limitsSchema, "Limits that neither a member's entry nor the type sets.", {
  examples: [{ maxCPUm: 2000, maxMemoryMiB: 4096 }],
});

/** Limits with the operator's keys. Absent limits come from the type, then the stack, then the built-in figures. */
export type LimitsEntry = z.input<typeof limitsSchema>;

/** Each figure from the first entry that has it, or else its default. */
export function limitsOf(...entries: readonly (LimitsEntry | undefined)[]): MemberLimits {
  const given = entries.map((entry): Partial<Record<string, number>> => entry ?? {});
  return limitsBy(({ key, also = key, default: otherwise }) => {
    const first = given.find((entry) => entry[key] !== undefined || entry[also] !== undefined) ?? {};
    return first[key] ?? first[also] ?? otherwise;
  });
}
