import { z } from "zod";
import { imageList } from "../images.ts";
import { networkAccess } from "../network.ts";
import { ownScheduleSchema } from "../schedule.ts";
import type { SettingsEntry } from "../settings.ts";
import type { Valid } from "../values/issues.ts";
import { byName, defined, given, present } from "../values/maps.ts";
import { choiceOf, dnsSubdomain, flag, optional, sizeMiB, text } from "../values/values.ts";
import { confinement } from "./confinement.ts";
import { type LimitsEntry, limitsBy, limitsSchema, type MemberLimits } from "./limits.ts";
import type { Member, MemberEntry } from "./member.ts";

/** Role of a member in their own namespace: `edit` to run workloads, `view` to look at them. */
export type HomeRole = "edit" | "view";

/** View of other members: workloads, Services and routes (`view`), or Services and routes (`view-guest`). */
export type OthersView = "view" | "view-guest";

/** The name of a Pod Security Standard. */
type PodSecurity = "baseline" | "restricted";

/** A member type. */
export interface MemberType {
  /** The type's name, as in members' entries. */
  readonly name: string;
  /** Role in the member's own namespace. */
  readonly home: HomeRole;
  /** View of other members' namespaces. */
  readonly others: OthersView | "none";
  /** Whether members of the type have a ResourceQuota. */
  readonly quota: boolean;
  /**
   * Enforced Pod Security Standard.
   * @see https://kubernetes.io/docs/concepts/security/pod-security-standards/
   */
  readonly podSecurity: PodSecurity;
  /**
   * PriorityClasses that members' pods may name.
   * @see https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/
   */
  readonly priorityClasses: readonly string[];
  /** Most devices of all pods, by extended resource or DRA DeviceClass; none of others. Default: any, uncounted. */
  readonly devices?: Readonly<Record<string, number>>;
  /** Most storage of all claims in MiB, by StorageClass; none of others. Default: any. */
  readonly storage?: Readonly<Record<string, number>>;
  /**
   * Default: any.
   * @see https://kubernetes.io/docs/concepts/containers/runtime-class/
   */
  readonly runtimeClasses?: RuntimeClasses;
  /** Default: nodes that are in no pool. */
  readonly pool?: Pool;
  /**
   * Whether pods must have a user namespace of their own, in which root is nobody on the node. Default: they may.
   * @see https://kubernetes.io/docs/concepts/workloads/pods/user-namespaces/
   */
  readonly userNamespaces?: "required";
}

