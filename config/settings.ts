import { z } from "zod";
import { type ArchiveEntry, archiveSchema } from "./archive.ts";
import { type BoardEntry, boardSchema } from "./board.ts";
import { type Budget, budgetSchema } from "./budgets.ts";
import {
  defaultArchive,
  defaultBackend,
  defaultBoard,
  defaultContact,
  defaultLogin,
  defaultMailSecurity,
  defaultNetwork,
  defaultNotify,
  defaultOffboarding,
  defaultOidc,
  defaultRoute,
  mailPorts,
} from "./defaults.ts";
import { imageList } from "./images.ts";
import { type CiSettings, ciSchema } from "./member/ci.ts";
import { type GivenObjects, limitsSchema, type Member, memberTypeSchema, type Staff } from "./member/member.ts";
import { starterSettingsOf } from "./member/resolved.ts";
import { budgetsOf } from "./member/selector.ts";
import type { Confinement } from "./member/types.ts";
import { type NetworkSettings, networkSchema } from "./network.ts";
import { type MailSettings, type NotifyEntry, type NotifySettings, notifySchema } from "./notify.ts";
import type { ObjectKind } from "./objects/objectKinds.ts";
import { type ManifestFiles, objectKindsOf, objectKindsSchema, objectsOf, objectsSchema } from "./objects/objects.ts";
import { oidcSchema } from "./oidc.ts";
import { controllers } from "./route/controllers.ts";
import type { LoginEntry } from "./route/login.ts";
import {
  type LoginSettings,
  limitKeys,
  type RouteEntry,
  type RouteSettings,
  routeSchema,
  type TlsSettings,
} from "./route/route.ts";
import { scheduleSchema } from "./schedule.ts";
import { staffOf, staffSchema } from "./staff.ts";
import { starterSchema } from "./starter.ts";
import { storageSettingsOf } from "./storage/buckets.ts";
import { bucketKeysSchema, type StorageSettings, storageSchema } from "./storage/storage.ts";
import type { Valid } from "./values/issues.ts";
import { defined, given, present } from "./values/maps.ts";
import {
  amount,
  clusterDomain,
  clusterId,
  contact,
  cpu,
  dnsLabel,
  flag,
  memory,
  mostShards,
  optional,
  text,
} from "./values/values.ts";

/**
 * A stack's configuration after reading and validation: plain data, and all that the rest of the program knows of it.
 * `schema/` conforms to these contracts, not the reverse.
 */

/** The cluster that the stack is meant for. */
interface ClusterSettings {
  /** Context of the kubeconfig, for the provider and for kubecamp's own reads. Default: the kubeconfig's current one. */
  readonly context?: string;
  /**
   * UID of the namespace `kube-system`, the nearest that Kubernetes has to a cluster's identity. A run on another
   * cluster stops before it touches anything. Default: any cluster.
   */
  readonly id?: string;
  /** DNS domain of Services. Default: `cluster.local`; a run that finds another domain stops. */
  readonly domain?: string;
}

/**
 * How people sign in, and how their names arrive at the API server.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/authentication/#openid-connect-tokens
 */
export interface OidcSettings {
  /** URL of the issuer of tokens, as `https://id.example.org`. Default: none, and no kubeconfig can be made. */
  readonly issuerUrl?: string;
  /** Client ID that tokens are issued for. Default: none, and no kubeconfig can be made. */
  readonly clientId?: string;
  /** PEM text of the CA of the issuer's certificate. Default: the CAs that machines trust. */
  readonly ca?: string;
  /** Claim that holds a member's subject. */
  readonly usernameClaim: string;
  /** Claim that holds a user's groups. */
  readonly groupsClaim: string;
  /** Scopes that a kubeconfig requests besides `openid`. */
  readonly scopes: readonly string[];
  /** Prefix of a member's subject. */
  readonly usernamePrefix: string;
  /** Prefix of each of a member's groups. */
  readonly groupsPrefix: string;
}

