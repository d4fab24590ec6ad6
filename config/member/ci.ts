import { z } from "zod";
import { clusterDomainOf } from "../names/names.ts";
import { issuerUrl } from "../oidc.ts";
import { caText } from "../values/certificates.ts";
import type { EntryOf, Valid } from "../values/issues.ts";
import { defined, given, present } from "../values/maps.ts";
import { choiceOf, dnsLabel, identity, optional, text } from "../values/values.ts";
import type { Member } from "./member.ts";

export interface CiIssuer {
  readonly kind: "github" | "gitlab";
  readonly issuerUrl: string;
  /** PEM text of the CA of the issuer's certificate. Default: the CAs that machines trust. */
  readonly ca?: string;
  /** Prefix of subjects at the API server. */
  readonly prefix: string;
}

const ciKinds = ["github", "gitlab"] as const satisfies readonly CiIssuer["kind"][];

/** Issuers that need no settings. No prefix begins with another's, so that no issuer can name another's jobs. */
export const builtInCiIssuers: Readonly<Record<string, CiIssuer>> = {
  github: { kind: "github", issuerUrl: "https://token.actions.githubusercontent.com", prefix: "github:" },
  gitlab: { kind: "gitlab", issuerUrl: "https://gitlab.com", prefix: "gitlab:" },
};

/** Prefix of an issuer of the stack's own: its URL, and a character that no issuer's URL contains. */
const ciPrefix = (issuerUrl: string) => `${issuerUrl}#`;

/**
 * The `sub` of jobs' tokens.
 * @see https://docs.github.com/en/actions/reference/security/oidc
 * @see https://docs.gitlab.com/ci/secrets/id_token_authentication/
 */
function ciSubject(kind: CiIssuer["kind"], { repository, ref = "", environment }: Valid<CiEntry>): string {
  if (kind === "github") {
    return `repo:${repository}:${environment === undefined ? `ref:${ref}` : `environment:${environment}`}`;
  }
  const [, type, name] = /^refs\/(heads|tags)\/(.*)$/.exec(ref) ?? [];
  return `project_path:${repository}:ref_type:${type === "tags" ? "tag" : "branch"}:ref:${name ?? ""}`;
}

const wildcard = /[*?]/;

const exact = (what: string) =>
  text.max(512, "must have at most 512 characters").refine((value) => !wildcard.test(value), {
    error: `must not have a wildcard: name one ${what}`,
    abort: true,
  });

/** With the IDs that newer repositories of GitHub have in `sub`, such as `org@123/app@456`. */
const repository = exact("repository").regex(
  /^[A-Za-z0-9_][\w.-]*(@\d+)?(\/[\w.-]+(@\d+)?)+$/,
  "must be the path of a repository, such as org/app, without a host",
);

