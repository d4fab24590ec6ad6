import type { CiIssuer } from "../../model/members/ci.ts";
import { nearest } from "../../model/nearest.ts";
import type { Valid } from "../../schema/issues.ts";
import type { CiEntry } from "../../schema/members/ci.ts";
import { plainMistake, type RawMistake, valueMistake } from "../../sources/mistakes.ts";
import type { RulesContext } from "../rules.ts";
import { isCiUnclear } from "./issuerRules.ts";

/** Mistakes within an entry of `ci`. */
export function entryFindings(
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
