import type { CiIssuer } from "../../model/members/ci.ts";
import { ciIssuersOf, ciUsername } from "../../resolve/members/ci.ts";
import { usernameOf } from "../../resolve/members/member.ts";
import { withTraits } from "../../resolve/members/memberTypes.ts";
import { plainMistake, type RawMistake, valueMistake } from "../../sources/mistakes.ts";
import { type Candidate, encrypted, membersPaths, type RulesContext } from "../rules.ts";
import { entryFindings } from "./entryRules.ts";
import { audienceFindings, issuerFindings, prefixFindings } from "./issuerRules.ts";

/** Mistakes: issuers that are one, jobs of nobody or of two, and jobs that could pass for people. */
export function ciFindings(candidates: readonly Candidate[], context: RulesContext): RawMistake[] {
  const issuers = ciIssuersOf(context.entry.ci);
  const used = new Set(candidates.flatMap(({ entry: { ci = [] } }) => ci.flatMap((each) => each?.issuer ?? [])));
  return [
    ...encrypted([...(context.raw.ci === undefined ? [] : [["ci"]]), ...membersPaths(candidates, "ci")], context),
    ...issuerFindings(used, context),
    ...audienceFindings(used, context),
    ...prefixFindings(
      [...used].flatMap((name) => issuers.get(name) ?? []),
      context,
    ),
    ...candidates.flatMap((candidate) => [
      ...homeFindings(candidate, context),
      ...(candidate.entry.ci ?? []).flatMap((entry, at) =>
        entry === undefined
          ? []
          : entryFindings(entry, ["members", candidate.index, "ci", at], candidate.wrong, issuers, context),
      ),
    ]),
    ...subjectFindings(candidates, issuers, context),
  ];
}

function homeFindings({ index, entry }: Candidate, { types }: RulesContext): RawMistake[] {
  const type = types.get(entry.type ?? "");
  return type === undefined || (entry.ci ?? []).length === 0 || withTraits(type, entry).home === "edit"
    ? []
    : [plainMistake(["members", index, "ci"], "is for members who run workloads: set home: edit, or leave it out")];
}

/** A subject opens one namespace. */
function subjectFindings(
  candidates: readonly Candidate[],
  issuers: ReadonlyMap<string, CiIssuer>,
  { settings, nameOf }: RulesContext,
): RawMistake[] {
  const people = new Map(
    candidates.flatMap(({ index, entry: { subject, member } }) => {
      const name = subject ?? member;
      return name === undefined ? [] : [[usernameOf(name, settings), index] as const];
    }),
  );
  const staff = new Set((settings.staff ?? []).map(({ subject }) => subject.name));
  const seen = new Map<string, number>();
  return candidates.flatMap(({ index, entry: { ci = [] } }) =>
    ci.flatMap((each, at): RawMistake[] => {
      const name = each === undefined ? undefined : ciUsername(each, issuers);
      if (name === undefined) {
        return [];
      }
      const mistake = (why: string) => [valueMistake(["members", index, "ci", at], name, why)];
      const [first, person] = [seen.get(name), people.get(name)];
      seen.set(name, first ?? index);
      if (first !== undefined) {
        return mistake(
          first === index
            ? "is listed twice; keep one"
            : `deploys for ${nameOf(first)} already; a job has one namespace`,
        );
      }
      if (person !== undefined) {
        return mistake(`is how ${nameOf(person)} signs in; a job is no person`);
      }
      return staff.has(name) ? mistake("is one of staff; a job is no person") : [];
    }),
  );
}