/** RuntimeClasses of a member's pods. */
interface RuntimeClasses {
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

/**
 * Treatment of a starter app after it is made: `once` leaves it to the member, with all changes; `kept` restores the
 * declared state.
 */
export type StarterMode = "once" | "kept";

/**
 * Defaults of the settings. The schemas pass them on to docs/reference/settings.md and the JSON Schemas. Those of limits
 * are in limits.ts.
 */

/** Traits of a new type that leaves them out. */
export const defaultTraits = {
  home: "edit",
  others: "view",
  quota: true,
  podSecurity: "baseline",
  priorityClasses: [],
} as const satisfies Omit<MemberType, "name">;

/** Roles that a type can have at home. */
export const homeRoles = ["edit", "view"] as const satisfies readonly HomeRole[];

/** Views of others that a type can have. */
export const othersViews: readonly OthersView[] = ["view", "view-guest"];

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

/** Types of a stack: the built-in ones with the stack's changes, and its own. */
export function memberTypesOf({ memberTypes = {} }: Valid<SettingsEntry>): ReadonlyMap<string, MemberType> {
  const types = new Map<string, MemberType>(Object.entries(builtInMemberTypes));
  for (const [name, entry] of Object.entries(memberTypes)) {
    types.set(name, withTraits(types.get(name) ?? { name, ...defaultTraits }, entry ?? {}));
  }
  return types;
}

/** The type with the traits that an entry changes. */
export function withTraits(
  type: MemberType,
  entry: Valid<Pick<MemberTypeEntry, keyof MemberType & keyof MemberTypeEntry>>,
): MemberType {
  const { priorityClasses, devices, storage, runtimeClasses, pool } = entry;
  return {
    ...type,
    ...given(entry, "home", "others", "quota", "podSecurity", "userNamespaces"),
    ...defined({
      priorityClasses: priorityClasses && present(priorityClasses),
      devices: devices && byName(devices, (number) => number),
      storage: storage && byName(storage, sizeMiB),
      runtimeClasses: runtimeClasses && {
        allowed: present(runtimeClasses.allowed),
        ...given(runtimeClasses, "default"),
      },
      pool: pool && poolOf(pool),
    }),
  };
}

function poolOf({ nodeSelector = {}, tolerations = [] }: Valid<NonNullable<MemberTypeEntry["pool"]>>): Pool {
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

/** Each figure from the first entry that has it, or else its default. */
export function limitsOf(...entries: readonly (LimitsEntry | undefined)[]): MemberLimits {
  const given = entries.map((entry): Partial<Record<string, number>> => entry ?? {});
  return limitsBy(({ key, also = key, default: otherwise }) => {
    const first = given.find((entry) => entry[key] !== undefined || entry[also] !== undefined) ?? {};
    return first[key] ?? first[also] ?? otherwise;
  });
}

/**
 * A member's limits: each from the member's entry, then the type's, then the stack's. Without a figure, a claim may be as
 * large as the largest StorageClass allows.
 */
export function memberLimitsOf(entry: Valid<MemberEntry>, stack: Valid<SettingsEntry>): MemberLimits {
  const ofType = typeEntryOf(entry, stack);
  const storage = entry.storage ?? ofType?.storage;
  const ofClasses =
    storage === undefined ? undefined : { maxPVCSizeMiB: Math.max(0, ...Object.values(storage).map(sizeMiB)) };
  return limitsOf(entry, ofType?.defaults, stack.defaults, ofClasses);
}

/** The stack's entry for a member's type; undefined if there is none. */
export function typeEntryOf({ type }: Valid<MemberEntry>, { memberTypes = {} }: Valid<SettingsEntry>) {
  return type !== undefined && Object.hasOwn(memberTypes, type) ? memberTypes[type] : undefined;
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

/** A type's name is the value of a label of the member's namespace. */
export const typeName = text.regex(
  /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/,
  "can't be a type's name: a-z, 0-9 and '-', starting with a letter, at most 63 characters",
);

/** Schemas of a type's traits, shared by types and members. */
export const traits = (meta: (description: string, key: keyof typeof defaultTraits) => z.core.GlobalMeta) => ({
  home: choiceOf(homeRoles)
    .optional()
    .meta(meta("Role in the own namespace: `edit` runs workloads, `view` reads them.", "home")),
  others: choiceOf(["view", "view-guest", "none"])
    .optional()
    .meta(
      meta(
        "What members read elsewhere: `view` workloads, Services and Ingresses, `view-guest` only the latter two, `none` nothing.",
        "others",
      ),
    ),
  quota: flag
    .optional()
    .meta(meta("Whether there is a ResourceQuota. With one, no container can set a limit of zero.", "quota")),
  podSecurity: choiceOf(["baseline", "restricted"])
    .optional()
    .meta(meta("Enforced Pod Security Standard: `baseline` or `restricted`.", "podSecurity")),
  priorityClasses: z
    .array(
      dnsSubdomain.regex(
        /^(?!system-)/,
        "must not begin with 'system-', which is for the cluster's own pods; name another PriorityClass",
      ),
      "must be a list of PriorityClasses",
    )
    .optional()
    .meta(meta("PriorityClasses that pods may name, besides the default one; none of `system-*`.", "priorityClasses")),
});

export const imagesOf = (whose: string, otherwise: string) =>
  optional(imageList, `Images that ${whose} may run. Default: ${otherwise}.`, {
    examples: [["docker.io/library/nginx:1.*", "ghcr.io/example/*"]],
  });

export const networkOf = (otherwise: string) =>
  optional(
    networkAccess,
    `Connections, added to the ${otherwise}: \`internet\`, \`egress\`, \`ingress\` of [\`network\`](#network).`,
    { examples: [{ egress: [{ namespace: "databases", podLabels: { app: "postgres" }, ports: [5432] }] }] },
  );

export const starterOf = (otherwise: string) =>
  optional(starterMode, `Starter app, as [\`starter.mode\`](#starter). Default: ${otherwise}.`, { examples: ["once"] });

export const scheduleOf = (otherwise: string) =>
  optional(
    ownScheduleSchema,
    `When pods sleep, as [\`schedule\`](#schedule), or \`off\` for never. Default: ${otherwise}.`,
    { examples: [{ sleep: "0 20 * * *", wake: "0 7 * * *", timeZone: "Europe/Zurich" }] },
  );

export const starterMode = choiceOf(["off", "once", "kept"]);

export const memberTypeSchema = z.strictObject(
  {
    ...traits((description, key) => ({ description, default: defaultTraits[key] })),
    ...confinement((description, otherwise) => ({ description: `${description} Default: ${otherwise}.` })),
    images: imagesOf("members of this type", "the stack's"),
    network: networkOf("stack's"),
    starter: starterOf("the stack's"),
    schedule: scheduleOf("the stack's"),
    defaults: optional(limitsSchema, "Limits that a member's entry doesn't set. Default: the stack's `defaults`."),
  },
  "must be a map of what the type gives",
);

/** Changes to a built-in type, or a new type. */
export type MemberTypeEntry = z.input<typeof memberTypeSchema>;

/** Types of member that every stack has; `memberTypes` can change them and add others. */
export const builtInMemberTypes = {
  admin: { ...defaultTraits, name: "admin", quota: false },
  user: { ...defaultTraits, name: "user" },
  "guest-user": { ...defaultTraits, name: "guest-user", others: "view-guest" },
} as const satisfies Record<string, MemberType>;
