import { z } from "zod";
import type { SettingsEntry } from "../entries.ts";
import { limitsSchema, memberTypeSchema } from "./member.ts";
import { amount, className, cpu, flag, hostName, labels, memory, namespaceName, text } from "./values.ts";

const typeName = text.regex(
  /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/,
  "can't be a type's name: a-z, 0-9 and '-', starting with a letter, at most 63 characters",
);

/** Where the member's name goes in `route.path`. */
export const memberPlaceholder = "{member}";

export const settingsSchema = z.strictObject({
  members: z
    .array(z.unknown(), "must be a list of members")
    .optional()
    .meta({
      description: "Who has an environment. A list of more than some 850 has to be a `membersFile`.",
      examples: [[{ member: "alice", type: "admin" }]],
    }),
  membersFile: text.optional().meta({
    description:
      "Instead of `members`: a YAML file, relative to the project, that holds a plain list, or the operator's own `kind: Members` documents.",
    examples: ["members.yaml"],
  }),
  memberTypes: z
    .record(typeName, memberTypeSchema, "must be a map of types")
    .optional()
    .meta({
      description: "Types of member: what a built-in one (`admin`, `user`, `guest-user`) has otherwise, or new ones.",
      examples: [{ student: { others: "none", podSecurity: "restricted", defaults: { maxCPUm: 250 } } }],
    }),
  defaults: limitsSchema.optional().meta({ description: "Limits for members who leave them out." }),
  capacity: z
    .strictObject(
      {
        cpuMillicores: cpu.optional().meta({ description: "CPU, in thousandths of a CPU." }),
        memoryMiB: memory.optional().meta({ description: "Memory, in MiB." }),
        storageMiB: amount(1, 1_000_000_000_000, "MiB").optional().meta({ description: "Storage, in MiB." }),
      },
      "must be a map",
    )
    .optional()
    .meta({
      description:
        "What the cluster has for members. A list whose quotas come to more in sum is refused; members without a quota are not counted.",
    }),
  cluster: z
    .strictObject(
      {
        context: text.optional().meta({
          description: "Context of the kubeconfig that every run uses. Default: the kubeconfig's current one.",
        }),
        id: text.optional().meta({
          description:
            "UID of the namespace `kube-system`. A run that meets another cluster stops before it touches anything.",
        }),
      },
      "must be a map",
    )
    .optional()
    .meta({ description: "The cluster that the stack is meant for." }),
  oidc: z
    .strictObject(
      {
        usernamePrefix: z.string("must be a text").optional().meta({
          description: "What the API server puts before a token's user name.",
          default: "oidc:",
        }),
        groupsPrefix: z.string("must be a text").optional().meta({
          description: "What the API server puts before a token's groups.",
          default: "oidc:",
        }),
      },
      "must be a map",
    )
    .optional()
    .meta({ description: "How names from OIDC tokens arrive at the API server." }),
  route: z
    .strictObject(
      {
        host: hostName.meta({ description: "Host name that all members share.", examples: ["apps.example.org"] }),
        path: text
          .max(100, "must have at most 100 characters")
          .regex(
            /^(\/[a-z0-9]([-a-z0-9._]*[a-z0-9])?)*\/\{member\}$/,
            "must be a path that ends in /{member}, such as /{member} or /people/{member}",
          )
          .optional()
          .meta({ description: "Path of each member.", default: `/${memberPlaceholder}` }),
        namespace: namespaceName.optional().meta({
          description: "Namespace of the ingress controller, which must exist.",
          default: "ingress-nginx",
        }),
        className: className
          .optional()
          .meta({ description: "IngressClass of the ingress controller.", default: "nginx" }),
      },
      "must be a map with at least 'host'",
    )
    .meta({ description: "The public path of each member." }),
  network: z
    .strictObject(
      {
        ingressPodLabels: labels.optional().meta({
          description: "Labels of the ingress controller's pods. Default: every pod of its namespace.",
        }),
        dnsNamespace: namespaceName.optional().meta({
          description: "Namespace of the cluster's DNS pods.",
          default: "kube-system",
        }),
        dnsPodLabels: labels.optional().meta({
          description: "Labels of the cluster's DNS pods.",
          default: { "k8s-app": "kube-dns" },
        }),
        internet: flag.optional().meta({
          description: "Whether pods reach public addresses; private and metadata addresses stay closed.",
          default: true,
        }),
      },
      "must be a map",
    )
    .optional()
    .meta({ description: "What members' pods may reach, and who may reach them, beyond their own namespace." }),
  offboarding: z
    .strictObject(
      {
        maxRemovals: amount(0, 1_000_000, "members").optional().meta({
          description:
            "How many members a run may remove. More stop it, with their names; so does an empty list, unless this allows it outright.",
          default: 3,
        }),
        protect: flag.optional().meta({
          description: "Whether members are protected who do not say so themselves (`protect`).",
          default: false,
        }),
        adopt: flag.optional().meta({
          description: "Whether namespaces that kubecamp did not make are taken over, for all members (`adopt`).",
          default: false,
        }),
      },
      "must be a map",
    )
    .optional()
    .meta({ description: "What happens to those who leave, and to what was there before." }),
}) satisfies z.ZodType<SettingsEntry>;