/** Settings shared by all starter apps; such an app answers on a member's path from the first run on. */
export interface StarterSettings {
  /** Such as `docker.io/library/caddy:2`. */
  readonly image: string;
  /** Port that the container listens on. */
  readonly port: number;
  /** How many pods. */
  readonly replicas: number;
  /** CPU request and limit of each pod, in thousandths of a CPU. */
  readonly cpuMillicores: number;
  /** Memory request and limit of each pod, in MiB. */
  readonly memoryMiB: number;
  /**
   * Markdown by file name, with `index.md`; placeholders such as `{member}` are filled in. Default: a page of
   * kubecamp's.
   */
  readonly pages?: Readonly<Record<string, string>>;
}

/** Headers in which the login's proxy names a visitor: controllers set them anew, whatever the visitor sends. */
export const boardHeaders = [
  "X-Auth-Request-User",
  "X-Auth-Request-Email",
  "X-Auth-Request-Preferred-Username",
] as const;

export type BoardHeader = (typeof boardHeaders)[number];

/** Port of the watch's probes and metrics in a Pod. */
export const metricsPort = 9464;

/** The pages about members that the watch serves. */
export interface BoardSettings {
  /** The host of the pages, which no member has. */
  readonly host: string;
  /** Port that the watch listens on. */
  readonly port: number;
  /** Login that the controller asks before it passes a request on, for everyone who has signed in. Default: `route.login`. */
  readonly login: LoginSettings;
  /** Header with a visitor's subject. */
  readonly header: BoardHeader;
  /** Whether the watch itself asks the login's proxy about each request, and goes by that header of its answer. */
  readonly verify: boolean;
  /** Subjects of those who see all members, as the header has them. */
  readonly admins: readonly string[];
}

/** Stacks that one list of members is split over: `prod-0`, `prod-1` and so on. */
export interface ShardSettings {
  /** Prefix of their names, and the stack whose file has the settings and members: `prod`. */
  readonly family: string;
  /** How many shards; 0 to move everyone back into the undivided stack. */
  readonly count: number;
}

/** All settings except the members. */
export interface Settings {
  /** The Pulumi stack. Cluster-scoped objects contain its name, so that stacks can share a cluster. */
  readonly stack: string;
  /** Shards of the list; absent for a stack with a list of its own. */
  readonly shards?: ShardSettings;
  readonly cluster: ClusterSettings;
  readonly oidc: OidcSettings;
  readonly route: RouteSettings;
  readonly network: NetworkSettings;
  /** Contact for members in messages, such as `platform@example.org`. */
  readonly contact: string;
  readonly starter: StarterSettings;
  /** Absent if nobody may have buckets. */
  readonly storage?: StorageSettings;
  readonly offboarding: OffboardingSettings;
  readonly notify: NotifySettings;
  /** Absent if the watch serves no board. */
  readonly board?: BoardSettings;
  /** Absent for a stack without. */
  readonly budgets?: readonly Budget[];
  /** Absent for a stack without. */
  readonly staff?: readonly Staff[];
  /** Absent for a stack without, none of whose members has CI jobs. */
  readonly ci?: CiSettings;
  /** Custom kinds that `objects` may have; absent for a stack without. */
  readonly objectKinds?: readonly ObjectKind[];
  /** Objects for members; absent for a stack without. */
  readonly objects?: readonly GivenObjects[];
  /** Absent if no type and no member sets any of it. */
  readonly confinement?: Confinement;
}

/** A stack's whole configuration. */
export interface Configuration {
  readonly settings: Settings;
  readonly members: readonly Member[];
}

/** Rules for removals. */
export interface OffboardingSettings {
  /** Most members that a run removes. Default: 3, but none if the list is empty, which is how a truncated file looks. */
  readonly maxRemovals?: number;
  /** Days between leaving the list and removal, in which a member is suspended. Default: 0, which removes at once. */
  readonly graceDays?: number;
  /** Names of members who have left the list and are removed without waiting. Default: none. */
  readonly removeNow?: readonly string[];
  /** Archive that has to exist before a member is removed. Default: none. */
  readonly archive?: ArchiveSettings;
}

