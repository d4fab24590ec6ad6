import { z } from "zod";
import type { EntryOf } from "../values/issues.ts";
import { byName, defined, given, present } from "../values/maps.ts";
import {
  amount,
  choiceOf,
  dnsSubdomain,
  labelKey,
  labels,
  labelText,
  optional,
  size,
  sizesMiB,
  text,
} from "../values/values.ts";
import type { Member } from "./member.ts";
import type { MemberType } from "./types.ts";

/** A quota's key has at most 253 characters before its '/', with `.deviceclass.resource.k8s.io` among them. */
const longestName = 225;

const domain = "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";

const device = new RegExp(
  `^(?!requests\\.|.*kubernetes\\.io/)(?=[^/]{1,${longestName}}(/|$))${domain}(/[A-Za-z0-9]([-\\w.]{0,61}[A-Za-z0-9])?)?$`,
);

export const deviceName = text.regex(
  device,
  "can't be a device: name an extended resource such as nvidia.com/gpu, or a DeviceClass such as gpu.nvidia.com",
);

export const storageClassName = dnsSubdomain.max(longestName, `must have at most ${longestName} characters`);

const tolerationSchema = z.strictObject(
  {
    key: labelKey("a taint's key"),
    operator: optional(choiceOf(["Equal", "Exists"]), "Default: `Equal`."),
    value: labelText.optional(),
    effect: choiceOf(["NoSchedule", "PreferNoSchedule", "NoExecute"]).optional(),
  },
  "must be a map with key, operator, value and effect",
);

/** Traits of a type or a member that hold what their pods and claims use, and where they run. */
export const confiningTraits = {
  devices: optional(
    z.record(deviceName, amount(0, 1_000_000, "devices"), "must be a map of devices with their numbers"),
    "Quota of devices, by extended resource or DRA DeviceClass; pods can have no others. See [labs.md](../run/labs.md). Default: any devices, uncounted.",
    { examples: [{ "nvidia.com/gpu": 1 }] },
  ),
  storage: optional(
    z.record(storageClassName, size, "must be a map of StorageClasses with their sizes"),
    "Quota of storage by StorageClass, such as `20Gi`; claims can have no other class. The largest is also the default of `maxPVCSizeMiB`. Default: any class.",
    { examples: [{ fast: "20Gi", bulk: 0 }] },
  ),
  runtimeClasses: optional(
    z.strictObject(
      {
        allowed: z
          .array(dnsSubdomain, "must be a list of RuntimeClasses")
          .meta({ description: "RuntimeClasses that pods may have; an empty list allows none." }),
        default: optional(dnsSubdomain, "RuntimeClass of pods that name none. Default: such pods are refused."),
      },
      "must be a map with allowed and default",
    ),
    "RuntimeClasses of pods. Default: any.",
    { examples: [{ allowed: ["gvisor"], default: "gvisor" }] },
  ),
  pool: optional(
    z.strictObject(
      {
        nodeSelector: labels
          .refine((value) => Object.keys(value).length > 0, "must have a label")
          .meta({ description: "Labels of the pool's nodes." }),
        tolerations: z
          .array(tolerationSchema, "must be a list of tolerations")
          .min(1, "must have one: without a taint on the pool's nodes, everybody's pods run there")
          .meta({
            description:
              "Taints of the pool's nodes, against others' pods: `key`, `operator` (`Equal` or `Exists`), `value`, `effect`.",
          }),
      },
      "must be a map with nodeSelector and tolerations",
    ),
    "Nodes for these pods only. Default: nodes of no pool.",
    {
      examples: [
        {
          nodeSelector: { pool: "gpu" },
          tolerations: [{ key: "dedicated", value: "gpu", effect: "NoSchedule" }],
        },
      ],
    },
  ),
  userNamespaces: optional(
    choiceOf(["required"]),
    "`required`: each pod has its own user namespace (`hostUsers: false`), which nodes must support. Default: pods may.",
    { examples: ["required"] },
  ),
};

type Entry = { readonly [Key in keyof typeof confiningTraits]?: EntryOf<(typeof confiningTraits)[Key]> | undefined };

/** Absent ones hold nothing. */
export type ConfiningTraits = Readonly<ReturnType<typeof confiningTraitsOf>>;

/** Storage is in MiB. */
export const confiningTraitsOf = (entry: Entry) => {
  const { devices, storage, runtimeClasses, pool } = entry;
  return {
    ...given(entry, "userNamespaces"),
    ...defined({
      devices: devices && byName(devices),
      storage: storage && byName(sizesMiB(storage)),
      runtimeClasses: runtimeClasses && {
        allowed: present(runtimeClasses.allowed),
        ...given(runtimeClasses, "default"),
      },
      pool: pool && poolOf(pool),
    }),
  };
};

/** Nodes that only the pods of some members run on, and these on no others. */
export type Pool = Readonly<ReturnType<typeof poolOf>>;

const poolOf = ({ nodeSelector = {}, tolerations = [] }: NonNullable<Entry["pool"]>) => ({
  nodeSelector: byName(nodeSelector),
  // A toleration without a valid key is a mistake.
  tolerations: present(tolerations).flatMap((each) => (each.key === undefined ? [] : [tolerationOf(each, each.key)])),
});

const tolerationOf = (entry: EntryOf<typeof tolerationSchema>, key: string) => ({
  key,
  operator: entry.operator ?? "Equal",
  ...(entry.operator === "Exists" ? {} : { value: entry.value ?? "" }),
  ...given(entry, "effect"),
});

export const isFilledIn = ({ runtimeClasses, pool, userNamespaces }: Omit<MemberType, "name">) =>
  runtimeClasses?.default !== undefined || pool !== undefined || userNamespaces !== undefined;

export const isDeviceClass = (device: string) => !device.includes("/");

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
  value = "",
  effect,
}: Readonly<Partial<Record<"key" | "operator" | "value" | "effect", string>>>) =>
  `${key}${operator === "Exists" ? "" : `=${value}`}${effect === undefined ? "" : `:${effect}`}`;

/** Labels of Kubernetes' own, such as a node's zone, are nobody's: any pod may choose nodes by them. */
export const isKubernetesOwn = (key: string): boolean => /^([^/]*\.)?(kubernetes|k8s)\.io\//.test(key);

/** Counts types without members too, so that a stack's policies don't come and go with its members. */
export function confinementOf(types: Iterable<MemberType>, members: readonly Pick<Member, "type">[]) {
  const all = [...types, ...members.map(({ type }) => type)];
  const counted = all.filter(({ devices }) => devices !== undefined);
  const pools = new Map(all.flatMap(({ pool }) => (pool === undefined ? [] : [[poolName(pool), pool]])));
  const isAny = (has: (type: MemberType) => unknown) => (all.some(has) ? (true as const) : undefined);
  const confinement = defined({
    // For DRA DeviceClasses, members make ResourceClaims.
    devices: counted.length === 0 ? undefined : { claims: counted.some(usesClaims) },
    storage: isAny(({ storage }) => storage),
    runtimes: isAny(({ runtimeClasses }) => runtimeClasses),
    pools: pools.size === 0 ? undefined : [...pools.keys()].sort().flatMap((name) => pools.get(name) ?? []),
    users: isAny(({ userNamespaces }) => userNamespaces),
    fillsIn: isAny(isFilledIn),
  });
  return Object.keys(confinement).length === 0 ? undefined : confinement;
}

/** Settings of types and members that admission policies enforce, by the policy's name, and what is filled in. */
export type Confinement = Readonly<NonNullable<ReturnType<typeof confinementOf>>>;
