import { z } from "zod";
import { defaultBucketKeyGeneration, defaultTraits } from "../defaults.ts";
import { imageList } from "../images.ts";
import { type NetworkAccess, networkAccess } from "../network.ts";
import type { GivenKind } from "../objects/objectKinds.ts";
import { memberRouteSchema, type PlannedRoute } from "../route/route.ts";
import { ownScheduleSchema, type SleepSchedule } from "../schedule.ts";
import { starterMode } from "../starter.ts";
import { bucketsSchema } from "../storage/buckets.ts";
import type { GivenKeys, MemberBucket } from "../storage/storage.ts";
import {
  amount,
  choiceOf,
  containerCpu,
  count,
  cpu,
  date,
  dnsSubdomain,
  flag,
  identity,
  labels,
  memory,
  optional,
  text,
  volume,
  volumes,
} from "../values/values.ts";
import { type MemberCi, memberCiSchema } from "./ci.ts";
import { confinement } from "./confinement.ts";
import { type LimitKey, limitFigures, type MemberLimits } from "./limits.ts";
import { homeRoles, type MemberType } from "./types.ts";

/**
 * Suspended and expired members keep their objects and data, and lose access, route and running pods. Members who are
 * asleep also keep their access. The configuration says who has a schedule, and the plan who is asleep (`atMoment`).
 */
export type Standing = "active" | "asleep" | "suspended" | "expired";

/** A sleep, as ISO 8601 has its times. */
export interface Sleep {
  readonly since: string;
  readonly until: string;
}

/**
 * Treatment of a starter app after it is made: `once` leaves it to the member, with all changes; `kept` restores the
 * declared state.
 */
export type StarterMode = "once" | "kept";

/** One person. */
export interface Member {
  /** A DNS label: the member's name and namespace. */
  readonly name: string;
  /** The type's traits, with the member's own changes. */
  readonly type: MemberType;
  /** Labels that selectors of the settings refer to. */
  readonly labels: Readonly<Record<string, string>>;
  readonly limits: MemberLimits;
  /** Allowed images of their pods, as patterns such as `docker.io/library/nginx:1.*`. Default: any. */
  readonly images?: readonly string[];
  readonly network: NetworkAccess;
  /** User name at the API server, prefix included. */
  readonly username: string;
  /** Group names at the API server, prefix included. */
  readonly groups: readonly string[];
  /** The public path; absent for a member without one. */
  readonly route?: PlannedRoute;
  /** Absent for a member without a starter app. */
  readonly starter?: { readonly mode: StarterMode };
  /** Absent for a member without staff. */
  readonly staff?: MemberStaff;
  /** Absent for a member without CI jobs. */
  readonly ci?: MemberCi;
  /** Absent for a member without buckets. */
  readonly buckets?: readonly MemberBucket[];
  /** Keys for the member's buckets. Default: keys that kubecamp or the driver makes. */
  readonly bucketKeys?: GivenKeys;
  /** Number of the keys that kubecamp makes; a new number gives a new secret. */
  readonly bucketKeyGeneration?: number;
  /** Objects that the platform gives them. Default: none. */
  readonly objects?: readonly GivenObject[];
  readonly standing: Standing;
  /** Last day of the environment in UTC, as `2026-12-31`. Default: none. */
  readonly expires?: string;
  /** When they sleep. Default: never. */
  readonly schedule?: SleepSchedule;
  /** Present if the standing is `asleep`. */
  readonly sleep?: Sleep;
  /** Whether to take over objects of theirs that kubecamp did not make. */
  readonly adopt: boolean;
  /** Whether `adopt` counts only if an admin has marked the namespace: the list is in a file of its own. Default: no. */
  readonly needsMark?: true;
  /** Whether to refuse their removal. */
  readonly protect: boolean;
  /** The entry as JSON, to keep on the cluster; absent without `offboarding.graceDays`, and if a part is secret. */
  readonly entry?: string;
  /** For a suspended member who has left the list: first day on which a run removes them, as `2026-12-31`. */
  readonly leaves?: string;
  /** Whether the day is over, and the member is kept until they are archived (`offboarding.archive`). */
  readonly isUnarchived?: true;
}