/** Archive of a member's namespace before its deletion. */
export interface ArchiveSettings {
  /** Bucket on the stack's S3 server, which kubecamp doesn't make. */
  readonly bucket: string;
  /** Whether Secrets are archived too. */
  readonly secrets: boolean;
  /**
   * Fate of volumes: they outlive the namespace (`retain`), a snapshot of each does (`snapshot`), or they go
   * with it (`none`).
   * @see https://kubernetes.io/docs/concepts/storage/persistent-volumes/#reclaiming
   */
  readonly volumes: "retain" | "snapshot" | "none";
  /** VolumeSnapshotClass of snapshots. Default: the cluster's default for the volume's driver. */
  readonly snapshotClass?: string;
}

/** A type's name is the value of a label of the member's namespace. */
export const typeName = text.regex(
  /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/,
  "can't be a type's name: a-z, 0-9 and '-', starting with a letter, at most 63 characters",
);

export const settingsSchema = z.strictObject({
  members: optional(
    z.array(z.unknown(), "must be a list of members"),
    "The members. A list above 120 KiB (some 800 members) needs a `membersFile`.",
    {
      examples: [
        [
          { member: "alice", type: "admin", subject: "alice@example.org" },
          { member: "bob", type: "user", maxCPUm: 1000, maxMemoryMiB: 1024, expires: "2026-12-31" },
        ],
      ],
    },
  ),
  membersFile: optional(text, "Instead of `members`: a YAML file, relative to the project.", {
    examples: ["members.yaml"],
  }),
  memberTypes: optional(
    z.record(typeName, memberTypeSchema, "must be a map of types"),
    "Member types by name, new or built-in (`admin`, `user`, `guest-user`).",
    { examples: [{ student: { others: "none", podSecurity: "restricted", defaults: { maxCPUm: 250 } } }] },
  ),
  defaults: optional(limitsSchema, "Limits that neither a member's entry nor the type sets.", {
    examples: [{ maxCPUm: 2000, maxMemoryMiB: 4096 }],
  }),
  capacity: optional(
    z.strictObject(
      {
        cpuMillicores: optional(cpu, "In thousandths of a CPU. Default: not checked."),
        memoryMiB: optional(memory, "In MiB. Default: not checked."),
        storageMiB: optional(amount(1, 1_000_000_000_000, "MiB"), "In MiB. Default: not checked."),
      },
      "must be a map",
    ),
    "The cluster's capacity for members. A run stops if their quotas add up to more. Members without a quota don't count.",
    { examples: [{ cpuMillicores: 64_000, memoryMiB: 262_144, storageMiB: 2_000_000 }] },
  ),
  budgets: optional(
    z.array(budgetSchema, "must be a list of budgets"),
    "Limits on the sum of some members' quotas. A run stops above one. Members without a quota don't count. See [budgets.md](../run/budgets.md).",
    { examples: [[{ name: "cs101", over: { labels: { course: "cs101" } }, maxCPUm: 20_000, maxMemoryMiB: 32_768 }]] },
  ),
  staff: optional(
    z.array(staffSchema, "must be a list of staff"),
    "People who get into members' namespaces, such as teachers or on-call. See [staff.md](../run/staff.md).",
    { examples: [[{ group: "ta-cs101", role: "assist", over: { labels: { course: "cs101" } } }]] },
  ),
  ci: optional(ciSchema, "How members' CI jobs sign in (`ci` of a member). See [pipelines.md](../run/pipelines.md).", {
    examples: [
      {
        audience: "https://k8s.example.org",
        issuers: { school: { kind: "gitlab", issuerUrl: "https://gitlab.example.org" } },
      },
    ],
  }),
  objectKinds: optional(
    objectKindsSchema,
    "Custom kinds for files of `objects`. Their controllers act for whoever has such an object: [read this first](../run/objects.md#custom-kinds).",
    { examples: [[{ apiVersion: "example.org/v1", kind: "Widget" }]] },
  ),
  objects: optional(
    objectsSchema,
    "Objects that members get in their namespaces. See [objects.md](../run/objects.md).",
    { examples: [[{ file: "objects/course.yaml", for: { labels: { course: "cs101" } } }]] },
  ),
  cluster: optional(
    z.strictObject(
      {
        context: optional(text, "Kubeconfig context. Default: the current one."),
        id: optional(
          clusterId,
          "UID of the namespace `kube-system`. A run stops at any other cluster. Default: any cluster.",
        ),
        domain: optional(
          clusterDomain,
          "DNS domain of Services. A run stops if the API server's certificate names another. Default: `cluster.local`.",
        ),
      },
      "must be a map",
    ),
    "The stack's cluster.",
    { examples: [{ context: "prod", id: "0b9c7f0e-6a51-4c6f-9c0e-2f1d3a4b5c6d" }] },
  ),
  oidc: optional(oidcSchema, "How members sign in. See [sign-in.md](../run/sign-in.md).", {
    examples: [{ issuerUrl: "https://id.example.org", clientId: "kubernetes", usernameClaim: "email" }],
  }),
  images: optional(
    imageList,
    "Images that members may run, unless the type or the member has a list. Default: any. See [images.md](images.md).",
    { examples: [["docker.io/library/*", "ghcr.io/example/*:1.*"]] },
  ),
  contact: optional(contact, "Contact that refusals name.", {
    default: defaultContact,
    examples: ["platform@example.org"],
  }),
  shards: optional(
    amount(0, mostShards, "shards"),
    "Number of stacks (`<stack>-0` and so on) that share the members; 0 moves them back into one. Default: not split. See [shards.md](../run/shards.md).",
    { examples: [8] },
  ),
  shardOf: optional(
    text,
    "The only setting in a shard's file: the stack with the other settings. `kubecamp shards files` writes it.",
    { examples: ["prod"] },
  ),
  route: routeSchema,
  network: optional(networkSchema, "Connections of members' pods. See [network.md](../security/network.md).", {
    examples: [{ ingressPodLabels: { "app.kubernetes.io/name": "ingress-nginx" }, internet: false }],
  }),
  starter: optional(starterSchema, "A first app on members' paths. See [starter.md](../run/starter.md).", {
    examples: [{ mode: "once", pages: { "index.md": "# Welcome, {member}\n\n{limits}\n" } }],
  }),
  schedule: optional(
    scheduleSchema,
    "When members sleep, without pods, unless the type or the member has another schedule. Default: never. See [sleep.md](../run/sleep.md).",
    { examples: [{ sleep: "0 20 * * 1-5", wake: "0 7 * * 1-5", timeZone: "Europe/Zurich" }] },
  ),
  storage: optional(storageSchema, "The S3 server or COSI driver for `buckets`. See [buckets.md](../run/buckets.md).", {
    examples: [
      {
        endpoint: "https://s3.example.org",
        users: "versitygw",
        accessKeyId: "admin",
        secretAccessKey: { secure: "v1:..." },
      },
    ],
  }),
  bucketKeys: optional(bucketKeysSchema, "Keys to buckets by member, if `storage.users` is not set.", {
    examples: [{ alice: { accessKeyId: "AKIAEXAMPLE", secretAccessKey: { secure: "v1:..." } } }],
  }),
  offboarding: optional(
    z.strictObject(
      {
        maxRemovals: optional(
          amount(0, 1_000_000, "members"),
          "Most members that one run may remove, or suspend for `graceDays`; a run with more stops. An empty list stops a run, unless you set this.",
          { default: defaultOffboarding.maxRemovals },
        ),
        graceDays: optional(
          amount(0, 3650, "days"),
          "Days from leaving the list to the removal; meanwhile, the member is suspended and can come back. 0 removes at once.",
          { default: defaultOffboarding.graceDays },
        ),
        removeNow: optional(
          z.array(dnsLabel, "must be a list of names"),
          "Members who have left the list, for the next run to remove without waiting.",
          { default: [], examples: [["bob"]] },
        ),
        archive: optional(
          archiveSchema,
          "Archive of each member, required before the removal; it needs `storage`. See [archive.md](../run/archive.md).",
          { examples: [{ bucket: "kubecamp-archive" }] },
        ),
        protect: optional(flag, "Whether a run refuses to remove a member, unless the entry says otherwise.", {
          default: defaultOffboarding.protect,
        }),
        adopt: optional(flag, "Whether to take over existing namespaces, unless the entry says otherwise.", {
          default: defaultOffboarding.adopt,
        }),
      },
      "must be a map",
    ),
    "Rules for removing members ([offboarding.md](../run/offboarding.md)) and taking over namespaces ([adopt.md](../start/adopt.md)).",
    { examples: [{ maxRemovals: 10, protect: true }] },
  ),
  notify: optional(notifySchema, "Notices of what comes, such as a last day. See [notices.md](../run/notices.md).", {
    examples: [
      {
        expiryDays: [3, 14],
        mail: { to: ["platform@example.org"], from: "kubecamp@example.org", server: "smtp.example.org" },
      },
    ],
  }),
  board: optional(
    boardSchema,
    "Pages about the members that the watch serves, behind `route.login`. Default: none. See [board.md](../run/board.md#serve-it).",
    { examples: [{ host: "board.example.org", admins: ["tina@example.org"] }] },
  ),
});

