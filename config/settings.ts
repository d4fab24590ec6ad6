import { z } from "zod";
import { type BoardSettings, boardSchema, boardSettingsOf } from "./board.ts";
import { type Budget, budgetSchema, budgetsOf } from "./budgets.ts";
import { type ClusterSettings, defaultContact } from "./cluster.ts";
import { imageList } from "./images.ts";
import { type CiSettings, ciSchema } from "./member/ci.ts";
import type { Confinement } from "./member/confinement.ts";
import { limitsSchema } from "./member/limits.ts";
import type { Member } from "./member/member.ts";
import { memberTypeSchema, typeName } from "./member/types.ts";
import { defaultNetwork, type NetworkSettings, networkSchema } from "./network.ts";
import { type NotifySettings, notifySchema, notifySettingsOf } from "./notify.ts";
import type { ObjectKind } from "./objects/objectKinds.ts";
import {
  type GivenObjects,
  type ManifestFiles,
  objectKindsOf,
  objectKindsSchema,
  objectsOf,
  objectsSchema,
} from "./objects/objects.ts";
import { archiveOf, archiveSchema, defaultOffboarding, type OffboardingSettings } from "./offboarding.ts";
import { defaultOidc, type OidcSettings, oidcSchema } from "./oidc.ts";
import { type RouteSettings, routeSchema, routeSettingsOf } from "./route/route.ts";
import { scheduleSchema } from "./schedule.ts";
import type { ShardSettings } from "./shards.ts";
import { type Staff, staffOf, staffSchema } from "./staff.ts";
import { type StarterSettings, starterSchema, starterSettingsOf } from "./starter.ts";
import { bucketKeysSchema } from "./storage/bucketKeys.ts";
import { type StorageSettings, storageSchema, storageSettingsOf } from "./storage/storage.ts";
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
