import type { MemberType } from "./member/types.ts";
import type { NetworkSettings } from "./network.ts";
import type { MailSecurity, NotifySettings } from "./notify.ts";
import {
  type BackendSettings,
  type LoginSettings,
  memberPlaceholder,
  type ReadinessSettings,
  type RouteSettings,
} from "./route/route.ts";
import type { ArchiveSettings, BoardSettings, OidcSettings, StarterSettings } from "./settings.ts";
import type { CannedAcl, MemberBucket } from "./storage/storage.ts";

/**
 * Defaults of the settings. The schemas pass them on to docs/reference/settings.md and the JSON Schemas. Those of limits
 * are in limits.ts.
 */

/** Traits of a new type that leaves them out. */
export const defaultTraits = {
  home: "edit",
  others: "view",
  quota: true,
  podSecurity: "baseline",
  priorityClasses: [],
} as const satisfies Omit<MemberType, "name">;

/** Types of member that every stack has; `memberTypes` can change them and add others. */
export const builtInMemberTypes = {
  admin: { ...defaultTraits, name: "admin", quota: false },
  user: { ...defaultTraits, name: "user" },
  "guest-user": { ...defaultTraits, name: "guest-user", others: "view-guest" },
} as const satisfies Record<string, MemberType>;

export const defaultRoute = {
  kind: "ingress",
  controller: "ingress-nginx",
  rewrite: "none",
} as const satisfies Partial<RouteSettings>;

export const defaultBackend = {
  protocol: "HTTP",
  serverName: `${memberPlaceholder}-svc.${memberPlaceholder}.svc`,
} as const satisfies BackendSettings;

export const defaultLogin = { allow: "members" } as const satisfies Partial<LoginSettings>;

export const defaultReadiness = {
  mode: "gate",
  requires: "service",
  timeoutSeconds: 300,
  targetPort: 8080,
} as const satisfies ReadinessSettings;

export const defaultOidc = {
  usernameClaim: "sub",
  groupsClaim: "groups",
  scopes: [],
  usernamePrefix: "oidc:",
  groupsPrefix: "oidc:",
} as const satisfies OidcSettings;

/** DNS domain of Services. */
export const defaultClusterDomain = "cluster.local";

export const defaultNetwork = {
  dnsNamespace: "kube-system",
  dnsPodLabels: { "k8s-app": "kube-dns" },
  nodeLocalDns: [],
} as const satisfies Partial<NetworkSettings>;

/** Whether pods reach public addresses. */
export const defaultInternet = true;

/** The contact in messages to members. */
export const defaultContact = "your cluster's admin";

export const defaultStarterMode = "off";

/** Default of schedules; `expires` is in UTC, too. */
export const defaultTimeZone = "UTC";

export const defaultStarter = {
  image: "docker.io/library/caddy:2",
  port: 8080,
  replicas: 1,
  cpuMillicores: 50,
  memoryMiB: 64,
} as const satisfies StarterSettings;

export const defaultStorage = { kind: "s3", region: "us-east-1" } as const;

export const defaultBucket = {
  reclaimPolicy: "Retain",
  versioning: false,
  adopt: false,
} as const satisfies Partial<MemberBucket>;

/** For a bucket without grants. */
export const defaultAcl = "private" satisfies CannedAcl;

export const defaultBucketKeyGeneration = 1;

export const defaultArchive = { secrets: false, volumes: "retain" } as const satisfies Partial<ArchiveSettings>;

export const defaultNotify = { expiryDays: [3, 14], quotaPercent: 90 } as const satisfies NotifySettings;

export const defaultMailSecurity = "starttls" satisfies MailSecurity;

/** Ports of mail servers, by how the connection is encrypted. */
export const mailPorts: Readonly<Record<MailSecurity, number>> = { starttls: 587, tls: 465, none: 25 };

export const defaultBoard = {
  port: 9465,
  verify: false,
  header: "X-Auth-Request-User",
} as const satisfies Partial<BoardSettings>;

/** Most members that a run removes, and the defaults for members who leave these out. */
export const defaultOffboarding = { maxRemovals: 3, graceDays: 0, protect: false, adopt: false } as const;
