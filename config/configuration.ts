import type { z } from "zod";
import { builtInMemberTypes } from "./memberTypes.ts";
import { type Mistake, mistakesOf } from "./mistakes.ts";
import { limitMistakes, memberMistakes, stackMistakes } from "./rules.ts";
import { type LimitsEntry, memberSchema, type SettingsEntry, settingsSchema } from "./schema.ts";
import type { Configuration, Member, MemberLimits, Settings } from "./settings.ts";

type ValidEntry = z.output<typeof memberSchema>;

/** A configuration that can be used, or everything that is wrong with it. */
export type Parsed = { readonly configuration: Configuration } | { readonly mistakes: readonly Mistake[] };

/**
 * Validates a stack's configuration as a whole, so that every mistake is told at once.
 * @param stack name of the Pulumi stack
 * @param raw the values under `kubecamp:`, by key
 */
export function parseConfiguration(stack: string, raw: Readonly<Record<string, unknown>>): Parsed {
  const mistakes: Mistake[] = [...stackMistakes(stack)];
  const parsed = settingsSchema.safeParse(raw);
  if (!parsed.success) {
    mistakes.push(...mistakesOf(parsed.error, raw, [], keysOfSettings));
  }
  const entries = new Map<number, ValidEntry>();
  const list = Array.isArray(raw.members) ? raw.members : [];
  list.forEach((value: unknown, index) => {
    const entry = memberSchema.safeParse(value);
    if (entry.success) {
      entries.set(index, entry.data);
    } else {
      const found = mistakesOf(entry.error, value, ["members", index], () => Object.keys(memberSchema.shape));
      mistakes.push(...found.map((mistake) => named(mistake, value)));
    }
  });
  const settings = settingsOf(stack, parsed.success ? parsed.data : undefined);
  // On their own: a mistake elsewhere must not make the members' figures look wrong.
  const defaults = settingsSchema.shape.defaults.safeParse(raw.defaults).data;
  mistakes.push(...limitMistakes("defaults", "", defaults ?? {}, limitsOf({}, defaults)));
  const members = new Map([...entries].map(([index, entry]) => [index, memberOf(entry, defaults, settings)]));
  mistakes.push(...memberMistakes(entries, members, settings));
  mistakes.sort((a, b) => memberIndex(a) - memberIndex(b));
  return mistakes.length > 0 ? { mistakes } : { configuration: { settings, members: [...members.values()] } };
}

/** Mistakes in members' entries come in the order of the list, after all others. */
function memberIndex({ path }: Mistake): number {
  return Number(/^members\[(\d+)\]/.exec(path)?.[1] ?? -1);
}

/** Says whose entry a mistake stands in: an index alone is hard to find in a long list. */
function named(mistake: Mistake, entry: unknown): Mistake {
  const name: unknown = typeof entry === "object" && entry !== null ? Reflect.get(entry, "member") : undefined;
  return typeof name === "string" && !mistake.path.endsWith(".member")
    ? { ...mistake, message: `${mistake.message} (member '${name}')` }
    : mistake;
}

function keysOfSettings(path: readonly PropertyKey[]): readonly string[] {
  const [key] = path;
  if (key === undefined) {
    return Object.keys(settingsSchema.shape);
  }
  const groups: Record<PropertyKey, { shape: object } | undefined> = {
    route: settingsSchema.shape.route,
    defaults: settingsSchema.shape.defaults.unwrap(),
    cluster: settingsSchema.shape.cluster.unwrap(),
    oidc: settingsSchema.shape.oidc.unwrap(),
    network: settingsSchema.shape.network.unwrap(),
  };
  return Object.keys(groups[key]?.shape ?? {});
}

function settingsOf(stack: string, entry: SettingsEntry | undefined): Settings {
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
  };
}

/** The member's own figures first, then the stack's, then the operator's. */
function limitsOf(entry: LimitsEntry, defaults: LimitsEntry = {}): MemberLimits {
  return {
    maxCpuMillicores: entry.maxCPUm ?? defaults.maxCPUm ?? 500,
    maxMemoryMiB: entry.maxMemoryMiB ?? defaults.maxMemoryMiB ?? 500,
    defaultCpuMillicores: entry.defaultCPUm ?? defaults.defaultCPUm ?? 100,
    defaultMemoryMiB:
      entry.defaultMemoryMiB ?? entry.defaultMemoryMB ?? defaults.defaultMemoryMiB ?? defaults.defaultMemoryMB ?? 100,
    persistentVolumeClaims: entry.numOfPVCs ?? defaults.numOfPVCs ?? 5,
    maxPersistentVolumeClaimMiB: entry.maxPVCSizeMiB ?? defaults.maxPVCSizeMiB ?? 1000,
  };
}

function memberOf(entry: ValidEntry, defaults: LimitsEntry | undefined, settings: Settings): Member {
  return {
    name: entry.member,
    type: builtInMemberTypes[entry.type],
    limits: limitsOf(entry, defaults),
    username: settings.oidc.usernamePrefix + (entry.subject ?? entry.member),
    groups: (entry.groups ?? []).map((group) => settings.oidc.groupsPrefix + group),
  };
}
