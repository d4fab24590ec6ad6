import type { LimitsEntry, MemberEntry, SettingsEntry, TypeEntry } from "./entries.ts";
import { builtInMemberTypes } from "./memberTypes.ts";
import { builtInLimits, standardTraits } from "./schema/member.ts";
import { memberPlaceholder } from "./schema/settings.ts";
import { dayOf } from "./schema/values.ts";
import type { Member, MemberLimits, MemberRoute, MemberType, Settings, Standing } from "./settings.ts";

/** The settings with every default filled in. */
export function settingsOf(stack: string, entry: SettingsEntry | undefined): Settings {
  const { maxRemovals } = entry?.offboarding ?? {};
  return {
    stack,
    cluster: {
      ...(entry?.cluster?.context === undefined ? {} : { context: entry.cluster.context }),
      ...(entry?.cluster?.id === undefined ? {} : { id: entry.cluster.id }),
    },
    oidc: {
      usernamePrefix: entry?.oidc?.usernamePrefix ?? "oidc:",
      groupsPrefix: entry?.oidc?.groupsPrefix ?? "oidc:",
    },
    route: {
      host: entry?.route.host ?? "",
      namespace: entry?.route.namespace ?? "ingress-nginx",
      className: entry?.route.className ?? "nginx",
    },
    network: {
      ingressPodLabels: entry?.network?.ingressPodLabels ?? {},
      dnsNamespace: entry?.network?.dnsNamespace ?? "kube-system",
      dnsPodLabels: entry?.network?.dnsPodLabels ?? { "k8s-app": "kube-dns" },
      internet: entry?.network?.internet ?? true,
    },
    offboarding: maxRemovals === undefined ? {} : { maxRemovals },
  };
}

/** The types that a stack has: the built-in ones as it changes them, and its own. */
export function memberTypesOf(entries: SettingsEntry["memberTypes"] = {}): ReadonlyMap<string, MemberType> {
  const types = new Map<string, MemberType>(Object.entries(builtInMemberTypes));
  for (const [name, entry] of Object.entries(entries)) {
    types.set(name, withTraits(types.get(name) ?? { name, ...standardTraits }, entry));
  }
  return types;
}

function withTraits(type: MemberType, entry: TypeEntry): MemberType {
  return {
    name: type.name,
    home: entry.home ?? type.home,
    others: entry.others ?? type.others,
    quota: entry.quota ?? type.quota,
    podSecurity: entry.podSecurity ?? type.podSecurity,
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
  };
}

/** What a member's entry comes to, beside the rest of the configuration. */
export interface MemberContext {
  readonly settings: Settings;
  readonly entry: SettingsEntry | undefined;
  readonly types: ReadonlyMap<string, MemberType>;
  /** The day of the run in UTC, as `2026-12-31`. */
  readonly today: string;
}

export function memberOf(
  entry: MemberEntry,
  type: MemberType,
  { settings, entry: stack, today }: MemberContext,
): Member {
  const expires = entry.expires === undefined ? undefined : dayOf(entry.expires);
  const route = routeOf(entry, settings, stack);
  return {
    name: entry.member,
    type: withTraits(type, entry),
    limits: limitsOf(entry, stack?.memberTypes?.[type.name]?.defaults, stack?.defaults),
    username: settings.oidc.usernamePrefix + (entry.subject ?? entry.member),
    groups: (entry.groups ?? []).map((group) => settings.oidc.groupsPrefix + group),
    ...(route === undefined ? {} : { route }),
    standing: standingOf(entry, expires, today),
    ...(expires === undefined ? {} : { expires }),
    adopt: entry.adopt ?? stack?.offboarding?.adopt ?? false,
    protect: entry.protect ?? stack?.offboarding?.protect ?? false,
  };
}

function routeOf(
  { member, route }: MemberEntry,
  settings: Settings,
  stack: SettingsEntry | undefined,
): MemberRoute | undefined {
  if (route === false) {
    return undefined;
  }
  const template = stack?.route.path ?? `/${memberPlaceholder}`;
  return { host: route?.host ?? settings.route.host, path: route?.path ?? template.replace(memberPlaceholder, member) };
}

/** Days in this form sort as they follow each other. */
function standingOf({ suspended }: MemberEntry, expires: string | undefined, today: string): Standing {
  if (suspended === true) {
    return "suspended";
  }
  return expires !== undefined && expires < today ? "expired" : "active";
}
