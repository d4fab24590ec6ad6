import { z } from "zod";
import { builtInMemberTypes } from "./memberTypes.ts";
import { nearest } from "./nearest.ts";

/** A member as the configuration has it, with the keys of the operator that kubecamp replaces. */
export interface MemberEntry extends LimitsEntry {
  /** Name: a DNS label of at most 59 characters that starts with a letter, so that `<member>-svc` can be a Service. */
  member: string;
  /** One of the member types: admin, user, guest-user. */
  type: string;
  /** The `sub` (or whichever claim signs in) of the OIDC token, without prefix. Default: the member's name. */
  subject?: string | undefined;
  /** OIDC groups, without prefix, that share the member's rights. Default: none. */
  groups?: string[] | undefined;
}

/** Limits as the configuration has them; what is left out comes from `defaults`, then from the built-in figures. */
export interface LimitsEntry {
  /** CPU limits in sum, in thousandths of a CPU. Default: 500. */
  maxCPUm?: number | undefined;
  /** Memory limits in sum, in MiB. Default: 500. */
  maxMemoryMiB?: number | undefined;
  /** CPU of a container that states none, in thousandths. Default: 100. */
  defaultCPUm?: number | undefined;
  /** Memory of a container that states none, in MiB. Default: 100. */
  defaultMemoryMiB?: number | undefined;
  /** The operator's spelling of `defaultMemoryMiB`: MiB as well, whatever its name says. */
  defaultMemoryMB?: number | undefined;
  /** PersistentVolumeClaims. Default: 5. */
  numOfPVCs?: number | undefined;
  /** Size of one PersistentVolumeClaim, in MiB. Default: 1000. */
  maxPVCSizeMiB?: number | undefined;
}

/** The stack's configuration, key by key, apart from the members, which are checked one by one. */
export interface SettingsEntry {
  /**
   * Who has an environment.
   * @example
   * kubecamp:members:
   *   - member: alice
   *     type: admin
   */
  members: unknown[];
  /** Limits for members who leave them out. Default: the figures of `LimitsEntry`. */
  defaults?: LimitsEntry | undefined;
  /** See `ClusterSettings`. Default: the kubeconfig's current context, whatever cluster that is. */
  cluster?: { context?: string | undefined; id?: string | undefined } | undefined;
  /** See `OidcSettings`. Default: both prefixes are `oidc:`. */
  oidc?: { usernamePrefix?: string | undefined; groupsPrefix?: string | undefined } | undefined;
  /**
   * See `RouteSettings`. Default: namespace `ingress-nginx`, class `nginx`; the host has none.
   * @example
   * kubecamp:route:
   *   host: apps.example.org
   */
  route: { host: string; namespace?: string | undefined; className?: string | undefined };
  /** See `NetworkSettings`. Default: the whole ingress namespace, `k8s-app: kube-dns` in `kube-system`, internet. */
  network?:
    | {
        ingressPodLabels?: Record<string, string> | undefined;
        dnsNamespace?: string | undefined;
        dnsPodLabels?: Record<string, string> | undefined;
        internet?: boolean | undefined;
      }
    | undefined;
}

const label = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const serviceSuffix = "-svc";
/** The longest name that still makes a DNS label with `-svc` behind it. */
const longestMemberName = 63 - serviceSuffix.length;

const amount = (least: number, most: number, unit: string) =>
  z
    .number(`must be a number of ${unit}`)
    .refine(Number.isInteger, { error: `must be a whole number of ${unit}`, abort: true })
    .refine((value) => value >= least, { error: `must be at least ${least}` })
    .refine((value) => value <= most, { error: `must be at most ${most}` })
    .optional();
/** Bounds far beyond any use, so that every sum stays exact here and within 64 bits of bytes at the API server. */
const cpu = amount(1, 1_000_000_000, "thousandths of a CPU");
const memory = amount(1, 1_000_000_000, "MiB");
const volume = amount(1, 100_000_000, "MiB");
const volumes = amount(0, 10_000, "PersistentVolumeClaims");

const text = z.string("must be a text").min(1, "must not be empty");
const namespaceName = text.regex(label, "must be a DNS label: a-z, 0-9 and '-', at most 63 characters");
const labelName = /^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?\/)?[a-z0-9]([-\w.]{0,61}[a-z0-9])?$/i;
const labelValue = /^([a-z0-9]([-\w.]{0,61}[a-z0-9])?)?$/i;
const labels = z
  .record(z.string(), z.string("must be a text"), "must be a map of labels")
  .refine((map) => Object.entries(map).every(([key, value]) => labelName.test(key) && labelValue.test(value)), {
    error: "has a key or a value that can't be a label's: at most 63 of a-z, 0-9, '-', '_' and '.'",
  });

const limits = {
  maxCPUm: cpu,
  maxMemoryMiB: memory,
  defaultCPUm: cpu,
  defaultMemoryMiB: memory,
  defaultMemoryMB: memory,
  numOfPVCs: volumes,
  maxPVCSizeMiB: volume,
};

type TypeName = keyof typeof builtInMemberTypes;
const typeNames = Object.keys(builtInMemberTypes) as TypeName[];

export const memberSchema = z.strictObject(
  {
    member: text
      .regex(/^[a-z]([-a-z0-9]*[a-z0-9])?$/, "must be a DNS label: a-z, 0-9 and '-', starting with a letter")
      .max(longestMemberName, `must have at most ${longestMemberName} characters, so that '-svc' fits behind it`),
    type: z.enum(typeNames, {
      error: ({ input }) =>
        input === undefined
          ? `one of ${typeNames.join(", ")}`
          : `is no member type${nearest(String(input), typeNames)} (${typeNames.join(", ")})`,
    }),
    ...limits,
    subject: text.optional(),
    groups: z.array(text, "must be a list of groups").optional(),
  },
  "must be a member: at least 'member' and 'type'",
) satisfies z.ZodType<MemberEntry>;

export const settingsSchema = z.strictObject({
  members: z.array(z.unknown(), "must be a list of members"),
  defaults: z.strictObject(limits, "must be a map of limits").optional(),
  cluster: z.strictObject({ context: text.optional(), id: text.optional() }, "must be a map").optional(),
  oidc: z
    .strictObject(
      { usernamePrefix: z.string("must be a text").optional(), groupsPrefix: z.string("must be a text").optional() },
      "must be a map",
    )
    .optional(),
  route: z.strictObject(
    {
      host: text
        .regex(subdomain, "must be a host name in lower case, without scheme, port or path")
        .max(253, "must have at most 253 characters"),
      namespace: namespaceName.optional(),
      className: text
        .max(253, "must have at most 253 characters")
        .regex(subdomain, "must be a name in lower case")
        .optional(),
    },
    "must be a map with at least 'host'",
  ),
  network: z
    .strictObject(
      {
        ingressPodLabels: labels.optional(),
        dnsNamespace: namespaceName.optional(),
        dnsPodLabels: labels.optional(),
        internet: z.boolean("must be true or false").optional(),
      },
      "must be a map",
    )
    .optional(),
}) satisfies z.ZodType<SettingsEntry>;