/** A stack's configuration without the members, which are checked one by one. */
export type SettingsEntry = z.input<typeof settingsSchema>;

/**
 * The settings with every default filled in.
 * @param pages content of `starter.pagesFolder`; undefined if that is not set
 * @param files files of `objects`
 */
export function settingsOf(
  stack: string,
  entry: Valid<SettingsEntry>,
  pages?: StarterSettings["pages"],
  files?: ManifestFiles,
): Settings {
  const { shards: count, shardOf: family = stack, cluster = {}, oidc = {}, network = {}, offboarding = {} } = entry;
  const objectKinds = objectKindsOf(entry.objectKinds ?? []);
  const ofOidc = {
    ...defaultOidc,
    ...given(oidc, "issuerUrl", "clientId", "ca"),
    ...given(oidc, "usernameClaim", "groupsClaim", "usernamePrefix", "groupsPrefix"),
    scopes: [...new Set(present(oidc.scopes))],
  };
  const route = routeSettingsOf(entry.route ?? {});
  const board = entry.board && boardSettingsOf(entry.board, ofOidc, route.login);
  const settings = {
    stack,
    ...defined({
      shards: count === undefined ? undefined : { family, count },
      storage: entry.storage && storageSettingsOf(entry.storage),
      board,
      budgets: entry.budgets && budgetsOf(entry.budgets),
      objectKinds: objectKinds.length === 0 ? undefined : objectKinds,
      objects: entry.objects && objectsOf(entry.objects, files, objectKinds),
    }),
    cluster: given(cluster, "context", "id", "domain"),
    oidc: ofOidc,
    route,
    network: {
      ingressPodLabels: {},
      ...defaultNetwork,
      ...given(network, "ingressPodLabels", "dnsNamespace", "dnsPodLabels"),
      nodeLocalDns: present(network.nodeLocalDns),
    },
    contact: entry.contact ?? defaultContact,
    starter: starterSettingsOf(entry.starter, pages),
    offboarding: {
      ...given(offboarding, "maxRemovals", "graceDays"),
      ...defined({
        removeNow: offboarding.removeNow && present(offboarding.removeNow),
        archive: offboarding.archive && archiveOf(offboarding.archive),
      }),
    },
    notify: notifySettingsOf(entry.notify),
  };
  return entry.staff === undefined ? settings : { ...settings, staff: staffOf(entry.staff, settings) };
}

