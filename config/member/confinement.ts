import { z } from "zod";
import type { Valid } from "../values/issues.ts";
import { byName, defined, given } from "../values/maps.ts";
import { amount, choiceOf, dnsSubdomain, labelKey, labels, labelText, optional, size, text } from "../values/values.ts";
import type { Member } from "./member.ts";
import type { MemberType, MemberTypeEntry } from "./types.ts";

/** RuntimeClasses of a member's pods. */
export interface RuntimeClasses {
  /** A pod has one of these; if there are none, it names none. */
  readonly allowed: readonly string[];
  /** The one that a pod gets which names none. Default: such a pod is refused. */
  readonly default?: string;
}

/** Settings of types and members that admission policies enforce, by the policy's name. */
export interface Confinement {
  readonly devices?: {
    /** Whether there are DRA DeviceClasses among them, for which members make ResourceClaims. */
    readonly claims: boolean;
  };
  readonly storage?: true;
  readonly runtimes?: true;
  /** All pools, each once. */
  readonly pools?: readonly Pool[];
  readonly users?: true;
  /** Whether something of it is filled in where pods leave it out. */
  readonly fillsIn?: true;
}

/**
 * A taint that pods tolerate; an absent effect means any.
 * @see https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/
 */
export interface Toleration {
  readonly key: string;
  readonly operator: "Equal" | "Exists";
  /** Absent with `Exists`. */
  readonly value?: string;
  readonly effect?: "NoSchedule" | "PreferNoSchedule" | "NoExecute";
}

/** Nodes that only the pods of some members run on, and these on no others. */
export interface Pool {
  /** Labels of the nodes. */
  readonly nodeSelector: Readonly<Record<string, string>>;
  /** Taints that keep others' pods off the nodes. */
  readonly tolerations: readonly Toleration[];
}

/** A quota's key has at most 253 characters before its '/', with `.deviceclass.resource.k8s.io` among them. */
const longestName = 225;

const domain = "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";

const device = new RegExp(
  `^(?!requests\\.|.*kubernetes\\.io/)(?=[^/]{1,${longestName}}(/|$))${domain}(/[A-Za-z0-9]([-\\w.]{0,61}[A-Za-z0-9])?)?$`,
);

/** An extended resource or a DRA DeviceClass. */
export const deviceName = text.regex(
  device,
  "can't be a device: name an extended resource such as nvidia.com/gpu, or a DeviceClass such as gpu.nvidia.com",
);

export const storageClassName = dnsSubdomain.max(longestName, `must have at most ${longestName} characters`);

export const toleration = z.strictObject(
  {
    key: labelKey("a taint's key"),
    operator: optional(choiceOf(["Equal", "Exists"]), "Default: `Equal`."),
    value: labelText.optional(),
    effect: choiceOf(["NoSchedule", "PreferNoSchedule", "NoExecute"]).optional(),
  },
  "must be a map with key, operator, value and effect",
);

/** Traits of a type or a member that hold what their pods and claims use, and where they run. */
export const confinement = (meta: (description: string, otherwise: string) => z.core.GlobalMeta) => ({
  devices: z
    .record(deviceName, amount(0, 1_000_000, "devices"), "must be a map of devices with their numbers")
    .optional()
    .meta({
      ...meta(
        "Quota of devices, by extended resource or DRA DeviceClass; pods can have no others. See [labs.md](../run/labs.md).",
        "any devices, uncounted",
      ),
      examples: [{ "nvidia.com/gpu": 1 }],
    }),
  storage: z
    .record(storageClassName, size, "must be a map of StorageClasses with their sizes")
    .optional()
    .meta({
      ...meta(
        "Quota of storage by StorageClass, such as `20Gi`; claims can have no other class. The largest is also the default of `maxPVCSizeMiB`.",
        "any class",
      ),
      examples: [{ fast: "20Gi", bulk: 0 }],
    }),
  runtimeClasses: z
    .strictObject(
      {
        allowed: z
          .array(dnsSubdomain, "must be a list of RuntimeClasses")
          .meta({ description: "RuntimeClasses that pods may have; an empty list allows none." }),
        default: optional(dnsSubdomain, "RuntimeClass of pods that name none. Default: such pods are refused."),
      },
      "must be a map with allowed and default",
    )
    .optional()
    .meta({
      ...meta("RuntimeClasses of pods.", "any"),
      examples: [{ allowed: ["gvisor"], default: "gvisor" }],
    }),
  pool: z
    .strictObject(
      {
        nodeSelector: labels
          .refine((value) => Object.keys(value).length > 0, "must have a label")
          .meta({ description: "Labels of the pool's nodes." }),
        tolerations: z
          .array(toleration, "must be a list of tolerations")
          .min(1, "must have one: without a taint on the pool's nodes, everybody's pods run there")
          .meta({
            description:
              "Taints of the pool's nodes, against others' pods: `key`, `operator` (`Equal` or `Exists`), `value`, `effect`.",
          }),
      },
      "must be a map with nodeSelector and tolerations",
    )
    .optional()
    .meta({
      ...meta("Nodes for these pods only.", "nodes of no pool"),
      examples: [
        {
          nodeSelector: { pool: "gpu" },
          tolerations: [{ key: "dedicated", value: "gpu", effect: "NoSchedule" }],
        },
      ],
    }),
  userNamespaces: choiceOf(["required"])
    .optional()
    .meta({
      ...meta(
        "`required`: each pod has its own user namespace (`hostUsers: false`), which nodes must support.",
        "pods may",
      ),
      examples: ["required"],
    }),
});

