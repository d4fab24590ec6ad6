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
  maxCPUm: limit(
    "maxCpuMillicores",
    cpu,
    "Sum of all containers' CPU limits, in thousandths of a CPU (`500` is half a CPU); held by the quota, if the type has one.",
  ),
  maxMemoryMiB: limit(
    "maxMemoryMiB",
    memory,
    "Sum of all containers' memory limits, in MiB; held by the quota, if the type has one.",
  ),
  defaultCPUm: limit(
    "defaultCpuMillicores",
    cpu,
    "CPU request and limit of a container that states none, in thousandths of a CPU; not above `maxCPUm`.",
  ),
  defaultMemoryMiB: limit(
    "defaultMemoryMiB",
    memory,
    "Memory request and limit of a container that states none, in MiB; not above `maxMemoryMiB`.",
  ),
  defaultMemoryMB: memory.optional().meta({
    description:
      "The operator's spelling of `defaultMemoryMiB`, which is MiB as well, whatever its name says. Default: as `defaultMemoryMiB`.",
  }),
  numOfPVCs: limit(
    "persistentVolumeClaims",
    volumes,
    "Number of PersistentVolumeClaims; held by the quota, if the type has one.",
  ),
  maxPVCSizeMiB: limit(
    "maxPersistentVolumeClaimMiB",
    volume,
    "Largest size of a single PersistentVolumeClaim, in MiB. Times `numOfPVCs`, it is the quota's sum of storage.",
  ),
  maxPods: limit(
    "pods",
    count("pods"),
    "Number of pods; held by the quota, if the type has one. No object asks for more at once: no Deployment, StatefulSet, ReplicaSet or Job, and no HorizontalPodAutoscaler. Of a type without a quota, none asks for more than 1000, or than this if it is more.",
  ),
  maxObjects: limit(
    "objects",
    count("objects"),
    "Number of objects of each other kind that members make: Services, ConfigMaps, Secrets, Deployments and so on (of those that controllers keep, such as ReplicaSets and Jobs, ten times as many); held by the quota, if the type has one.",
  ),
  maxEphemeralStorageMiB: limit(
    "maxEphemeralStorageMiB",
    memory,
    "Sum of what all containers may write outside of volumes, logs included, in MiB; held by the quota, if the type has one.",
  ),
  defaultEphemeralStorageMiB: limit(
    "defaultEphemeralStorageMiB",
    memory,
    "What a container that states no such limit may write outside of volumes, in MiB, before its pod is evicted; not above `maxEphemeralStorageMiB`.",
  ),
} satisfies Readonly<Record<LimitKey, z.ZodType>>;

export const limitsSchema = z.strictObject(limits, "must be a map of limits");

/** Limits with the operator's keys. Absent limits come from the type, then the stack, then the built-in figures. */
export type LimitsEntry = z.input<typeof limitsSchema>;

/** Schemas of a type's traits, shared by types and members. */
const traits = (meta: (description: string, key: keyof typeof defaultTraits) => z.core.GlobalMeta) => ({
  home: choiceOf(homeRoles)
    .optional()
    .meta(meta("Role in the member's own namespace: `edit` runs workloads, `view` looks at them.", "home")),
  others: choiceOf(["view", "view-guest", "none"])
    .optional()
    .meta(
      meta(
        "What is seen of other members: with `view` workloads, Services and Ingresses, with `view-guest` Services and Ingresses, with `none` nothing; never logs, ConfigMaps or Secrets.",
        "others",
      ),
    ),
  quota: flag
    .optional()
    .meta(
      meta(
        "Whether a ResourceQuota holds the sums: CPU, memory, storage, and the number of pods and other objects. With one, containers can't state a limit of zero, which it would not count and nodes take for none.",
        "quota",
      ),
    ),
  podSecurity: choiceOf(["baseline", "restricted"])
    .optional()
    .meta(
      meta(
        "Pod Security Standard that is enforced: `baseline` or `restricted`. There is no `privileged`: such pods could take over the nodes, and with them everybody.",
        "podSecurity",
      ),
    ),
  priorityClasses: z
    .array(dnsSubdomain, "must be a list of PriorityClasses")
    .optional()
    .meta(
      meta(
        "PriorityClasses that pods may name, beside the one that is the `globalDefault`, if the cluster has one.",
        "priorityClasses",
      ),
    ),
});