/** @see https://git-scm.com/docs/git-check-ref-format */
const ref = exact("branch or tag").regex(
  /^refs\/(heads|tags)\/(?![./])(?!.*(\.\.|\/\/|\/\.|@\{|\.lock(\/|$)|[./]$))[^\s~^:[\\\p{Cc}]+$/u,
  "must be a branch or a tag in full, such as refs/heads/main or refs/tags/v1",
);

const environment = exact("environment").regex(
  /^[A-Za-z0-9][\w./-]*$/,
  "must be an environment of the repository: letters, digits, '_', '.', '/' and '-'",
);

const ciEntrySchema = z.strictObject(
  {
    issuer: optional(
      dnsLabel,
      "`github` (github.com), `gitlab` (gitlab.com) or one of `ci.issuers`. An entry has this or `token`. Default: none.",
      { examples: ["github"] },
    ),
    repository: optional(
      repository,
      "The repository's path, as in the `sub` of its tokens: GitHub adds IDs for repositories created or renamed since July 2026 (`org@123/app@456`). Default: none.",
      { examples: ["org/app"] },
    ),
    ref: optional(
      ref,
      "Branch or tag of the jobs, in full. An entry with `issuer` has this or `environment`. Default: none.",
      { examples: ["refs/heads/main"] },
    ),
    environment: optional(environment, "Environment of the jobs, with GitHub. Default: none.", {
      examples: ["production"],
    }),
    token: optional(
      z.literal(true, "must be true, or left out"),
      "`true`: the member may request tokens of the ServiceAccount `kubecamp-ci` for an hour, for clusters whose API server you can't configure. Default: none.",
    ),
  },
  "must be an entry of ci: an issuer with repository and ref, or token: true",
);

export const memberCiSchema = z
  .array(ciEntrySchema, "must be a list of CI jobs")
  .max(20, "must have at most 20 entries");

export const ciSchema = optional(
  z.strictObject(
    {
      audience: optional(
        identity,
        "The `aud` of jobs' tokens: a name of this cluster, and of no other. Required with members' `issuer`. Default: none.",
        { examples: ["https://k8s.example.org"] },
      ),
      issuers: optional(
        z.record(
          dnsLabel,
          z.strictObject(
            {
              kind: choiceOf(ciKinds).meta({ description: "`github` (Enterprise Server) or `gitlab` (self-managed)." }),
              issuerUrl: issuerUrl.meta({
                description:
                  "The `iss` of tokens: `https://HOST/_services/token` for GitHub, `https://HOST` for GitLab.",
                examples: ["https://gitlab.example.org"],
              }),
              ca: optional(caText, "The issuer's CA certificate, in PEM. Default: the API server's CAs."),
            },
            "must be an issuer: its kind and its issuerUrl",
          ),
          "must be a map of issuers",
        ),
        "Self-hosted issuers by name: `kind`, `issuerUrl`, and `ca` for a private CA. Default: only `github` and `gitlab`.",
      ),
      apiAudiences: optional(
        z.array(identity, "must be a list of audiences").min(1, "must not be empty"),
        "Audiences of `kubecamp-ci`'s tokens, as in the API server's `--api-audiences`. Default: `https://kubernetes.default.svc`, with and without `cluster.domain`.",
        { examples: [["https://kubernetes.default.svc.cluster.local"]] },
      ),
    },
    "must be a map",
  ),
  "How members' CI jobs sign in (`ci` of a member). See [pipelines.md](../run/pipelines.md).",
  {
    examples: [
      {
        audience: "https://k8s.example.org",
        issuers: { school: { kind: "gitlab", issuerUrl: "https://gitlab.example.org" } },
      },
    ],
  },
);

export type CiEntry = z.input<typeof ciEntrySchema>;

type CiSettingsEntry = EntryOf<typeof ciSchema>;

export const ciIssuersOf = ({ issuers = {} }: CiSettingsEntry = {}): ReadonlyMap<string, CiIssuer> =>
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

export type MemberCi = Readonly<NonNullable<ReturnType<typeof memberCiOf>>>;

/** A member's CI jobs; undefined without any. Those of issuers that could not be read are missing. */
export function memberCiOf(entries: EntryOf<typeof memberCiSchema> = [], settings: CiSettingsEntry | undefined) {
  const issuers = ciIssuersOf(settings);
  const subjects: readonly string[] = present(entries).flatMap((entry) => ciUsername(entry, issuers) ?? []);
  const token = entries.some((entry) => entry?.token === true) || undefined;
  return entries.length === 0 ? undefined : { subjects, ...defined({ token: token && (true as const) }) };
}

/** Settings that members' jobs use. Without an audience, no member has jobs of an issuer. */
export type CiSettings = Readonly<NonNullable<ReturnType<typeof ciOf>>>;

/** @returns undefined if the stack has no settings and no member has jobs */
export function ciOf(
  entry: CiSettingsEntry | undefined,
  members: readonly Pick<Member, "ci">[],
  settings: Parameters<typeof clusterDomainOf>[0],
) {
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
    apiAudiences: present(entry?.apiAudiences ?? [`${own}.${clusterDomainOf(settings)}`, own]),
  };
}