const archiveOf = ({ bucket = "", ...entry }: Valid<ArchiveEntry>): ArchiveSettings => ({
  bucket,
  ...defaultArchive,
  ...given(entry, "secrets", "volumes", "snapshotClass"),
});

function routeSettingsOf(entry: Valid<RouteEntry>): RouteSettings {
  const { kind, controller, rewrite } = { ...defaultRoute, ...given(entry, "kind", "controller", "rewrite") };
  const { gateway, tls, backendProtocol: protocol, backendTls = {}, limits } = entry;
  const names = controllers[controller];
  const usual = kind === "gateway" ? gateway?.namespace : undefined;
  const namespace = entry.namespace ?? usual ?? names.namespace;
  return {
    kind,
    controller,
    namespace,
    className: entry.className ?? names.className,
    rewrite,
    ...defined({
      gateway:
        gateway?.name === undefined
          ? undefined
          : { name: gateway.name, namespace, ...given(gateway, "namespace", "sectionName") },
      tls: tls && tlsOf(tls),
      limits: limits && given(limits, ...limitKeys),
      login: entry.login && loginOf(entry.login),
    }),
    backend: { ...defaultBackend, ...given({ protocol }, "protocol"), ...given(backendTls, "ca", "serverName") },
  };
}

function tlsOf({ secretName, clusterIssuer, issuer = "" }: Valid<NonNullable<RouteEntry["tls"]>>): TlsSettings {
  if (secretName !== undefined) {
    return { secretName };
  }
  return clusterIssuer === undefined ? { issuer } : { clusterIssuer };
}