const imagesOf = (whose: string, otherwise: string) =>
  imageList.optional().meta({
    description: `Images that pods of ${whose} may have, instead of the ones that ${otherwise}. Default: as ${otherwise}.`,
    examples: [["docker.io/library/nginx:1.*", "ghcr.io/example/*"]],
  });

const networkOf = (whose: string) =>
  networkAccess.optional().meta({
    description: `What isolation lets through for ${whose}, beside what the stack's \`network\` does.`,
    examples: [{ egress: [{ namespace: "databases", podLabels: { app: "postgres" }, ports: [5432] }] }],
  });

const starterOf = (whose: string, otherwise: string) =>
  starterMode.optional().meta({
    description: `The starter app of ${whose}: ${starterModes} Default: as ${otherwise}.`,
    examples: ["once"],
  });

export const memberTypeSchema = z.strictObject(
  {
    ...traits((description, key) => ({ description, default: defaultTraits[key] })),
    images: imagesOf("members of this type", "the stack's `images` say"),
    network: networkOf("members of this type"),
    starter: starterOf("members of this type", "the stack's `starter.mode` says"),
    defaults: limitsSchema.optional().meta({
      description: "Limits for members of this type who leave them out. Default: the stack's `defaults`.",
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
        description: "Name, namespace and path: a DNS label of at most 59 characters that starts with a letter.",
        examples: ["alice"],
      }),
    type: text.meta({
      description: "Type of member: `admin`, `user`, `guest-user`, or one of the stack's own (`memberTypes`).",
      examples: ["user"],
    }),
    ...limits,
    subject: identity.optional().meta({
      description:
        "Who signs in: the user name in the OIDC token (its `sub`, or whichever claim the API server takes), without the prefix. Default: the member's name.",
      examples: ["alice@example.org"],
    }),
    groups: z
      .array(identity, "must be a list of groups")
      .max(100, "must have at most 100 groups")
      .optional()
      .meta({
        description: "OIDC groups, without the prefix, that share the environment.",
        default: [],
        examples: [["class-a"]],
      }),
    route: z
      .union([z.literal(false), memberRouteSchema], "must be false, or a map with host, path and readiness")
      .optional()
      .meta({
        description:
          "What the member's public path has otherwise than the stack's `route`; `false` for no public path. Default: as the stack has it.",
      }),
    suspended: flag.optional().meta({
      description: "Closes the door and keeps the data: no access, no route, no running pods until it is taken off.",
      default: false,
    }),
    expires: date.optional().meta({
      description:
        "Last day of the environment, in UTC. From the next day on the member is as good as suspended. Default: no end.",
      examples: ["2026-12-31"],
    }),
    ...traits((description) => ({ description: `${description} Default: as the type has it.` })),
    images: imagesOf("the member", "the type or the stack says"),
    network: networkOf("the member, beside what it does for the type"),
    starter: starterOf("the member", "the type or the stack says"),
    buckets: bucketsSchema.optional().meta({
      description:
        "Buckets on the server that `storage` names. A Secret and a ConfigMap of each one's name tell the member's apps how to reach it. See [buckets.md](buckets.md).",
      default: [],
      examples: [[{ name: "data" }, { name: "site", versioning: true, reclaimPolicy: "Delete" }]],
    }),
    bucketKeyGeneration: amount(1, 1_000_000, "generations").optional().meta({
      description:
        "Of the keys that kubecamp makes for the member's buckets: another number, another secret, and the one before is no longer good.",
      default: defaultBucketKeyGeneration,
    }),
    adopt: flag.optional().meta({
      description:
        "Takes over a namespace of that name that kubecamp did not make, with what is in it. Default: the stack's `offboarding.adopt`.",
    }),
    protect: flag.optional().meta({
      description: "Refuses the member's removal until this is taken off. Default: the stack's `offboarding.protect`.",
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
