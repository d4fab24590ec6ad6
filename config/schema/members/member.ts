import { z } from "zod";
import { type LimitKey, limitFigures, type MemberLimits } from "../../model/members/limits.ts";
import { homeRoles } from "../../model/members/memberTypes.ts";
import { defaultBucketKeyGeneration, defaultTraits } from "../../model/settings/defaults.ts";
import { bucketsSchema } from "../buckets.ts";
import { imageList } from "../images.ts";
import { networkAccess } from "../routes/network.ts";
import { memberRouteSchema } from "../routes/route.ts";
import { starterMode } from "../starter.ts";
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
} from "../values.ts";
import { memberCiSchema } from "./ci.ts";
import { confinement } from "./confinement.ts";
import { ownScheduleSchema } from "./schedule.ts";

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