/** Whether something is filled in where pods of a type leave it out. */
export const isFilledIn = ({ runtimeClasses, pool, userNamespaces }: Omit<MemberType, "name">) =>
  runtimeClasses?.default !== undefined || pool !== undefined || userNamespaces !== undefined;

/** Whether a device's name is that of a DRA DeviceClass rather than of an extended resource. */
export const isDeviceClass = (device: string) => !device.includes("/");

/** Whether a member's pods get devices by ResourceClaims, which the member makes. */
export const usesClaims = ({ devices = {} }: Pick<MemberType, "devices">) => Object.keys(devices).some(isDeviceClass);

/** Name of a pool, which says all of it: `pool=gpu dedicated=gpu:NoSchedule`. */
export const poolName = ({ nodeSelector, tolerations }: Pool): string =>
  [Object.entries(nodeSelector).map(([key, value]) => `${key}=${value}`), tolerations.map(tolerationText)]
    .map((parts) => parts.join(","))
    .join(" ");

/** As `kubectl taint` has it: `dedicated=gpu:NoSchedule`, or `dedicated` for any value and effect. */
export const tolerationText = ({
  key,
  operator,
  value,
  effect,
}: Omit<Toleration, "effect"> & { readonly effect?: string | undefined }): string =>
  `${key}${operator === "Exists" ? "" : `=${value ?? ""}`}${effect === undefined ? "" : `:${effect}`}`;

/** Labels of Kubernetes' own, such as a node's zone, are nobody's: any pod may choose nodes by them. */
export const isKubernetesOwn = (key: string): boolean => /^([^/]*\.)?(kubernetes|k8s)\.io\//.test(key);

export function poolOf({ nodeSelector = {}, tolerations = [] }: Valid<NonNullable<MemberTypeEntry["pool"]>>): Pool {
  return {
    nodeSelector: byName(nodeSelector, (value) => value),
    tolerations: tolerations.flatMap((toleration): Toleration[] => {
      const { key, operator = "Equal", value = "" } = toleration ?? {};
      // A toleration without a valid key is a mistake.
      return key === undefined
        ? []
        : [{ key, operator, ...(operator === "Equal" ? { value } : {}), ...given(toleration ?? {}, "effect") }];
    }),
  };
}

/**
 * Policies that types and members need. Counts types without members too, so that a stack's policies don't come and go
 * with its members. Undefined if none is needed.
 */
export function confinementOf(
  types: Iterable<MemberType>,
  members: readonly Pick<Member, "type">[],
): Confinement | undefined {
  const all = [...types, ...members.map(({ type }) => type)];
  const counted = all.filter(({ devices }) => devices !== undefined);
  const pools = new Map(all.flatMap(({ pool }) => (pool === undefined ? [] : [[poolName(pool), pool]])));
  const isAny = (has: (type: MemberType) => unknown) => all.some(has) || undefined;
  const confinement: Confinement = defined({
    devices: counted.length === 0 ? undefined : { claims: counted.some(usesClaims) },
    storage: isAny(({ storage }) => storage),
    runtimes: isAny(({ runtimeClasses }) => runtimeClasses),
    pools: pools.size === 0 ? undefined : [...pools.keys()].sort().flatMap((name) => pools.get(name) ?? []),
    users: isAny(({ userNamespaces }) => userNamespaces),
    fillsIn: isAny(isFilledIn),
  });
  return Object.keys(confinement).length === 0 ? undefined : confinement;
}
