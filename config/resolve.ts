import { controllers } from "./controllers.ts";
import type {
  LimitsEntry,
  MemberEntry,
  NetworkAccessEntry,
  NetworkExceptionEntry,
  ReadinessEntry,
  RouteEntry,
  SettingsEntry,
  TypeEntry,
} from "./entries.ts";
import { builtInMemberTypes } from "./memberTypes.ts";
import type { Valid } from "./schema/issues.ts";
import { builtInLimits, standardTraits } from "./schema/member.ts";
import { memberPlaceholder, standardReadiness, withMember } from "./schema/route.ts";
import { standardContact } from "./schema/settings.ts";
import { dayOf } from "./schema/values.ts";
import type {
  Member,
  MemberLimits,
  MemberType,
  NetworkAccess,
  NetworkException,
  NetworkPort,
  PlannedRoute,
  ReadinessSettings,
  RouteSettings,
  Settings,
  Standing,
  TlsSettings,
} from "./settings.ts";

/** The settings with every default filled in. */
export function settingsOf(stack: string, entry: Valid<SettingsEntry>): Settings {
  const { maxRemovals } = entry.offboarding ?? {};
  return {
    stack,
    cluster: {
      ...(entry.cluster?.context === undefined ? {} : { context: entry.cluster.context }),
      ...(entry.cluster?.id === undefined ? {} : { id: entry.cluster.id }),
    },
    oidc: {
      ...given(entry.oidc ?? {}, "issuerUrl", "clientId", "ca"),
      usernameClaim: entry.oidc?.usernameClaim ?? "sub",
      groupsClaim: entry.oidc?.groupsClaim ?? "groups",
      scopes: whole(entry.oidc?.scopes),
      usernamePrefix: entry.oidc?.usernamePrefix ?? "oidc:",
      groupsPrefix: entry.oidc?.groupsPrefix ?? "oidc:",
    },
    route: routeSettingsOf(entry.route ?? {}),
    network: {
      ingressPodLabels: entry.network?.ingressPodLabels ?? {},
      dnsNamespace: entry.network?.dnsNamespace ?? "kube-system",
      dnsPodLabels: entry.network?.dnsPodLabels ?? { "k8s-app": "kube-dns" },
      nodeLocalDns: whole(entry.network?.nodeLocalDns),
    },
    contact: entry.contact ?? standardContact,
    offboarding: maxRemovals === undefined ? {} : { maxRemovals },
  };
}

function routeSettingsOf(entry: Valid<RouteEntry>): RouteSettings {
  const controller = entry.controller ?? "ingress-nginx";
  const names = controllers[controller];
  const { gateway, tls, backendTls } = entry;
  const usual = entry.kind === "gateway" ? gateway?.namespace : undefined;
  const namespace = entry.namespace ?? usual ?? names.namespace;
  return {
    kind: entry.kind ?? "ingress",
    controller,
    namespace,
    className: entry.className ?? names.className,
    ...(gateway?.name === undefined
      ? {}
      : {
          gateway: {
            name: gateway.name,
            namespace: gateway.namespace ?? namespace,
            ...(gateway.sectionName === undefined ? {} : { sectionName: gateway.sectionName }),
          },
        }),
    rewrite: entry.rewrite ?? "none",
    ...(tls === undefined ? {} : { tls: tlsOf(tls) }),
    backend: {
      protocol: entry.backendProtocol ?? "HTTP",
      ...(backendTls?.ca === undefined ? {} : { ca: backendTls.ca }),
      serverName: backendTls?.serverName ?? `${memberPlaceholder}-svc.${memberPlaceholder}.svc`,
    },
  };
}

function tlsOf({ secretName, clusterIssuer, issuer = "" }: Valid<NonNullable<RouteEntry["tls"]>>): TlsSettings {
  if (secretName !== undefined) {
    return { secretName };
  }
  return clusterIssuer === undefined ? { issuer } : { clusterIssuer };
}

