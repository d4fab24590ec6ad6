import { given, present } from "../../model/maps.ts";
import {
  builtInCiIssuers,
  type CiIssuer,
  type CiSettings,
  ciPrefix,
  ciSubject,
  type MemberCi,
} from "../../model/members/ci.ts";
import type { Member } from "../../model/members/member.ts";
import { defaultClusterDomain } from "../../model/settings/defaults.ts";
import type { Settings } from "../../model/settings/settings.ts";
import type { Valid } from "../../schema/issues.ts";
import type { CiEntry, CiSettingsEntry } from "../../schema/members/ci.ts";

/** All issuers that entries of members may name. */
export const ciIssuersOf = ({ issuers = {} }: Valid<CiSettingsEntry> = {}): ReadonlyMap<string, CiIssuer> =>
  new Map([
    ...Object.entries(issuers).flatMap(([name, { kind, issuerUrl, ca } = {}]): [string, CiIssuer][] =>
      kind === undefined || issuerUrl === undefined
        ? []
        : [[name, { kind, issuerUrl, ...(ca === undefined ? {} : { ca }), prefix: ciPrefix(issuerUrl) }]],
    ),
    ...Object.entries(builtInCiIssuers),
  ]);

/** User name at the API server of an entry's jobs; undefined if the entry is incomplete. */
export function ciUsername(
  { issuer = "", repository, ref, environment }: Valid<CiEntry>,
  issuers: ReadonlyMap<string, CiIssuer>,
): string | undefined {
  const { kind, prefix } = issuers.get(issuer) ?? {};
  return kind === undefined || repository === undefined || (ref === undefined) === (environment === undefined)
    ? undefined
    : `${prefix}${ciSubject(kind, { repository, ref, environment })}`;
}

/** A member's CI jobs; undefined without any. Those of issuers that could not be read are missing. */
export function memberCiOf(
  entries: Valid<readonly CiEntry[]> = [],
  settings: Valid<CiSettingsEntry> | undefined,
): MemberCi | undefined {
  const issuers = ciIssuersOf(settings);
  const subjects = present(entries).flatMap((entry) => ciUsername(entry, issuers) ?? []);
  const token = entries.some((entry) => entry?.token === true);
  return entries.length === 0 ? undefined : { subjects, ...(token ? { token } : {}) };
}

/** Settings of what members' jobs use; undefined if the stack has none and no member has jobs. */
export function ciOf(
  entry: Valid<CiSettingsEntry> | undefined,
  members: readonly Pick<Member, "ci">[],
  { cluster }: Pick<Settings, "cluster">,
): CiSettings | undefined {
  if (entry === undefined && members.every(({ ci }) => ci === undefined)) {
    return undefined;
  }
  const subjects = members.flatMap(({ ci }) => ci?.subjects ?? []);
  const used = [...ciIssuersOf(entry).values()].filter(({ prefix }) =>
    subjects.some((subject) => subject.startsWith(prefix)),
  );
  const own = "https://kubernetes.default.svc";
  return {
    ...given(entry ?? {}, "audience"),
    issuers: used.sort((a, b) => (a.prefix < b.prefix ? -1 : 1)),
    apiAudiences:
      entry?.apiAudiences === undefined
        ? [`${own}.${cluster.domain ?? defaultClusterDomain}`, own]
        : present(entry.apiAudiences),
  };
}
