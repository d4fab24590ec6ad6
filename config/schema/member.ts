import { z } from "zod";
import { defaultBucketKeyGeneration, defaultTraits } from "../model/defaults.ts";
import { type LimitKey, limitFigures, type MemberLimits } from "../model/limits.ts";
import { homeRoles } from "../model/memberTypes.ts";
import { bucketsSchema } from "./buckets.ts";
import { imageList } from "./images.ts";
import { networkAccess } from "./network.ts";
import { memberRouteSchema } from "./route.ts";
import { starterMode, starterModes } from "./starter.ts";
import {
  amount,
  choiceOf,
  count,
  cpu,
  date,
  dnsSubdomain,
  flag,
  identity,
  memory,
  text,
  volume,
  volumes,
} from "./values.ts";

const serviceSuffix = "-svc";
/** The longest name that is a DNS label with `-svc` after it. */
const longestMemberName = 63 - serviceSuffix.length;

/** A limit with its built-in default. */
const limit = <Value extends z.ZodType>(figure: keyof MemberLimits, value: Value, description: string) =>
  value.optional().meta({ description, default: limitFigures[figure].default });

export const limits = {
  maxCPUm: limit("maxCpuMillicores", cpu, "Quota of CPU limits, in thousandths of a CPU (`500` is half a CPU)."),
  maxMemoryMiB: limit("maxMemoryMiB", memory, "Quota of memory limits, in MiB."),
  defaultCPUm: limit(
    "defaultCpuMillicores",
    cpu,
    "CPU request and limit of a container that sets none, in thousandths of a CPU; at most `maxCPUm`.",
  ),
  defaultMemoryMiB: limit(
    "defaultMemoryMiB",
    memory,
    "Memory request and limit of a container that sets none, in MiB; at most `maxMemoryMiB`.",
  ),
  defaultMemoryMB: memory.optional().meta({
    description: "The operator's name for `defaultMemoryMiB`, also in MiB. Default: as `defaultMemoryMiB`.",
  }),
  numOfPVCs: limit("persistentVolumeClaims", volumes, "Quota of PersistentVolumeClaims."),
  maxPVCSizeMiB: limit(
    "maxPersistentVolumeClaimMiB",
    volume,
    "Largest size of one PersistentVolumeClaim, in MiB; times `numOfPVCs`, the quota of storage.",
  ),
  maxPods: limit(
    "pods",
    count("pods"),
    "Quota of pods, and the most that one workload or HorizontalPodAutoscaler may ask for (without a quota 1000, or this if it is more).",
  ),
  maxObjects: limit(
    "objects",
    count("objects"),
    "Quota of objects of each other kind, such as Services, Secrets and Deployments; ten times as many of kinds that controllers keep, such as ReplicaSets and Jobs.",
  ),
  maxEphemeralStorageMiB: limit(
    "maxEphemeralStorageMiB",
    memory,
    "Quota of what containers write outside of volumes, logs included, in MiB.",
  ),
  defaultEphemeralStorageMiB: limit(
    "defaultEphemeralStorageMiB",
    memory,
    "Limit of what a container that sets none writes outside of volumes, in MiB; above it, the pod is evicted. At most `maxEphemeralStorageMiB`.",
  ),
} satisfies Readonly<Record<LimitKey, z.ZodType>>;

export const limitsSchema = z.strictObject(limits, "must be a map of limits");

/** Limits with the operator's keys. Absent limits come from the type, then the stack, then the built-in figures. */
export type LimitsEntry = z.input<typeof limitsSchema>;

/** Schemas of a type's traits, shared by types and members. */
const traits = (meta: (description: string, key: keyof typeof defaultTraits) => z.core.GlobalMeta) => ({
  home: choiceOf(homeRoles)
    .optional()
    .meta(meta("Role in the member's own namespace: `edit` runs workloads, `view` reads them.", "home")),
  others: choiceOf(["view", "view-guest", "none"])
    .optional()
    .meta(
      meta(
        "What the member reads in other namespaces: `view` workloads, Services and Ingresses, `view-guest` Services and Ingresses, `none` nothing; never logs, ConfigMaps or Secrets.",
        "others",
      ),
    ),
  quota: flag
    .optional()
    .meta(meta("Whether the namespace has a ResourceQuota. With one, a container can't set a limit of zero.", "quota")),
  podSecurity: choiceOf(["baseline", "restricted"])
    .optional()
    .meta(
      meta(
        "Pod Security Standard that the namespace enforces: `baseline` or `restricted`. `privileged` is refused, since such pods can take over nodes.",
        "podSecurity",
      ),
    ),
  priorityClasses: z
    .array(dnsSubdomain, "must be a list of PriorityClasses")
    .optional()
    .meta(meta("PriorityClasses that pods may name, besides the `globalDefault`.", "priorityClasses")),
});