/** The types that a stack has: the built-in ones as it changes them, and its own. */
export function memberTypesOf({ memberTypes = {} }: Valid<SettingsEntry>): ReadonlyMap<string, MemberType> {
  const types = new Map<string, MemberType>(Object.entries(builtInMemberTypes));
  for (const [name, entry] of Object.entries(memberTypes)) {
    types.set(name, withTraits(types.get(name) ?? { name, ...standardTraits }, entry ?? {}));
  }
  return types;
}

function withTraits(type: MemberType, entry: Valid<TypeEntry>): MemberType {
  return {
    name: type.name,
    home: entry.home ?? type.home,
    others: entry.others ?? type.others,
    quota: entry.quota ?? type.quota,
    podSecurity: entry.podSecurity ?? type.podSecurity,
    priorityClasses: entry.priorityClasses === undefined ? type.priorityClasses : whole(entry.priorityClasses),
  };
}

/** Each figure from the first of the entries that has it, or else the operator's. */
export function limitsOf(...entries: readonly (LimitsEntry | undefined)[]): MemberLimits {
  const first = (...keys: readonly (keyof LimitsEntry)[]) =>
    entries.flatMap((entry) => keys.map((key) => entry?.[key])).find((figure) => figure !== undefined);
  return {
    maxCpuMillicores: first("maxCPUm") ?? builtInLimits.maxCPUm,
    maxMemoryMiB: first("maxMemoryMiB") ?? builtInLimits.maxMemoryMiB,
    defaultCpuMillicores: first("defaultCPUm") ?? builtInLimits.defaultCPUm,
    defaultMemoryMiB: first("defaultMemoryMiB", "defaultMemoryMB") ?? builtInLimits.defaultMemoryMiB,
    persistentVolumeClaims: first("numOfPVCs") ?? builtInLimits.numOfPVCs,
    maxPersistentVolumeClaimMiB: first("maxPVCSizeMiB") ?? builtInLimits.maxPVCSizeMiB,
    pods: first("maxPods") ?? builtInLimits.maxPods,
    objects: first("maxObjects") ?? builtInLimits.maxObjects,
    maxEphemeralStorageMiB: first("maxEphemeralStorageMiB") ?? builtInLimits.maxEphemeralStorageMiB,
    defaultEphemeralStorageMiB: first("defaultEphemeralStorageMiB") ?? builtInLimits.defaultEphemeralStorageMiB,
  };
}

/** What a member's entry is seen beside. */
export interface MemberContext {
  readonly settings: Settings;
  readonly entry: Valid<SettingsEntry>;
  /** The day of the run in UTC, as `2026-12-31`. */
  readonly today: string;
}

/** What a member's limits come to: their own figures, then their type's, then the stack's. */
export function memberLimitsOf(entry: Valid<MemberEntry>, stack: Valid<SettingsEntry>): MemberLimits {
  return limitsOf(entry, typeEntryOf(entry, stack)?.defaults, stack.defaults);
}

/** What the stack says of a member's type, if it does. */
function typeEntryOf({ type }: Valid<MemberEntry>, { memberTypes = {} }: Valid<SettingsEntry>) {
  return type !== undefined && Object.hasOwn(memberTypes, type) ? memberTypes[type] : undefined;
}

/** What an entry comes to, beside the rest of the configuration. */
export function memberOf(
  entry: Valid<MemberEntry> & Pick<MemberEntry, "member">,
  type: MemberType,
  { settings, entry: stack, today }: MemberContext,
): Member {
  const expires = entry.expires === undefined ? undefined : dayOf(entry.expires);
  const route = routeOf(entry, stack);
  const ofType = typeEntryOf(entry, stack);
  const images = entry.images ?? ofType?.images ?? stack.images;
  return {
    name: entry.member,
    type: withTraits(type, entry),
    limits: memberLimitsOf(entry, stack),
    ...(images === undefined ? {} : { images: whole(images) }),
    network: networkAccessOf(entry.network, ofType?.network, stack.network),
    username: usernameOf(entry.subject ?? entry.member, settings),
    groups: (entry.groups ?? []).flatMap((group) => (group === undefined ? [] : [groupOf(group, settings)])),
    ...(route === undefined ? {} : { route }),
    standing: standingOf(entry, expires, today),
    ...(expires === undefined ? {} : { expires }),
    adopt: entry.adopt ?? stack.offboarding?.adopt ?? false,
    protect: entry.protect ?? stack.offboarding?.protect ?? false,
  };
}

