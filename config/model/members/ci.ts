/** An issuer of tokens for CI jobs. */
export interface CiIssuer {
  /** Form of the tokens' subjects. */
  readonly kind: "github" | "gitlab";
  /** URL, the `iss` of tokens. */
  readonly issuerUrl: string;
  /** PEM text of the CA of the issuer's certificate. Default: the CAs that machines trust. */
  readonly ca?: string;
  /** Prefix of subjects at the API server. */
  readonly prefix: string;
}

/** CI jobs that deploy into members' namespaces. */
export interface CiSettings {
  /** The `aud` of tokens for this cluster. Default: none; no member has jobs of an issuer. */
  readonly audience?: string;
  /** Issuers of members' jobs. */
  readonly issuers: readonly CiIssuer[];
  /** Audiences of tokens of members' ServiceAccounts for CI jobs: the API server's own. */
  readonly apiAudiences: readonly string[];
}

/** CI jobs that deploy into one member's namespace. */
export interface MemberCi {
  /** User names at the API server, prefix included. */
  readonly subjects: readonly string[];
  /** Whether the member may request tokens of a ServiceAccount. */
  readonly token?: true;
}

/** Forms of the subject in a job's token. */
export const ciKinds = ["github", "gitlab"] as const satisfies readonly CiIssuer["kind"][];

/**
 * Issuers that need no settings. No prefix is the beginning of another issuer's, so that no issuer can name another's
 * jobs.
 */
export const builtInCiIssuers: Readonly<Record<string, CiIssuer>> = {
  github: { kind: "github", issuerUrl: "https://token.actions.githubusercontent.com", prefix: "github:" },
  gitlab: { kind: "gitlab", issuerUrl: "https://gitlab.com", prefix: "gitlab:" },
};

/** Prefix of an issuer of the stack's own: its URL, and a character that no issuer's URL contains. */
export const ciPrefix = (issuerUrl: string) => `${issuerUrl}#`;

/** The jobs of a repository that a subject is for: those of a branch or tag, or of an environment. */
interface CiJobs {
  /** Such as `org/app`. */
  readonly repository: string;
  /** Such as `refs/heads/main`. */
  readonly ref?: string | undefined;
  readonly environment?: string | undefined;
}

/**
 * The `sub` of jobs' tokens.
 * @see https://docs.github.com/en/actions/reference/security/oidc
 * @see https://docs.gitlab.com/ci/secrets/id_token_authentication/
 */
export function ciSubject(kind: CiIssuer["kind"], { repository, ref = "", environment }: CiJobs): string {
  if (kind === "github") {
    return `repo:${repository}:${environment === undefined ? `ref:${ref}` : `environment:${environment}`}`;
  }
  const [, type, name] = /^refs\/(heads|tags)\/(.*)$/.exec(ref) ?? [];
  return `project_path:${repository}:ref_type:${type === "tags" ? "tag" : "branch"}:ref:${name ?? ""}`;
}
