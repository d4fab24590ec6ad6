import type { LimitsEntry, MemberEntry } from "./entries.ts";
import { type Mistake, valueText } from "./mistakes.ts";
import type { Member, MemberLimits, Settings } from "./settings.ts";

/** The stack's name stands in a label of every object. */
export function stackMistakes(stack: string): Mistake[] {
  const fits = stack.length <= 63 && /^[a-z0-9]([-a-z0-9_.]*[a-z0-9])?$/i.test(stack);
  return fits
    ? []
    : [
        {
          path: "stack",
          message: `${valueText(stack)} can't be a label's value: at most 63 of a-z, 0-9, '-', '_' and '.', and no mark at either end`,
        },
      ];
}

/**
 * The rules that no single value can break on its own: names that the cluster uses, members that collide, and figures
 * that contradict each other.
 * @param entries the entries whose shape is right, by their index in the list
 * @param members what those entries come to, under the same index
 */
export function memberMistakes(
  entries: ReadonlyMap<number, MemberEntry>,
  members: ReadonlyMap<number, Member>,
  settings: Settings,
): Mistake[] {
  const mistakes: Mistake[] = [];
  const names = new Map<string, number>();
  const usernames = new Map<string, number>();
  for (const [index, member] of members) {
    const at = `members[${index}]`;
    const who = ` (member '${member.name}')`;
    const tell = (key: string, message: string) => mistakes.push({ path: `${at}.${key}`, message });

    const use = useOf(member.name, settings);
    if (use !== undefined) {
      tell("member", `${valueText(member.name)} is ${use}; choose another name`);
    }
    const namesake = names.get(member.name);
    if (namesake !== undefined) {
      tell("member", `${valueText(member.name)} is the name of members[${namesake}] already; names must differ`);
    }
    names.set(member.name, namesake ?? index);

    const key = entries.get(index)?.subject === undefined ? "member" : "subject";
    const twin = usernames.get(member.username);
    if (twin !== undefined && namesake === undefined) {
      const message = `${valueText(member.username)} signs in as members[${twin}] already; subjects must differ${who}`;
      tell(key, message);
    }
    usernames.set(member.username, twin ?? index);
    for (const name of [member.username, ...member.groups]) {
      if (name.startsWith("system:")) {
        const field = name === member.username ? key : "groups";
        tell(field, `${valueText(name)} is one of Kubernetes' own names; set a prefix in oidc${who}`);
      }
    }
    const entry = entries.get(index);
    // Without a quota, nothing is held against the maximum.
    if (entry !== undefined && member.type.quota) {
      mistakes.push(...limitMistakes(at, who, entry, member.limits));
    }
  }
  return mistakes;
}

/** A maximum, the default that has to fit below it, and the keys that can set either. */
const pairs = [
  { most: "maxCpuMillicores", mostKey: "maxCPUm", standard: "defaultCpuMillicores", standardKeys: ["defaultCPUm"] },
  {
    most: "maxMemoryMiB",
    mostKey: "maxMemoryMiB",
    standard: "defaultMemoryMiB",
    standardKeys: ["defaultMemoryMiB", "defaultMemoryMB"],
  },
] as const;

/**
 * Figures that contradict each other, told of the key that an entry sets; what only the stack's defaults say is told of
 * them, once, not of every member.
 * @param at where the entry stands
 * @param who whose it is, for the end of the message
 * @param limits what the entry comes to
 */
export function limitMistakes(at: string, who: string, entry: LimitsEntry, limits: MemberLimits): Mistake[] {
  const mistakes: Mistake[] = [];
  for (const { most, mostKey, standard, standardKeys } of pairs) {
    const set = standardKeys.find((key) => entry[key] !== undefined);
    const consequence = `so that no container would fit${who}`;
    if (limits[most] < limits[standard] && entry[mostKey] !== undefined) {
      const message = `${limits[most]} is below ${set ?? standardKeys[0]} (${limits[standard]}), ${consequence}`;
      mistakes.push({ path: `${at}.${mostKey}`, message });
    } else if (limits[most] < limits[standard] && set !== undefined) {
      const message = `${limits[standard]} is above ${mostKey} (${limits[most]}), ${consequence}`;
      mistakes.push({ path: `${at}.${set}`, message });
    }
  }
  const { defaultMemoryMB, defaultMemoryMiB } = entry;
  if (defaultMemoryMB !== undefined && defaultMemoryMiB !== undefined && defaultMemoryMB !== defaultMemoryMiB) {
    const message = `${defaultMemoryMB} is another figure than defaultMemoryMiB (${defaultMemoryMiB})`;
    mistakes.push({ path: `${at}.defaultMemoryMB`, message: `${message}; the two mean the same, keep one${who}` });
  }
  return mistakes;
}

/** What the cluster uses a name for, if it does. */
function useOf(name: string, { route, network }: Settings): string | undefined {
  if (name === "default" || name.startsWith("kube-")) {
    return "one of Kubernetes' own namespaces";
  }
  if (name === route.namespace) {
    return "the ingress controller's namespace (route.namespace)";
  }
  return name === network.dnsNamespace ? "the namespace of the cluster's DNS (network.dnsNamespace)" : undefined;
}
