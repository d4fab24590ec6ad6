import type { CannedAcl, Permission } from "../rules/bucketAccess.ts";
import type { IngressController } from "./controllers.ts";
/**
 * What a stack's configuration may say, as it stands in YAML. The schemas in `schema/` conform to these contracts and
 * say of each key what it means, its unit and its default; docs/settings.md and the JSON Schemas are made from them.
 */

/** Limits, with the operator's keys; what is left out comes from the type, then the stack, then built-in figures. */
export interface LimitsEntry {
  maxCPUm?: number | undefined;
  maxMemoryMiB?: number | undefined;
  defaultCPUm?: number | undefined;
  defaultMemoryMiB?: number | undefined;
  defaultMemoryMB?: number | undefined;
  numOfPVCs?: number | undefined;
  maxPVCSizeMiB?: number | undefined;
  maxPods?: number | undefined;
  maxObjects?: number | undefined;
  maxEphemeralStorageMiB?: number | undefined;
  defaultEphemeralStorageMiB?: number | undefined;
}

/** One end of a connection that isolation lets through: addresses, or pods of a namespace. */
export interface NetworkExceptionEntry {
  cidr?: string | undefined;
  namespace?: string | undefined;
  podLabels?: Record<string, string> | undefined;
  ports?: (number | string)[] | undefined;
}

/** What isolation lets through beside the usual. */
export interface NetworkAccessEntry {
  internet?: boolean | undefined;
  egress?: NetworkExceptionEntry[] | undefined;
  ingress?: NetworkExceptionEntry[] | undefined;
}

/** What a type gives its members, and what a member can have otherwise than the type says. */
export interface TypeEntry {
  home?: "edit" | "view" | undefined;
  others?: "view" | "view-guest" | "none" | undefined;
  quota?: boolean | undefined;
  podSecurity?: "baseline" | "restricted" | undefined;
  priorityClasses?: string[] | undefined;
  images?: string[] | undefined;
  network?: NetworkAccessEntry | undefined;
  starter?: "off" | "once" | "kept" | undefined;
}

/** A type of member: what a built-in one has otherwise, or a new one. */
export interface MemberTypeEntry extends TypeEntry {
  defaults?: LimitsEntry | undefined;
}

/** When a route opens. */
export interface ReadinessEntry {
  mode?: "gate" | "wait" | "managed" | undefined;
  requires?: "service" | "endpoints" | undefined;
  timeoutSeconds?: number | undefined;
  targetPort?: number | string | undefined;
}

/** The public path of each member. */
export interface RouteEntry {
  kind?: "ingress" | "gateway" | undefined;
  host: string;
  path?: string | undefined;
  controller?: IngressController | undefined;
  namespace?: string | undefined;
  className?: string | undefined;
  gateway?: { name: string; namespace?: string | undefined; sectionName?: string | undefined } | undefined;
  rewrite?: "none" | "strip" | undefined;
  tls?:
    | { secretName?: string | undefined; clusterIssuer?: string | undefined; issuer?: string | undefined }
    | undefined;
  backendProtocol?: "HTTP" | "HTTPS" | undefined;
  backendTls?: { ca?: string | undefined; serverName?: string | undefined } | undefined;
  readiness?: ReadinessEntry | undefined;
}

/** What a member's public path has otherwise than the stack's. */
export interface MemberRouteEntry {
  host?: string | undefined;
  path?: string | undefined;
  readiness?: ReadinessEntry | undefined;
}

/** Who may do what with a bucket, beside its owner. */
export interface BucketGrantEntry {
  grantee: string;
  permission: Permission;
}

/** A bucket of a member's. */
export interface BucketEntry {
  name: string;
  bucketName?: string | undefined;
  reclaimPolicy?: "Retain" | "Delete" | undefined;
  acl?: CannedAcl | undefined;
  grants?: BucketGrantEntry[] | undefined;
  policy?: string | Record<string, unknown> | undefined;
  versioning?: boolean | undefined;
  adopt?: boolean | undefined;
  quotaMiB?: unknown;
}

/** A member, with the keys of the operator that kubecamp replaces and some more. */
export interface MemberEntry extends LimitsEntry, TypeEntry {
  member: string;
  type: string;
  subject?: string | undefined;
  groups?: string[] | undefined;
  route?: false | MemberRouteEntry | undefined;
  buckets?: BucketEntry[] | undefined;
  bucketKeyGeneration?: number | undefined;
  suspended?: boolean | undefined;
  expires?: string | undefined;
  adopt?: boolean | undefined;
  protect?: boolean | undefined;
}

/** The app that members find on their path before they have one of their own. */
export interface StarterEntry {
  mode?: "off" | "once" | "kept" | undefined;
  image?: string | undefined;
  port?: number | undefined;
  replicas?: number | undefined;
  cpuMillicores?: number | undefined;
  memoryMiB?: number | undefined;
  pages?: Record<string, string> | undefined;
  pagesFolder?: string | undefined;
}

/** The server of members' buckets, or the driver that makes them. */
export interface StorageEntry {
  kind?: "s3" | "cosi" | undefined;
  endpoint?: string | undefined;
  appEndpoint?: string | undefined;
  region?: string | undefined;
  forcePathStyle?: boolean | undefined;
  accessKeyId?: string | undefined;
  secretAccessKey?: string | undefined;
  users?: "versitygw" | undefined;
  usersEndpoint?: string | undefined;
  version?: "v1alpha1" | "v1alpha2" | undefined;
  bucketClassName?: string | undefined;
  bucketAccessClassName?: string | undefined;
}

/** Keys that somebody else has made for a member. */
export interface BucketKeysEntry {
  accessKeyId: string;
  secretAccessKey: string;
  principal?: string | undefined;
}

/** How people sign in. */
export interface OidcEntry {
  issuerUrl?: string | undefined;
  clientId?: string | undefined;
  ca?: string | undefined;
  usernameClaim?: string | undefined;
  groupsClaim?: string | undefined;
  scopes?: string[] | undefined;
  usernamePrefix?: string | undefined;
  groupsPrefix?: string | undefined;
}

/** The isolation of every member. */
export interface NetworkEntry extends NetworkAccessEntry {
  ingressPodLabels?: Record<string, string> | undefined;
  dnsNamespace?: string | undefined;
  dnsPodLabels?: Record<string, string> | undefined;
  nodeLocalDns?: string[] | undefined;
}

/** The stack's configuration, key by key, apart from the members, which are checked one by one. */
export interface SettingsEntry {
  members?: unknown[] | undefined;
  membersFile?: string | undefined;
  memberTypes?: Record<string, MemberTypeEntry> | undefined;
  defaults?: LimitsEntry | undefined;
  capacity?:
    | { cpuMillicores?: number | undefined; memoryMiB?: number | undefined; storageMiB?: number | undefined }
    | undefined;
  cluster?: { context?: string | undefined; id?: string | undefined; domain?: string | undefined } | undefined;
  oidc?: OidcEntry | undefined;
  images?: string[] | undefined;
  contact?: string | undefined;
  shards?: number | undefined;
  shardOf?: string | undefined;
  route: RouteEntry;
  network?: NetworkEntry | undefined;
  starter?: StarterEntry | undefined;
  storage?: StorageEntry | undefined;
  bucketKeys?: Record<string, BucketKeysEntry> | undefined;
  offboarding?:
    | { maxRemovals?: number | undefined; protect?: boolean | undefined; adopt?: boolean | undefined }
    | undefined;
}
