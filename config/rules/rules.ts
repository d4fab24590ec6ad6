import { nearest } from "../model/nearest.ts";
import type { MemberType, Settings } from "../model/settings.ts";
import { groupOf, type MemberContext, usernameOf } from "../resolve/member.ts";
import type { Valid } from "../schema/issues.ts";
import type { MemberEntry } from "../schema/member.ts";
import { type RawMistake, valueMistake } from "../sources/mistakes.ts";

/** A member's entry, as far as it is right by itself. */
export interface Candidate {
  /** Where it stands in the list. */
  readonly index: number;
  readonly entry: Valid<MemberEntry>;
  /** Keys in which something is wrong, also those in maps, so that what `entry` has of them is not all of it. */
  readonly wrong: ReadonlySet<string>;
}

/** Whether it is known where somebody's route is; when it opens is another matter. */
export const hasClearHostPath = ({ entry, wrong }: Candidate) =>
  !["route.host", "route.path"].some((key) => wrong.has(key)) && !(wrong.has("route") && entry.route === undefined);

/** What the rules need to know beside the entries. */
export interface RulesContext extends MemberContext {
  /** The settings as they stand in the configuration. */
  readonly raw: Readonly<Record<string, unknown>>;
  /** Whether what stands at a path is encrypted in the file; undefined where that is not known of any. */
  readonly isSecret: ((path: readonly PropertyKey[]) => boolean) | undefined;
  /** Settings in which something is wrong or not to be read, so that what there is of them may be a default. */
  readonly wrongSettings: ReadonlySet<string>;
  readonly types: ReadonlyMap<string, MemberType>;
  /** The names of those that a member can have; undefined where there may be more: what adds them is not to be read. */
  readonly typeNames: readonly string[] | undefined;
  /** What a message calls the entry at an index: `members[3] (bob)`, with its line where that is known. */
  readonly nameOf: (index: number) => string;
  /** The same without the name: `members[3]`. */
  readonly placeOf: (index: number) => string;
}

/** The stack's name stands in a label of every object. */
export function stackFindings(stack: string): RawMistake[] {
  const fits = stack.length <= 63 && /^[a-z0-9]([-a-z0-9_.]*[a-z0-9])?$/i.test(stack);
  const rule = "can't be a label's value: at most 63 of a-z, 0-9, '-', '_' and '.', and no mark at either end";
  return fits ? [] : [valueMistake(["stack"], stack, rule)];
}

/** Names, subjects and groups that the cluster uses itself or that two members claim, and types that there are none of. */
export function memberFindings(candidates: readonly Candidate[], context: RulesContext): RawMistake[] {
  return [
    ...nameFindings(candidates, context),
    ...subjectFindings(candidates, context),
    ...candidates.flatMap((candidate) => groupFindings(candidate, context)),
    ...typeFindings(candidates, context),
  ];
}

function nameFindings(candidates: readonly Candidate[], { settings, placeOf }: RulesContext): RawMistake[] {
  const findings: RawMistake[] = [];
  const names = new Map<string, number>();
  for (const { index, entry } of candidates) {
    const { member: name } = entry;
    if (name === undefined) {
      continue;
    }
    const path = ["members", index, "member"];
    const use = useOf(name, settings);
    if (use !== undefined) {
      findings.push(valueMistake(path, name, `is ${use}; choose another name`));
    }
    const first = names.get(name);
    if (first === undefined) {
      names.set(name, index);
    } else {
      const reported = `is the name of ${placeOf(first)} already; names must differ`;
      findings.push(valueMistake(path, name, reported));
    }
  }
  return findings;
}

function subjectFindings(candidates: readonly Candidate[], context: RulesContext): RawMistake[] {
  const { settings, nameOf } = context;
  const findings: RawMistake[] = [];
  const subjects = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const { index, entry, wrong } = candidate;
    const subject = wrong.has("subject") ? undefined : (entry.subject ?? entry.member);
    if (subject === undefined) {
      continue;
    }
    const path = ["members", index, entry.subject === undefined ? "member" : "subject"];
    const first = subjects.get(subject);
    if (first === undefined) {
      subjects.set(subject, candidate);
    } else if (entry.subject !== undefined || first.entry.member !== entry.member) {
      // Of two with one name it is told already.
      const reported = `signs in as ${nameOf(first.index)} already; subjects must differ`;
      findings.push(valueMistake(path, subject, reported));
    }
    if (entry.subject !== undefined && hasPrefix(subject, "usernamePrefix", context)) {
      findings.push(valueMistake(path, subject, prefixed("usernamePrefix")));
    }
    if (settings.oidc.usernameClaim === "email" && !subject.includes("@")) {
      findings.push(valueMistake(path, subject, noEmail));
    }
    const username = usernameOf(subject, settings);
    if (isReserved(username)) {
      findings.push(valueMistake(path, username, reserved));
    }
  }
  return findings;
}

function groupFindings({ index, entry: { groups = [] } }: Candidate, context: RulesContext): RawMistake[] {
  const before = new Set<string>();
  return groups.flatMap((group, at): RawMistake[] => {
    if (group === undefined) {
      return [];
    }
    const path = ["members", index, "groups", at];
    if (before.has(group)) {
      return [valueMistake(path, group, "stands here twice; keep one")];
    }
    before.add(group);
    if (hasPrefix(group, "groupsPrefix", context)) {
      return [valueMistake(path, group, prefixed("groupsPrefix"))];
    }
    const name = groupOf(group, context.settings);
    return isReserved(name) ? [valueMistake(path, name, reserved)] : [];
  });
}

function typeFindings(candidates: readonly Candidate[], { types, typeNames }: RulesContext): RawMistake[] {
  return candidates.flatMap(({ index, entry: { type } }): RawMistake[] => {
    if (type === undefined || typeNames === undefined || types.has(type)) {
      return [];
    }
    const reported = `is no member type${nearest(type, typeNames)} (${typeNames.join(", ")})`;
    return [valueMistake(["members", index, "type"], type, reported)];
  });
}

/**
 * Whether a name has the prefix already that it would get once more, as it stands in what kubectl prints of a binding. A
 * prefix that ends in a letter may well begin somebody's name.
 */
function hasPrefix(
  name: string,
  key: "usernamePrefix" | "groupsPrefix",
  { settings, wrongSettings }: RulesContext,
): boolean {
  const prefix = settings.oidc[key];
  return !wrongSettings.has("oidc") && /[^\p{L}\p{N}]$/u.test(prefix) && name.startsWith(prefix);
}
const prefixed = (key: "usernamePrefix" | "groupsPrefix") => `starts with oidc.${key} already; leave it out`;

const noEmail = "is no email address, and oidc.usernameClaim is email: set subject to the member's address";

const isReserved = (name: string) => name.startsWith("system:");
const reserved = "is one of Kubernetes' own names; set a prefix in oidc";

/** What the cluster uses a name for, if it does. */
export function useOf(name: string, { route, network }: Settings): string | undefined {
  if (name === "default" || name.startsWith("kube-")) {
    return "one of Kubernetes' own namespaces";
  }
  if (name === route.namespace) {
    const whose =
      route.kind === "ingress" ? "the ingress controller's namespace" : "the namespace of the Gateway's pods";
    return `${whose} (route.namespace)`;
  }
  if (name === route.gateway?.namespace) {
    return "the Gateway's namespace (route.gateway.namespace)";
  }
  return name === network.dnsNamespace ? "the namespace of the cluster's DNS (network.dnsNamespace)" : undefined;
}