/** Whether a member has access to the cluster and to buckets: also while asleep. */
export const hasAccess = ({ standing }: Pick<Member, "standing">): boolean =>
  standing === "active" || standing === "asleep";

/** Whether a member may have pods, and so a path. */
export const mayRun = ({ standing }: Pick<Member, "standing">): boolean => standing === "active";

/** Whether a member has a ResourceQuota: by type, or because a suspended or expired member may run no pod. */
export function hasQuota({ type, standing }: Pick<Member, "type" | "standing">): boolean {
  return type.quota || !mayRun({ standing });
}

/** Some of a stack's members: those that fit each of its keys. */
export interface Selector {
  /** Names of types. Default: any. */
  readonly types?: readonly string[];
  /** Labels that a member has, all of them. Default: any. */
  readonly labels: Readonly<Record<string, string>>;
  /** Names. Default: any. */
  readonly members?: readonly string[];
}

/**
 * Rights of staff in a member's namespace: to look (`view`), also to run commands in pods and restart (`assist`), or what
 * the member may do (`edit`).
 */
export type StaffRole = "view" | "assist" | "edit";

/** A user or a group at the API server, prefix included. */
export interface StaffSubject {
  readonly kind: "User" | "Group";
  readonly name: string;
}

/** Staff of some members. */
export interface Staff {
  readonly subject: StaffSubject;
  readonly role: StaffRole;
  readonly over: Selector;
}

/** Staff of one member: each subject once, in their strongest role; no role without subjects. */
export type MemberStaff = Readonly<Partial<Record<StaffRole, readonly StaffSubject[]>>>;

/** Roles of staff; each has all rights of those before it. */
export const staffRoles = ["view", "assist", "edit"] as const satisfies readonly StaffRole[];

/** A manifest for members, with placeholders such as `${member}`. */
export interface Manifest {
  readonly kind: GivenKind;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** All but `apiVersion`, `kind` and `metadata`; empty for a copy. */
  readonly content: Readonly<Record<string, unknown>>;
  /** Namespace of the live object of that kind and name to copy. Default: it is no copy. */
  readonly copyOf?: string;
  /** Whether pods use it to pull images without asking for it. */
  readonly isPullSecret?: true;
  /** Whether it is the member's own once a run has made it. */
  readonly isTheirs?: true;
}

/** Manifests of one entry of `objects`. */
export interface GivenObjects {
  /** Index in `objects`. */
  readonly index: number;
  readonly for: Selector;
  readonly manifests: readonly Manifest[];
}

/** A manifest as a member gets it, with all placeholders filled in. */
export interface GivenObject extends Manifest {
  /** Index in `objects`. */
  readonly index: number;
  /** Index in the entry's manifests. */
  readonly at: number;
}

const serviceSuffix = "-svc";
/** The longest name that is a DNS label with `-svc` after it. */
const longestMemberName = 63 - serviceSuffix.length;

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

/** Limits with the operator's keys. Absent limits come from the type, then the stack, then the built-in figures. */
export type LimitsEntry = z.input<typeof limitsSchema>;

