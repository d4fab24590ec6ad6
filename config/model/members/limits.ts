import type { MemberType } from "./memberTypes.ts";

/** One figure of a member's limits. */
interface LimitFigure {
  /** Key in the configuration. */
  readonly key: string;
  /** Second key that the Members operator accepts. */
  readonly also?: string;
  /** The Members operator's own figure, used if neither member, type nor stack has one. */
  readonly default: number;
}

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

/** Keys of the figures in the configuration, the operator's second keys included; the schema has an entry for each. */
export type LimitKey = Figure["key"] | Extract<Figure, { readonly also: string }>["also"];

/** Least CPU limit of a container where there is a quota: the kubelet gives each that much. */
export const leastCpuMillicores = 10;

/** Limits of a member's pods, volumes and objects. */
export type MemberLimits = { readonly [Figure in keyof typeof limitFigures]: number };

/** Builds limits, one figure at a time. */
export const limitsBy = (figureOf: (figure: LimitFigure) => number): MemberLimits =>
  Object.fromEntries(Object.entries(limitFigures).map(([name, figure]) => [name, figureOf(figure)])) as MemberLimits;

/** Most storage of all of a member's claims, in MiB: by number and size, and by StorageClass if the type names some. */
export function storageMiB({ type, limits }: { readonly type: MemberType; readonly limits: MemberLimits }): number {
  const most = limits.persistentVolumeClaims * limits.maxPersistentVolumeClaimMiB;
  const ofClasses = type.storage && Object.values(type.storage).reduce((sum, each) => sum + each, 0);
  return Math.min(most, ofClasses ?? most);
}
