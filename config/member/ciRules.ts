import { usernameOf } from "../oidc.ts";
import { type Candidate, encrypted, membersPaths, type RulesContext } from "../rule.ts";
import type { Valid } from "../values/issues.ts";
import { unread } from "../values/maps.ts";
import { plainMistake, type RawMistake, valueMistake } from "../values/mistakes.ts";
import { nearest } from "../values/nearest.ts";
import { builtInCiIssuers, type CiEntry, type CiIssuer, ciIssuersOf, ciUsername } from "./ci.ts";
import { withTraits } from "./types.ts";

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

/** The API server takes each issuer once, and an issuer has one prefix. */
export function issuerFindings(used: ReadonlySet<string>, { entry }: RulesContext): RawMistake[] {
  const people = entry.oidc?.issuerUrl;
  const seen = new Map<string, string>(
    Object.entries(builtInCiIssuers).map(([name, { issuerUrl }]) => [issuerUrl, name]),
  );
  const own = Object.entries(entry.ci?.issuers ?? {}).flatMap(([name, issuer]): RawMistake[] => {
    const path = ["ci", "issuers", name];
    if (Object.hasOwn(builtInCiIssuers, name)) {
      return [plainMistake(path, `is built in, as ${builtInCiIssuers[name]?.issuerUrl}; choose another name`)];
    }
    const url = issuer?.issuerUrl;
    const first = url === undefined ? undefined : seen.get(url);
    if (url === undefined || first !== undefined) {
      return first === undefined
        ? []
        : [valueMistake([...path, "issuerUrl"], url, `is issuer '${first}' already; name that`)];
    }
    seen.set(url, name);
    return [];
  });
  const shared = people === undefined ? undefined : seen.get(people);
  return shared === undefined || !used.has(shared)
    ? own
    : [
        ...own,
        valueMistake(
          ["oidc", "issuerUrl"],
          people,
          `is the issuer '${shared}' of members' ci too, and the API server takes an issuer once; let people sign in at another, or give members ci with token: true`,
        ),
      ];
}

/** Whether the setting has a mistake, or parts that could not be read. */
export const isCiUnclear = ({ raw, wrongSettings }: Pick<RulesContext, "raw" | "wrongSettings">): boolean =>
  raw.ci === unread || wrongSettings.has("ci");

export function audienceFindings(used: ReadonlySet<string>, context: RulesContext): RawMistake[] {
  return used.size === 0 || context.entry.ci?.audience !== undefined || isCiUnclear(context)
    ? []
    : [
        plainMistake(
          ["ci", "audience"],
          "is missing, and members have ci: set it to a name of this cluster alone, such as its API server's URL",
        ),
      ];
}

/** Otherwise an issuer could name users of the other. */
export function prefixFindings(used: readonly CiIssuer[], { settings, wrongSettings }: RulesContext): RawMistake[] {
  const { usernamePrefix } = settings.oidc;
  const clashing = used.find(({ prefix }) => prefix.startsWith(usernamePrefix) || usernamePrefix.startsWith(prefix));
  return clashing === undefined || wrongSettings.has("oidc")
    ? []
    : [
        valueMistake(
          ["oidc", "usernamePrefix"],
          usernamePrefix,
          `lets people have names of members' ci, which start with ${clashing.prefix}; set another prefix, such as oidc:`,
        ),
      ];
}
