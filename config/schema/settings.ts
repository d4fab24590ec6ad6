import { z } from "zod";
import { defaultContact, defaultOffboarding } from "../model/defaults.ts";
import { imageList } from "./images.ts";
import { limitsSchema, memberTypeSchema } from "./member.ts";
import { networkSchema } from "./network.ts";
import { oidcSchema } from "./oidc.ts";
import { routeSchema } from "./route.ts";
import { starterSchema } from "./starter.ts";
import { bucketKeysSchema, storageSchema } from "./storage.ts";
import { amount, clusterDomain, clusterId, contact, cpu, flag, memory, mostShards, text } from "./values.ts";

/** A type's name is the value of a label of the member's namespace. */
export const typeName = text.regex(
  /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/,
  "can't be a type's name: a-z, 0-9 and '-', starting with a letter, at most 63 characters",
);

export const settingsSchema = z.strictObject({
  members: z
    .array(z.unknown(), "must be a list of members")
    .optional()
    .meta({
      description: "Who has an environment. A list of more than 120 KiB, some 800 members, needs a `membersFile`.",
      examples: [
        [
          { member: "alice", type: "admin", subject: "alice@example.org" },
          { member: "bob", type: "user", maxCPUm: 1000, maxMemoryMiB: 1024, expires: "2026-12-31" },
        ],
      ],
    }),
  membersFile: text.optional().meta({
    description:
      "Instead of `members`: path, relative to the project, of a YAML file with the list, or with the operator's own `kind: Members` documents.",
    examples: ["members.yaml"],
  }),
  memberTypes: z
    .record(typeName, memberTypeSchema, "must be a map of types")
    .optional()
    .meta({
      description:
        "Types of member: what a built-in one (`admin`, `user`, `guest-user`) is to have otherwise, or new ones, by name.",
      examples: [{ student: { others: "none", podSecurity: "restricted", defaults: { maxCPUm: 250 } } }],
    }),
  defaults: limitsSchema.optional().meta({
    description: "Limits for members who leave them out, and whose type does too.",
    examples: [{ maxCPUm: 2000, maxMemoryMiB: 4096 }],
  }),
  capacity: z
    .strictObject(
      {
        cpuMillicores: cpu.optional().meta({ description: "CPU, in thousandths of a CPU. Default: not checked." }),
        memoryMiB: memory.optional().meta({ description: "Memory, in MiB. Default: not checked." }),
        storageMiB: amount(1, 1_000_000_000_000, "MiB")
          .optional()
          .meta({ description: "Storage, in MiB. Default: not checked." }),
      },
      "must be a map",
    )
    .optional()
    .meta({
      description:
        "What the cluster has for members. A list whose quotas come to more in sum is refused; members without a quota are not counted.",
      examples: [{ cpuMillicores: 64_000, memoryMiB: 262_144, storageMiB: 2_000_000 }],
    }),
  cluster: z
    .strictObject(
      {
        context: text.optional().meta({
          description: "Context of the kubeconfig that every run uses. Default: the kubeconfig's current one.",
        }),
        id: clusterId.optional().meta({
          description:
            "UID of the namespace `kube-system`. A run that meets another cluster stops before it touches anything. Default: any cluster will do.",
        }),
        domain: clusterDomain.optional().meta({
          description:
            "DNS domain of the cluster's Services, by whose full names an ingress controller finds members' own. Default: `cluster.local`; a run stops where the API server's certificate names another.",
        }),
      },
      "must be a map",
    )
    .optional()
    .meta({
      description: "The cluster that the stack is meant for.",
      examples: [{ context: "prod", id: "0b9c7f0e-6a51-4c6f-9c0e-2f1d3a4b5c6d" }],
    }),
  oidc: oidcSchema.optional().meta({
    description: "How people sign in, and how their names arrive at the API server.",
    examples: [{ issuerUrl: "https://id.example.org", clientId: "kubernetes", usernameClaim: "email" }],
  }),
  images: imageList.optional().meta({
    description:
      "Images that members' pods may have, unless their type or their own entry says otherwise. Default: any.",
    examples: [["docker.io/library/*", "ghcr.io/example/*:1.*"]],
  }),
  contact: contact.optional().meta({
    description: "Whom members ask when something is refused, as messages name them.",
    default: defaultContact,
    examples: ["platform@example.org"],
  }),
  shards: amount(0, mostShards, "shards")
    .optional()
    .meta({
      description:
        "Splits the members over so many stacks, `<stack>-0` and so on, which `kubecamp up` runs side by side. 0: all come back into the one stack. Default: one stack, undivided. See [shards.md](shards.md).",
      examples: [8],
    }),
  shardOf: text.optional().meta({
    description:
      "Stands in the file of a shard, alone: the stack whose file has the settings and the members. `kubecamp shards files` writes it.",
    examples: ["prod"],
  }),
  route: routeSchema,
  network: networkSchema.optional().meta({
    description: "What members' pods may reach, and who may reach them, beyond their own namespace.",
    examples: [{ ingressPodLabels: { "app.kubernetes.io/name": "ingress-nginx" }, internet: false }],
  }),
  starter: starterSchema.optional().meta({
    description:
      "An app that answers on members' paths before they have one of their own: Markdown pages, a Deployment that serves them and the Service `<member>-svc`. See [starter.md](starter.md).",
    examples: [{ mode: "once", pages: { "index.md": "# Welcome, {member}\n\n{limits}\n" } }],
  }),
  storage: storageSchema.optional().meta({
    description:
      "Where members' buckets are: a server that speaks S3, or a COSI driver of the cluster's. Needed where anybody has `buckets`. See [buckets.md](buckets.md).",
    examples: [
      {
        endpoint: "https://s3.example.org",
        users: "versitygw",
        accessKeyId: "admin",
        secretAccessKey: { secure: "v1:..." },
      },
    ],
  }),
  bucketKeys: bucketKeysSchema.optional().meta({
    description:
      "Keys that somebody else has made for members, by the members' names; for servers where kubecamp makes none (`storage.users`). They stand here and not in the members' entries, since a members file can't be encrypted.",
    examples: [{ alice: { accessKeyId: "AKIAEXAMPLE", secretAccessKey: { secure: "v1:..." } } }],
  }),
  offboarding: z
    .strictObject(
      {
        maxRemovals: amount(0, 1_000_000, "members").optional().meta({
          description:
            "How many members a run may remove. More stop it, with their names. An empty list removes nobody unless this is set and allows it.",
          default: defaultOffboarding.maxRemovals,
        }),
        protect: flag.optional().meta({
          description: "Whether all members are protected from removal who do not say otherwise (`protect`).",
          default: defaultOffboarding.protect,
        }),
        adopt: flag.optional().meta({
          description:
            "Whether namespaces that kubecamp did not make are taken over, for all members who do not say otherwise (`adopt`).",
          default: defaultOffboarding.adopt,
        }),
      },
      "must be a map",
    )
    .optional()
    .meta({
      description: "What happens to those who leave, and to what was there before.",
      examples: [{ maxRemovals: 10, protect: true }],
    }),
});

/** A stack's configuration without the members, which are checked one by one. */
export type SettingsEntry = z.input<typeof settingsSchema>;
