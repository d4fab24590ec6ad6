import { z } from "zod";
import { imageList } from "../images.ts";
import { networkAccess } from "../network.ts";
import { ownScheduleSchema } from "../schedule.ts";
import type { SettingsEntry } from "../settings.ts";
import type { Valid } from "../values/issues.ts";
import { defined, given, present, unread } from "../values/maps.ts";
import { choiceOf, dnsSubdomain, flag, optional, text } from "../values/values.ts";
import { type ConfiningTraits, confiningTraits, confiningTraitsOf } from "./confinement.ts";
import { limitsSchema } from "./limits.ts";
import type { MemberEntry } from "./member.ts";

export const homeRoles = ["edit", "view"] as const;

/** Role of a member in their own namespace: `edit` to run workloads, `view` to look at them. */
export type HomeRole = (typeof homeRoles)[number];

export const othersViews = ["view", "view-guest"] as const;

/** View of other members: workloads, Services and routes (`view`), or Services and routes (`view-guest`). */
export type OthersView = (typeof othersViews)[number];

const defaultTraits = {
  home: "edit",
  others: "view",
  quota: true,
  podSecurity: "baseline",
  priorityClasses: [],
} as const;

/** A type's name is the value of a label of the member's namespace. */
const typeName = text.regex(
  /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/,
  "can't be a type's name: a-z, 0-9 and '-', starting with a letter, at most 63 characters",
);

export const traits = {
  home: optional(choiceOf(homeRoles), "Role in the own namespace: `edit` runs workloads, `view` reads them.", {
    default: defaultTraits.home,
  }),
  others: optional(
    choiceOf([...othersViews, "none"]),
    "What members read elsewhere: `view` workloads, Services and Ingresses, `view-guest` only the latter two, `none` nothing.",
    { default: defaultTraits.others },
  ),
  quota: optional(flag, "Whether there is a ResourceQuota. With one, no container can set a limit of zero.", {
    default: defaultTraits.quota,
  }),
  podSecurity: optional(
    choiceOf(["baseline", "restricted"]),
    "Enforced Pod Security Standard: `baseline` or `restricted`.",
    { default: defaultTraits.podSecurity },
  ),
  priorityClasses: optional(
    z.array(
      dnsSubdomain.regex(
        /^(?!system-)/,
        "must not begin with 'system-', which is for the cluster's own pods; name another PriorityClass",
      ),
      "must be a list of PriorityClasses",
    ),
    "PriorityClasses that pods may name, besides the default one; none of `system-*`.",
    { default: defaultTraits.priorityClasses },
  ),
  ...confiningTraits,
};

export const starterMode = choiceOf(["off", "once", "kept"]);

/** What a type and a member can have besides traits. @param stacks whose settings these come before */
export const furtherSettings = (whose: string, stacks: string, networks: string) => ({
  images: optional(imageList, `Images that ${whose} may run. Default: ${stacks}.`, {
    examples: [["docker.io/library/nginx:1.*", "ghcr.io/example/*"]],
  }),
  network: optional(
    networkAccess,
    `Connections, added to the ${networks}: \`internet\`, \`egress\`, \`ingress\` of [\`network\`](#network).`,
    { examples: [{ egress: [{ namespace: "databases", podLabels: { app: "postgres" }, ports: [5432] }] }] },
  ),
  starter: optional(starterMode, `Starter app, as [\`starter.mode\`](#starter). Default: ${stacks}.`, {
    examples: ["once"],
  }),
  schedule: optional(
    ownScheduleSchema,
    `When pods sleep, as [\`schedule\`](#schedule), or \`off\` for never. Default: ${stacks}.`,
    { examples: [{ sleep: "0 20 * * *", wake: "0 7 * * *", timeZone: "Europe/Zurich" }] },
  ),
});

const memberTypeSchema = z.strictObject(
  {
    ...traits,
    ...furtherSettings("members of this type", "the stack's", "stack's"),
    defaults: optional(limitsSchema, "Limits that a member's entry doesn't set. Default: the stack's `defaults`."),
  },
  "must be a map of what the type gives",
);

export const memberTypesSchema = optional(
  z.record(typeName, memberTypeSchema, "must be a map of types"),
  "Member types by name, new or built-in (`admin`, `user`, `guest-user`).",
  { examples: [{ student: { others: "none", podSecurity: "restricted", defaults: { maxCPUm: 250 } } }] },
);

export type MemberTypeEntry = z.input<typeof memberTypeSchema>;

type Entry = Valid<MemberTypeEntry>;

type Filled = { readonly [Key in keyof typeof defaultTraits]: NonNullable<MemberTypeEntry[Key]> };

export interface MemberType extends Readonly<Omit<Filled, "priorityClasses">>, ConfiningTraits {
  readonly name: string;
  readonly priorityClasses: readonly string[];
}

/** Once it is made, `once` leaves it to the member, with all changes; `kept` restores the declared state. */
export type StarterMode = Exclude<z.output<typeof starterMode>, "off">;

export const builtInMemberTypes = {
  admin: { ...defaultTraits, name: "admin", quota: false },
  user: { ...defaultTraits, name: "user" },
  "guest-user": { ...defaultTraits, name: "guest-user", others: "view-guest" },
} as const satisfies Record<string, MemberType>;

/** Types, the wrong ones too, and their names in a fixed order: a file has them in any. @param raw as configured */
export function typesIn(raw: unknown, { memberTypes }: Valid<SettingsEntry>) {
  const named = Object.keys(typeof raw === "object" ? (raw ?? {}) : {});
  const types = memberTypesOf({
    memberTypes: { ...Object.fromEntries(named.map((name) => [name, {}])), ...memberTypes },
  });
  const builtIn = Object.keys(builtInMemberTypes);
  const own = [...types.keys()].filter((name) => !builtIn.includes(name) && typeName.safeParse(name).success);
  return { types, typeNames: raw === unread ? undefined : [...builtIn, ...own.sort()] };
}

function memberTypesOf({ memberTypes = {} }: Valid<SettingsEntry>): ReadonlyMap<string, MemberType> {
  const types = new Map<string, MemberType>(Object.entries(builtInMemberTypes));
  for (const [name, entry] of Object.entries(memberTypes)) {
    types.set(name, withTraits(types.get(name) ?? { name, ...defaultTraits }, entry ?? {}));
  }
  return types;
}

export const withTraits = (type: MemberType, entry: Pick<Entry, keyof typeof traits>): MemberType => ({
  ...type,
  ...given(entry, "home", "others", "quota", "podSecurity"),
  ...defined({ priorityClasses: entry.priorityClasses && present(entry.priorityClasses) }),
  ...confiningTraitsOf(entry),
});

export function typeEntryOf({ type }: Valid<MemberEntry>, { memberTypes = {} }: Valid<SettingsEntry>) {
  return type !== undefined && Object.hasOwn(memberTypes, type) ? memberTypes[type] : undefined;
}
