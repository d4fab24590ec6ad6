import { usernameOf } from "../oidc.ts";
import { type Candidate, encrypted, membersPaths, type Rule, type RuleContext } from "../rule.ts";
import type { Valid } from "../values/issues.ts";
import { when } from "../values/maps.ts";
import { plainMistake, type RawMistake, valueMistake } from "../values/mistakes.ts";
import { nearest } from "../values/nearest.ts";
import { builtInCiIssuers, type CiEntry, type CiIssuer, ciIssuersOf, ciUsername } from "./ci.ts";
import { withTraits } from "./types.ts";

type Issuers = ReadonlyMap<string, CiIssuer>;

export const ciRule: Rule = (all) => {
  const { candidates, raw } = all;
  const issuers = ciIssuersOf(all.entry.ci);
  const used = new Set(candidates.flatMap(({ entry: { ci = [] } }) => ci.flatMap((each) => each?.issuer ?? [])));
  return [
    ...encrypted([...when(raw.ci !== undefined, ["ci"]), ...membersPaths(all, "ci")], all),
    ...issuerMistakes(used, all),
    ...audienceMistakes(used, all),
    ...prefixMistakes([...used], issuers, all),
    ...candidates.flatMap((candidate) => [
      ...homeMistakes(candidate, all),
      ...(candidate.entry.ci ?? []).flatMap((entry = {}, at) => entryMistakes(entry, at, candidate, { issuers, all })),
    ]),
    ...subjectMistakes(issuers, all),
  ];
};

function homeMistakes({ index, entry }: Candidate, { types }: RuleContext): readonly RawMistake[] {
  const type = types.get(entry.type ?? "");
  return when(
    type !== undefined && (entry.ci ?? []).length > 0 && withTraits(type, entry).home !== "edit",
    plainMistake(["members", index, "ci"], "is for members who run workloads: set home: edit, or leave it out"),
  );
}

/** A subject opens one namespace. */
function subjectMistakes(issuers: Issuers, { candidates, settings, nameOf }: RuleContext): RawMistake[] {
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
      const name = each && ciUsername(each, issuers);
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

function entryMistakes(
  entry: Valid<CiEntry>,
  at: number,
  { index, wrong }: Candidate,
  { issuers, all }: { readonly issuers: Issuers; readonly all: RuleContext },
): readonly RawMistake[] {
  const { issuer, token, repository, ref, environment } = entry;
  const path = ["members", index, "ci", at];
  const isWrong = (key: string) => wrong.has(`ci.${at}.${key}`);
  const others = ["issuer", "repository", "ref", "environment"] as const;
  if (token === true || isWrong("token")) {
    const isBoth = others.some((key) => entry[key] !== undefined);
    return when(isBoth, plainMistake(path, "has a token beside an issuer's jobs; make it two entries"));
  }
  const missing = (key: "issuer" | "repository", why: string) =>
    when(entry[key] === undefined && !isWrong(key), plainMistake([...path, key], `is missing: ${why}`));
  const hasOne = (ref === undefined && !isWrong("ref")) !== (environment === undefined && !isWrong("environment"));
  const kind = issuers.get(issuer ?? "")?.kind;
  const names = [...issuers.keys()].sort();
  return [
    ...missing("issuer", "set it to github, gitlab or one of ci.issuers, or set token: true"),
    ...(issuer === undefined || kind !== undefined || !all.isKnown("ci")
      ? []
      : [valueMistake([...path, "issuer"], issuer, `is no issuer${nearest(issuer, names)} (${names.join(", ")})`)]),
    ...missing("repository", "set it to the repository's path, such as org/app"),
    ...when(
      !hasOne,
      plainMistake(path, "needs one of ref and environment: the jobs of which branch, tag or environment?"),
    ),
    ...when(
      kind === "gitlab" && environment !== undefined,
      plainMistake([...path, "environment"], "is not in the subject of GitLab's tokens; set ref"),
    ),
    ...when(
      kind === "gitlab" && repository?.includes("@") === true,
      valueMistake([...path, "repository"], repository, "has an ID, which GitLab's tokens have not; leave it out"),
    ),
    ...when(
      kind === "github" && repository !== undefined && repository.split("/").length !== 2,
      valueMistake([...path, "repository"], repository, "must be OWNER/REPOSITORY"),
    ),
  ];
}

/** The API server takes each issuer once, and an issuer has one prefix. */
function issuerMistakes(used: ReadonlySet<string>, { entry }: RuleContext): RawMistake[] {
  const people = entry.oidc?.issuerUrl;
  const seen = new Map(Object.entries(builtInCiIssuers).map(([name, { issuerUrl }]) => [issuerUrl, name]));
  const own = Object.entries(entry.ci?.issuers ?? {}).flatMap(([name, { issuerUrl: url } = {}]) => {
    const path = ["ci", "issuers", name];
    if (Object.hasOwn(builtInCiIssuers, name)) {
      return [plainMistake(path, `is built in, as ${builtInCiIssuers[name]?.issuerUrl}; choose another name`)];
    }
    const first = seen.get(url ?? "");
    if (url !== undefined && first === undefined) {
      seen.set(url, name);
    }
    return when(
      first !== undefined,
      valueMistake([...path, "issuerUrl"], url, `is issuer '${first}' already; name that`),
    );
  });
  const shared = seen.get(people ?? "");
  return [
    ...own,
    ...when(
      shared !== undefined && used.has(shared),
      valueMistake(
        ["oidc", "issuerUrl"],
        people,
        `is the issuer '${shared}' of members' ci too, and the API server takes an issuer once; let people sign in at another, or give members ci with token: true`,
      ),
    ),
  ];
}

const audienceMistakes = (used: ReadonlySet<string>, all: RuleContext) =>
  when(
    used.size > 0 && all.entry.ci?.audience === undefined && all.isKnown("ci"),
    plainMistake(
      ["ci", "audience"],
      "is missing, and members have ci: set it to a name of this cluster alone, such as its API server's URL",
    ),
  );

/** Otherwise an issuer could name users of the other. */
function prefixMistakes(
  used: readonly string[],
  issuers: Issuers,
  { settings, isKnown }: RuleContext,
): readonly RawMistake[] {
  const { usernamePrefix } = settings.oidc;
  const clashing = used
    .flatMap((name) => issuers.get(name)?.prefix ?? [])
    .find((prefix) => prefix.startsWith(usernamePrefix) || usernamePrefix.startsWith(prefix));
  return when(
    clashing !== undefined && isKnown("oidc"),
    valueMistake(
      ["oidc", "usernamePrefix"],
      usernamePrefix,
      `lets people have names of members' ci, which start with ${clashing}; set another prefix, such as oidc:`,
    ),
  );
}
