import { z } from "zod";
import { defined } from "../values/maps.ts";
import { containerCpu, count, cpu, memory, optional, volume, volumes } from "../values/values.ts";
import type { MemberType } from "./types.ts";

/** @param key in the configuration, as the Members operator has it, whose own default this is */
const figure = <const Key extends string, Value extends z.ZodType>(
  key: Key,
  value: Value,
  standard: number,
  description: string,
) => ({ key, default: standard, setting: optional(value, description, { default: standard }) });

/** All figures. The types of entries and limits and the reference of the settings derive from this table. */
export const limitFigures = {
  maxCpuMillicores: figure("maxCPUm", cpu, 500, "Quota of CPU limits, in thousandths of a CPU."),
  maxMemoryMiB: figure("maxMemoryMiB", memory, 500, "Quota of memory limits, in MiB."),
  defaultCpuMillicores: figure(
    "defaultCPUm",
    containerCpu,
    100,
    "Default CPU request and limit of a container, in thousandths; at least 10, at most `maxCPUm`.",
  ),
  defaultMemoryMiB: figure(
    "defaultMemoryMiB",
    memory,
    100,
    "Default memory request and limit of a container, in MiB; at most `maxMemoryMiB`.",
  ),
  persistentVolumeClaims: figure("numOfPVCs", volumes, 5, "Quota of PersistentVolumeClaims."),
  maxPersistentVolumeClaimMiB: figure(
    "maxPVCSizeMiB",
    volume,
    1000,
    "Largest PersistentVolumeClaim, in MiB; times `numOfPVCs`, the quota of storage.",
  ),
  pods: figure(
    "maxPods",
    count("pods"),
    50,
    "Quota of pods, and the most that one object can request (without a quota, at least 1000).",
  ),
  objects: figure(
    "maxObjects",
    count("objects"),
    100,
    "Quota of each other kind, such as Secrets; five times as many for ReplicaSets, ten times for ControllerRevisions and finished pods; at most 40 Services, 40 HorizontalPodAutoscalers and 20 CronJobs, or two fifths of it and a fifth if that is more.",
  ),
  maxEphemeralStorageMiB: figure(
    "maxEphemeralStorageMiB",
    memory,
    10_000,
    "Quota of ephemeral storage, logs included, in MiB.",
  ),
  defaultEphemeralStorageMiB: figure(
    "defaultEphemeralStorageMiB",
    memory,
    1000,
    "Default limit of a container's ephemeral storage, in MiB; above it, the pod is evicted. At most `maxEphemeralStorageMiB`.",
  ),
};

type Figures = typeof limitFigures;

export type MemberLimits = { readonly [Figure in keyof Figures]: number };

/** Most storage of all of a member's claims, in MiB: by number and size, and by StorageClass if the type names some. */
export function storageMiB({ type, limits }: { readonly type: MemberType; readonly limits: MemberLimits }): number {
  const most = limits.persistentVolumeClaims * limits.maxPersistentVolumeClaimMiB;
  const ofClasses = type.storage && Object.values(type.storage).reduce((sum, each) => sum + each, 0);
  return Math.min(most, ofClasses ?? most);
}

export const limits = {
  ...(Object.fromEntries(Object.values(limitFigures).map(({ key, setting }) => [key, setting])) as {
    [Figure in Figures[keyof Figures] as Figure["key"]]: Figure["setting"];
  }),
  defaultMemoryMB: optional(memory, "The operator's name for `defaultMemoryMiB`, in MiB too. Default: as there."),
};

export const limitsSchema = z.strictObject(limits, "must be a map of limits");

export const defaultsSchema = optional(limitsSchema, "Limits that neither a member's entry nor the type sets.", {
  examples: [{ maxCPUm: 2000, maxMemoryMiB: 4096 }],
});

/** Limits with the operator's keys. Absent limits come from the type, then the stack, then the built-in figures. */
export type LimitsEntry = z.input<typeof limitsSchema>;

export function limitsOf(...entries: readonly (LimitsEntry | undefined)[]): MemberLimits {
  const given = entries.map(
    ({ defaultMemoryMB, ...entry } = {}): Partial<Record<string, number>> =>
      defined({ ...entry, defaultMemoryMiB: entry.defaultMemoryMiB ?? defaultMemoryMB }),
  );
  return Object.fromEntries(
    Object.entries(limitFigures).map(([name, { key, default: otherwise }]) => [
      name,
      given.find((entry) => entry[key] !== undefined)?.[key] ?? otherwise,
    ]),
  ) as MemberLimits;
}
