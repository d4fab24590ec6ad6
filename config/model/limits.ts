/** One figure of a member's limits. */
interface LimitFigure {
  /** What the configuration calls it. */
  readonly key: string;
  /** The operator's other spelling of it. */
  readonly also?: string;
  /** The operator's own figure, for whatever neither member, type nor stack says. */
  readonly default: number;
}

/** All of them: entries, limits, what they come to and the reference of settings follow from this table and the schema. */
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
  /** How many objects of every other kind that members can make, such as Services, ConfigMaps or Deployments. */
  objects: { key: "maxObjects", default: 100 },
  /** Sum of what all containers may write outside of volumes, in MiB. */
  maxEphemeralStorageMiB: { key: "maxEphemeralStorageMiB", default: 10_000 },
  /** The same of a container that states none, in MiB. */
  defaultEphemeralStorageMiB: { key: "defaultEphemeralStorageMiB", default: 1000 },
} as const satisfies Readonly<Record<string, LimitFigure>>;

type Figure = (typeof limitFigures)[keyof typeof limitFigures];

/** What the configuration calls the figures, the operator's other spellings included: the schema has an entry for each. */
export type LimitKey = Figure["key"] | Extract<Figure, { readonly also: string }>["also"];

/** What a member's pods and volumes may use. */
export type MemberLimits = { readonly [Figure in keyof typeof limitFigures]: number };

/** What each figure is by something else of it. */
export const limitsBy = (figureOf: (figure: LimitFigure) => number): MemberLimits =>
  Object.fromEntries(Object.entries(limitFigures).map(([name, figure]) => [name, figureOf(figure)])) as MemberLimits;