/** Schemas of a type's traits, shared by types and members. */
const traits = (meta: (description: string, key: keyof typeof defaultTraits) => z.core.GlobalMeta) => ({
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

const imagesOf = (whose: string, otherwise: string) =>
  optional(imageList, `Images that ${whose} may run. Default: ${otherwise}.`, {
    examples: [["docker.io/library/nginx:1.*", "ghcr.io/example/*"]],
  });

const networkOf = (otherwise: string) =>
  optional(
    networkAccess,
    `Connections, added to the ${otherwise}: \`internet\`, \`egress\`, \`ingress\` of [\`network\`](#network).`,
    { examples: [{ egress: [{ namespace: "databases", podLabels: { app: "postgres" }, ports: [5432] }] }] },
  );

const starterOf = (otherwise: string) =>
  optional(starterMode, `Starter app, as [\`starter.mode\`](#starter). Default: ${otherwise}.`, { examples: ["once"] });

const scheduleOf = (otherwise: string) =>
  optional(
    ownScheduleSchema,
    `When pods sleep, as [\`schedule\`](#schedule), or \`off\` for never. Default: ${otherwise}.`,
    { examples: [{ sleep: "0 20 * * *", wake: "0 7 * * *", timeZone: "Europe/Zurich" }] },
  );

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

export const memberSchema = z.strictObject(
  {
    member: text
      .regex(/^[a-z]([-a-z0-9]*[a-z0-9])?$/, "must be a DNS label: a-z, 0-9 and '-', starting with a letter")
      .max(longestMemberName, `must have at most ${longestMemberName} characters, so that '-svc' fits behind it`)
      .meta({
        description:
          "Name of member, namespace and path: a DNS label of at most 59 characters, a letter first, and [no domain](../security/network.md#limits).",
        examples: ["alice"],
      }),
    type: text.meta({
      description: "`admin`, `user`, `guest-user`, or one of `memberTypes`.",
      examples: ["user"],
    }),
    labels: optional(labels, "Labels by which settings select members; they don't go to the cluster.", {
      default: {},
      examples: [{ course: "cs101" }],
    }),
    ...limits,
    subject: optional(identity, "User name in the OIDC token, without prefix. Default: the member's name.", {
      examples: ["alice@example.org"],
    }),
    groups: optional(
      z.array(identity, "must be a list of groups").max(100, "must have at most 100 groups"),
      "OIDC groups with the same access, without prefix.",
      { default: [], examples: [["class-a"]] },
    ),
    ci: optional(
      memberCiSchema,
      "CI jobs that deploy into the member's namespace, without a stored secret. They need `home: edit`. See [pipelines.md](../run/pipelines.md).",
      { default: [], examples: [[{ issuer: "github", repository: "alice/site", ref: "refs/heads/main" }]] },
    ),
    route: optional(
      z.union([z.literal(false), memberRouteSchema], "must be false, or a map with host, path and readiness"),
      "Differences from the stack's `route`; `false` for no path. Default: the stack's.",
    ),
    suspended: optional(flag, "Whether access and route are closed and pods stopped; data stays.", { default: false }),
    expires: optional(date, "Last day, in UTC; then the member is suspended. Default: no end.", {
      examples: ["2026-12-31"],
    }),
    ...traits((description) => ({ description: `${description} Default: as the type.` })),
    ...confinement((description) => ({ description: `${description} Default: as the type.` })),
    images: imagesOf("the member", "the type's or the stack's"),
    network: networkOf("type's and the stack's"),
    starter: starterOf("the type's or the stack's"),
    schedule: scheduleOf("the type's or the stack's"),
    buckets: optional(
      bucketsSchema,
      "The member's buckets; they need `storage`. See [buckets.md](../run/buckets.md).",
      { default: [], examples: [[{ name: "data" }, { name: "site", versioning: true, reclaimPolicy: "Delete" }]] },
    ),
    bucketKeyGeneration: optional(
      amount(1, 1_000_000, "generations"),
      "Another number replaces the secret key that kubecamp made for the buckets.",
      { default: defaultBucketKeyGeneration },
    ),
    adopt: optional(
      flag,
      "Whether to take over an existing namespace with its contents; in `membersFile`, [marked](../start/adopt.md) ones only. Default: `offboarding.adopt`.",
    ),
    protect: optional(flag, "Whether a run refuses to remove the member. Default: `offboarding.protect`."),
  },
  "must be a member: at least 'member' and 'type'",
);

/** A member: the keys of the operator that kubecamp replaces, and more. */
export type MemberEntry = z.input<typeof memberSchema>;

const withTypes = (types: readonly string[]) =>
  memberSchema.extend({ type: z.string(`must be one of ${types.join(", ")}`).min(1, "must not be empty") });

/** Schemas by the names of types. zod compiles each new schema, which takes longer than checking a short list with it. */
const made = new Map<string, ReturnType<typeof withTypes>>();

/** The schema of members with the known types, so that a message about a missing type can list them. */
export function memberSchemaWith(types: readonly string[] | undefined) {
  if (types === undefined) {
    return memberSchema;
  }
  const key = JSON.stringify(types);
  const schema = made.get(key) ?? withTypes(types);
  made.set(key, schema);
  return schema;
}
