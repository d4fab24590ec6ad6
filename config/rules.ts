import type { MemberEntry } from "./entries.ts";
import type { Finding } from "./mistakes.ts";
import { nearest } from "./nearest.ts";
import { groupOf, type MemberContext, usernameOf } from "./resolve.ts";
import type { Valid } from "./schema/issues.ts";
import type { MemberType, Settings } from "./settings.ts";

/** A member's entry, as far as it is right by itself. */
export interface Candidate {
  /** Where it stands in the list. */
  readonly index: number;
  readonly entry: Valid<MemberEntry>;
  /** Keys in which something is wrong, so that what `entry` has of them is not all of it. */
  readonly wrong: ReadonlySet<PropertyKey>;
}

/** What the rules need to know beside the entries. */
export interface RulesContext extends MemberContext {
  readonly types: ReadonlyMap<string, MemberType>;
  /** What a message calls the entry at an index: `members[3] (bob)`, with its line where that is known. */
  readonly nameOf: (index: number) => string;
  /** The same without the name: `members[3]`. */
  readonly placeOf: (index: number) => string;
}

/** The stack's name stands in a label of every object. */
export function stackFindings(stack: string): Finding[] {
  const fits = stack.length <= 63 && /^[a-z0-9]([-a-z0-9_.]*[a-z0-9])?$/i.test(stack);
  const rule = "can't be a label's value: at most 63 of a-z, 0-9, '-', '_' and '.', and no mark at either end";
  return fits ? [] : [{ path: ["stack"], message: (show) => `${show(stack)} ${rule}` }];
}

/** Names, subjects and groups that the cluster uses itself or that two members claim, and types that there are none of. */
export function memberFindings(
  candidates: readonly Candidate[],
  { settings, types, nameOf, placeOf }: RulesContext,
): Finding[] {
  const findings: Finding[] = [];
  const names = new Map<string, number>();
  const usernames = new Map<string, number>();
  const known = [...types.keys()];
  for (const { index, entry, wrong } of candidates) {
    const tell = (key: string, message: Finding["message"], ...deeper: PropertyKey[]) =>
      findings.push({ path: ["members", index, key, ...deeper], message });
    const { member: name, type, groups = [] } = entry;
    const namesake = name === undefined ? undefined : names.get(name);
    if (name !== undefined) {
      const use = useOf(name, settings);
      if (use !== undefined) {
        tell("member", (show) => `${show(name)} is ${use}; choose another name`);
      }
      if (namesake !== undefined) {
        tell("member", (show) => `${show(name)} is the name of ${placeOf(namesake)} already; names must differ`);
      }
      names.set(name, namesake ?? index);
    }
    const key = entry.subject === undefined ? "member" : "subject";
    const subject = wrong.has("subject") ? undefined : (entry.subject ?? name);
    if (subject !== undefined) {
      const username = usernameOf(subject, settings);
      const twin = usernames.get(username);
      if (twin !== undefined && (namesake === undefined || key === "subject")) {
        tell(key, (show) => `${show(username)} signs in as ${nameOf(twin)} already; subjects must differ`);
      }
      usernames.set(username, twin ?? index);
      if (isReserved(username)) {
        tell(key, (show) => `${show(username)} ${reserved}`);
      }
    }
    const before = new Set<string>();
    for (const [at, group] of groups.entries()) {
      if (group === undefined) {
        continue;
      }
      const full = groupOf(group, settings);
      if (before.has(group)) {
        tell("groups", (show) => `${show(group)} stands here twice; keep one`, at);
      } else if (isReserved(full)) {
        tell("groups", (show) => `${show(full)} ${reserved}`, at);
      }
      before.add(group);
    }
    if (type !== undefined && !types.has(type)) {
      tell("type", (show) => `${show(type)} is no member type${nearest(type, known)} (${known.join(", ")})`);
    }
  }
  return findings;
}

const isReserved = (name: string) => name.startsWith("system:");
const reserved = "is one of Kubernetes' own names; set a prefix in oidc";

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
