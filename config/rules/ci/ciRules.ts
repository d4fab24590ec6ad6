import type { CiIssuer } from "../../model/members/ci.ts";
import { nearest } from "../../model/nearest.ts";
import { ciIssuersOf, ciUsername } from "../../resolve/members/ci.ts";
import { usernameOf } from "../../resolve/members/member.ts";
import { withTraits } from "../../resolve/members/memberTypes.ts";
import type { Valid } from "../../schema/issues.ts";
import type { CiEntry } from "../../schema/members/ci.ts";
import { plainMistake, type RawMistake, valueMistake } from "../../sources/mistakes.ts";
import { type Candidate, encrypted, membersPaths, type RulesContext } from "../rules.ts";
import { audienceFindings, isCiUnclear, issuerFindings, prefixFindings } from "./issuerRules.ts";

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

/** Mistakes within an entry of `ci`. */
function entryFindings(
  entry: Valid<CiEntry>,
  path: readonly PropertyKey[],
  wrong: ReadonlySet<string>,
  issuers: ReadonlyMap<string, CiIssuer>,
  context: RulesContext,
): RawMistake[] {
  const { issuer, token, repository, ref, environment } = entry;
  const at = path.slice(2).join(".");
  const isWrong = (key: string) => wrong.has(`${at}.${key}`);
  const others = ["issuer", "repository", "ref", "environment"] as const;
  if (token === true || isWrong("token")) {
    return others.some((key) => entry[key] !== undefined)
      ? [plainMistake(path, "has a token beside an issuer's jobs; make it two entries")]
      : [];
  }
  const missing = (key: string, why: string) =>
    entry[key as "issuer"] === undefined && !isWrong(key) ? [plainMistake([...path, key], `is missing: ${why}`)] : [];
  const hasOne = (ref === undefined && !isWrong("ref")) !== (environment === undefined && !isWrong("environment"));
  const kind = issuers.get(issuer ?? "")?.kind;
  const names = [...issuers.keys()].sort();
  return [
    ...missing("issuer", "set it to github, gitlab or one of ci.issuers, or set token: true"),
    ...(issuer === undefined || kind !== undefined || isCiUnclear(context)
      ? []
      : [valueMistake([...path, "issuer"], issuer, `is no issuer${nearest(issuer, names)} (${names.join(", ")})`)]),
    ...missing("repository", "set it to the repository's path, such as org/app"),
    ...(hasOne
      ? []
      : [plainMistake(path, "needs one of ref and environment: the jobs of which branch, tag or environment?")]),
    ...(kind === "gitlab" && environment !== undefined
      ? [plainMistake([...path, "environment"], "is not in the subject of GitLab's tokens; set ref")]
      : []),
    ...(kind === "gitlab" && repository?.includes("@")
      ? [valueMistake([...path, "repository"], repository, "has an ID, which GitLab's tokens have not; leave it out")]
      : []),
    ...(kind === "github" && repository !== undefined && repository.split("/").length !== 2
      ? [valueMistake([...path, "repository"], repository, "must be OWNER/REPOSITORY")]
      : []),
  ];
}