const imagesOf = (whose: string, otherwise: string) =>
  imageList.optional().meta({
    description: `Images that pods of ${whose} may run, instead of ${otherwise}. Default: ${otherwise}.`,
    examples: [["docker.io/library/nginx:1.*", "ghcr.io/example/*"]],
  });

const networkOf = (whose: string, otherwise: string) =>
  networkAccess.optional().meta({
    description: `Connections that isolation allows ${whose}, besides those of the ${otherwise} \`network\`.`,
    examples: [{ egress: [{ namespace: "databases", podLabels: { app: "postgres" }, ports: [5432] }] }],
  });

const starterOf = (whose: string, otherwise: string) =>
  starterMode.optional().meta({
    description: `Starter app of ${whose}: ${starterModes} Default: ${otherwise}.`,
    examples: ["once"],
  });

export const memberTypeSchema = z.strictObject(
  {
    ...traits((description, key) => ({ description, default: defaultTraits[key] })),
    images: imagesOf("members of this type", "the stack's `images`"),
    network: networkOf("members of this type", "stack's"),
    starter: starterOf("members of this type", "the stack's `starter.mode`"),
    defaults: limitsSchema.optional().meta({
      description: "Limits of members of this type whose entry doesn't set them. Default: the stack's `defaults`.",
    }),
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
          "Name of the member, their namespace and path: a DNS label of at most 59 characters that starts with a letter.",
        examples: ["alice"],
      }),
    type: text.meta({
      description: "Member type: `admin`, `user`, `guest-user`, or one in `memberTypes`.",
      examples: ["user"],
    }),
    ...limits,
    subject: identity.optional().meta({
      description:
        "User name in the member's OIDC token (`oidc.usernameClaim`), without the prefix. Default: the member's name.",
      examples: ["alice@example.org"],
    }),
    groups: z
      .array(identity, "must be a list of groups")
      .max(100, "must have at most 100 groups")
      .optional()
      .meta({
        description: "OIDC groups that share the environment, without the prefix.",
        default: [],
        examples: [["class-a"]],
      }),
    route: z
      .union([z.literal(false), memberRouteSchema], "must be false, or a map with host, path and readiness")
      .optional()
      .meta({
        description:
          "The member's path, where it differs from the stack's `route`; `false` for none. Default: the stack's `route`.",
      }),
    suspended: flag.optional().meta({
      description: "Whether the member loses access, route and running pods; the data stays.",
      default: false,
    }),
    expires: date.optional().meta({
      description:
        "Last day of the environment, in UTC; from the next day on, the member is suspended. Default: no end.",
      examples: ["2026-12-31"],
    }),
    ...traits((description) => ({ description: `${description} Default: as the type.` })),
    images: imagesOf("the member", "the type's or the stack's"),
    network: networkOf("the member", "type's and the stack's"),
    starter: starterOf("the member", "as the type or the stack"),
    buckets: bucketsSchema.optional().meta({
      description:
        "Buckets of the member, each with a Secret and a ConfigMap of its name. They need `storage`. See [buckets.md](../run/buckets.md).",
      default: [],
      examples: [[{ name: "data" }, { name: "site", versioning: true, reclaimPolicy: "Delete" }]],
    }),
    bucketKeyGeneration: amount(1, 1_000_000, "generations").optional().meta({
      description:
        "Change this number to replace the secret that kubecamp made for the member's buckets; the old one stops working.",
      default: defaultBucketKeyGeneration,
    }),
    adopt: flag.optional().meta({
      description:
        "Whether to take over an existing namespace of this name, with its contents. Default: the stack's `offboarding.adopt`.",
    }),
    protect: flag.optional().meta({
      description: "Whether to refuse the member's removal. Default: the stack's `offboarding.protect`.",
    }),
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
