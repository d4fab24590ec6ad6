import { z } from "zod";
import { imageList } from "../images.ts";
import { networkAccess } from "../network.ts";
import { ownScheduleSchema } from "../schedule.ts";
import type { SettingsEntry } from "../settings.ts";
import type { Valid } from "../values/issues.ts";
import { byName, defined, given, present, unread } from "../values/maps.ts";
import { choiceOf, dnsSubdomain, flag, optional, sizeMiB, text } from "../values/values.ts";
import { confinement, type Pool, poolOf, type RuntimeClasses } from "./confinement.ts";
import { limitsSchema } from "./limits.ts";
import type { MemberEntry } from "./member.ts";

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

/**
 * Types of a stack, the wrong ones among them, with their names in a fixed order: the built-in ones, then the stack's. Pulumi
 * sorts keys, while a file has them in any order.
 * @param raw the setting as configured
 */
export function typesIn(raw: unknown, { memberTypes }: Valid<SettingsEntry>) {
  const named = Object.keys(typeof raw === "object" ? (raw ?? {}) : {});
  const types = memberTypesOf({
    memberTypes: { ...Object.fromEntries(named.map((name) => [name, {}])), ...memberTypes },
  });
  const builtIn = Object.keys(builtInMemberTypes);
  const own = [...types.keys()].filter((name) => !builtIn.includes(name) && typeName.safeParse(name).success);
  return { types, typeNames: raw === unread ? undefined : [...builtIn, ...own.sort()] };
}

/** Types of a stack: the built-in ones with the stack's changes, and its own. */
function memberTypesOf({ memberTypes = {} }: Valid<SettingsEntry>): ReadonlyMap<string, MemberType> {
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

/** The stack's entry for a member's type; undefined if there is none. */
export function typeEntryOf({ type }: Valid<MemberEntry>, { memberTypes = {} }: Valid<SettingsEntry>) {
  return type !== undefined && Object.hasOwn(memberTypes, type) ? memberTypes[type] : undefined;
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

export const memberTypesSchema = optional(
  z.record(typeName, memberTypeSchema, "must be a map of types"),
  "Member types by name, new or built-in (`admin`, `user`, `guest-user`).",
  { examples: [{ student: { others: "none", podSecurity: "restricted", defaults: { maxCPUm: 250 } } }] },
);

/** Changes to a built-in type, or a new type. */
export type MemberTypeEntry = z.input<typeof memberTypeSchema>;

/** Types of member that every stack has; `memberTypes` can change them and add others. */
export const builtInMemberTypes = {
  admin: { ...defaultTraits, name: "admin", quota: false },
  user: { ...defaultTraits, name: "user" },
  "guest-user": { ...defaultTraits, name: "guest-user", others: "view-guest" },
} as const satisfies Record<string, MemberType>;
