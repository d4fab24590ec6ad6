import { groupOf, hasPrefix, isReserved, prefixed, reserved, usernameOf } from "../oidc.ts";
import { type Candidate, encrypted, membersPaths, type RulesContext } from "../rule.ts";
import { noAddress } from "../values/emails.ts";
import { type RawMistake, valueMistake } from "../values/mistakes.ts";
import { nearest } from "../values/nearest.ts";
import { confusionOf, useOf } from "./names.ts";

/** Mistakes: names, subjects and groups that the cluster uses or that two members claim, and unknown types. */
export function memberFindings(candidates: readonly Candidate[], context: RulesContext): RawMistake[] {
  return [
    ...nameFindings(candidates, context),
    ...subjectFindings(candidates, context),
    ...candidates.flatMap((candidate) => groupFindings(candidate, context)),
    ...typeFindings(candidates, context),
    ...encrypted(membersPaths(candidates, "labels"), context),
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
    const confusion = confusionOf(name, settings);
    if (use !== undefined) {
      findings.push(valueMistake(path, name, `is ${use}; choose another name`));
    } else if (confusion !== undefined) {
      findings.push(valueMistake(path, name, `${confusion}; ${otherName(entry)}`));
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

/** The member's own name is how they sign in, if no subject says otherwise. */
const otherName = ({ member, subject }: Candidate["entry"]) =>
  `choose another name, such as m-${member}${subject === undefined ? `, with subject: ${member}` : ""}`;

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
      // Two members with one name are reported elsewhere.
      const reported = `signs in as ${nameOf(first.index)} already; subjects must differ`;
      findings.push(valueMistake(path, subject, reported));
    }
    const notSent = settings.oidc.usernameClaim === "email" ? noAddress(subject) : undefined;
    if (entry.subject !== undefined && hasPrefix(subject, "usernamePrefix", context)) {
      findings.push(valueMistake(path, subject, prefixed("usernamePrefix")));
    } else if (notSent !== undefined) {
      findings.push(valueMistake(path, subject, notSent));
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
      return [valueMistake(path, group, "is listed twice; keep one")];
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