function notifySettingsOf(entry: Valid<NotifyEntry> = {}): NotifySettings {
  const { expiryDays, quotaPercent, webhook, mail } = entry;
  return {
    expiryDays: [...new Set(present(expiryDays ?? defaultNotify.expiryDays))].sort((a, b) => a - b),
    quotaPercent: quotaPercent ?? defaultNotify.quotaPercent,
    ...defined({ webhook: webhook && given(webhook, "url", "token"), mail: mail && mailSettingsOf(mail) }),
  };
}

function mailSettingsOf(entry: Valid<NonNullable<NotifyEntry["mail"]>>): MailSettings {
  const { to, from = "", server = "", security = defaultMailSecurity, port = mailPorts[security] } = entry;
  return { to: present(to), from, server, port, security, ...given(entry, "user", "password") };
}

/** Headers of oauth2-proxy by the claim that they have. */
const headers: Readonly<Record<string, BoardHeader>> = {
  email: "X-Auth-Request-Email",
  preferred_username: "X-Auth-Request-Preferred-Username",
};

/** The board with its defaults. Without a known host or login, as in a file with encrypted values, there is none. */
function boardSettingsOf(
  { host, port, login: own, header, verify, admins }: Valid<BoardEntry>,
  { usernameClaim }: Pick<OidcSettings, "usernameClaim">,
  ofPaths: LoginSettings | undefined,
): BoardSettings | undefined {
  const login = own === undefined ? ofPaths : loginOf(own);
  return host === undefined || login === undefined
    ? undefined
    : {
        host,
        login: { ...login, allow: "members" },
        port: port ?? defaultBoard.port,
        verify: verify ?? defaultBoard.verify,
        header:
          header ?? (Object.hasOwn(headers, usernameClaim) ? headers[usernameClaim] : undefined) ?? defaultBoard.header,
        admins: present(admins),
      };
}

/** The login with its defaults. Without a known address, as in a file with encrypted values, there is none. */
function loginOf({ kind, url, signIn, allow }: Valid<LoginEntry>): LoginSettings | undefined {
  if (kind === undefined || url === undefined) {
    return undefined;
  }
  const allowed = typeof allow === "string" ? allow : allow === undefined ? defaultLogin.allow : present(allow);
  return { kind, url, ...given({ signIn }, "signIn"), allow: allowed };
}