/** What is let through for a member: all that any of the entries does, and public addresses as the first of them says. */
function networkAccessOf(...entries: readonly (Valid<NetworkAccessEntry> | undefined)[]): NetworkAccess {
  const all = (way: "egress" | "ingress") => entries.flatMap((entry) => whole(entry?.[way]).map(exceptionOf));
  return {
    internet: entries.find((entry) => entry?.internet !== undefined)?.internet ?? true,
    egress: all("egress"),
    ingress: all("ingress"),
  };
}

function exceptionOf({ cidr, namespace = "", podLabels = {}, ports }: Valid<NetworkExceptionEntry>): NetworkException {
  return {
    peer: cidr === undefined ? { namespace, podLabels: podLabels as Record<string, string> } : { cidr },
    ports: whole(ports).map((port) => {
      const [number, protocol = "TCP"] = String(port).split("/");
      return { port: Number(number), protocol: protocol as NetworkPort["protocol"] };
    }),
  };
}

/** A list without what is wrong in it. */
const whole = <T>(list: readonly (T | undefined)[] = []): T[] => list.filter((item) => item !== undefined);

/** Some of a map's values, as far as they are there. */
function given<T extends object, K extends keyof T>(
  map: T,
  ...keys: readonly K[]
): { [P in K]?: Exclude<T[P], undefined> } {
  return Object.fromEntries(keys.flatMap((key) => (map[key] === undefined ? [] : [[key, map[key]]]))) as {
    [P in K]?: Exclude<T[P], undefined>;
  };
}

/** The name that a subject has at the API server. */
export const usernameOf = (subject: string, { oidc }: Settings) => oidc.usernamePrefix + subject;

/** The name that a group has at the API server. */
export const groupOf = (group: string, { oidc }: Settings) => oidc.groupsPrefix + group;

/** Where a member is to be reached, and when; undefined for one who is to have no public path. */
export function routeOf(
  { member, route }: Valid<MemberEntry> & Pick<MemberEntry, "member">,
  stack: Valid<SettingsEntry>,
): PlannedRoute | undefined {
  if (route === false) {
    return undefined;
  }
  const hosts = stack.route?.host ?? "";
  const template = stack.route?.path ?? (hosts.includes(memberPlaceholder) ? "/" : `/${memberPlaceholder}`);
  return {
    host: route?.host ?? withMember(hosts, member),
    path: route?.path ?? withMember(template, member),
    readiness: readinessSettingsOf(route?.readiness, stack.route?.readiness),
  };
}

function readinessSettingsOf(...entries: readonly (Valid<ReadinessEntry> | undefined)[]): ReadinessSettings {
  const first = <K extends keyof ReadinessEntry>(key: K): ReadinessEntry[K] =>
    entries.map((entry) => entry?.[key]).find((value) => value !== undefined) as ReadinessEntry[K];
  return {
    mode: first("mode") ?? standardReadiness.mode,
    requires: first("requires") ?? standardReadiness.requires,
    timeoutSeconds: first("timeoutSeconds") ?? standardReadiness.timeoutSeconds,
    targetPort: first("targetPort") ?? standardReadiness.targetPort,
  };
}

/** Days in this form sort as they follow each other. A flag stands for longer than a date, so it is the one that is told. */
function standingOf({ suspended }: Valid<MemberEntry>, expires: string | undefined, today: string): Standing {
  if (suspended === true) {
    return "suspended";
  }
  return expires !== undefined && expires < today ? "expired" : "active";
}
