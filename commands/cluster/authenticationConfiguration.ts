import { stringify } from "yaml";
import type { CiIssuer, CiSettings } from "../../config/member/ci.ts";
import { hasSecret } from "../../config/sources/sources.ts";
import { Problem } from "../common/problem.ts";
import { type Issuing, issuingOf, issuingOrNone, readStack, type StackFile } from "../common/stackFile.ts";

interface OidcOptions {
  readonly stack: string;
  readonly output: "yaml" | "json";
}

export function printAuthenticationConfiguration({ stack, output }: OidcOptions): void {
  const content = authenticationConfigurationFor(stack, process.cwd());
  // lineWidth 0 keeps a CA's lines as they are.
  console.log(
    output === "json"
      ? JSON.stringify(content, null, 2)
      : `# kube-apiserver --authentication-config=FILE: docs/run/sign-in.md\n${stringify(content, { lineWidth: 0 }).trimEnd()}`,
  );
}

export function authenticationConfigurationFor(stack: string, folder: string) {
  const read = readStack(stack, folder);
  const { settings, members } = read.configuration;
  const hasJobs = members.some(({ ci }) => ci !== undefined && (ci.subjects.length > 0 || ci.token !== true));
  return hasJobs
    ? authenticationConfiguration(issuingOrNone(read), readableCi(read))
    : authenticationConfiguration(issuingOf(read), settings.ci);
}

function readableCi({ stack, configuration, source }: StackFile) {
  if (hasSecret(source.raw.ci)) {
    throw new Problem(`How CI jobs of stack '${stack}' sign in can't be read.`, {
      why: "The stack has environments of Pulumi ESC, which may set the rest of ci, and this command reads only files.",
      remedy: `Set kubecamp:ci in ${source.file} as plain text, with its audience. docs/run/pipelines.md has its keys.`,
    });
  }
  return configuration.settings.ci;
}

interface ValidationRule {
  /** In CEL. */
  readonly expression: string;
  /** For the API server's log; the client only learns that it is refused. */
  readonly message: string;
}

/**
 * The API server's configuration for issuers' tokens: users and CI jobs get the names in members' bindings.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/authentication/#using-authentication-configuration
 */
export function authenticationConfiguration(oidc: Issuing | undefined, ci?: Pick<CiSettings, "audience" | "issuers">) {
  const { audience, issuers = [] } = ci ?? {};
  return {
    apiVersion: "apiserver.config.k8s.io/v1",
    kind: "AuthenticationConfiguration",
    jwt: [
      ...(oidc === undefined ? [] : [authenticatorOfPeople(oidc)]),
      ...(audience === undefined ? [] : issuers.map((issuer) => authenticatorOfJobs(issuer, audience))),
    ],
  };
}

const issuerOf = (url: string, audience: string, ca: string | undefined) => ({
  url,
  audiences: [audience],
  ...(ca === undefined ? {} : { certificateAuthority: ca }),
});

function authenticatorOfPeople(oidc: Issuing) {
  const { issuerUrl, clientId, ca, usernameClaim, groupsClaim, usernamePrefix, groupsPrefix } = oidc;
  return {
    issuer: issuerOf(issuerUrl, clientId, ca),
    ...(usernameClaim === "email" ? { claimValidationRules: [verifiedEmail] } : {}),
    claimMappings: {
      username: { claim: usernameClaim, prefix: usernamePrefix },
      groups: { claim: groupsClaim, prefix: groupsPrefix },
    },
    userValidationRules: [ownUsername, ownGroups],
  };
}

/** Jobs have no groups, whatever an issuer puts into their tokens. */
const authenticatorOfJobs = ({ kind, issuerUrl, ca, prefix }: CiIssuer, audience: string) => ({
  issuer: issuerOf(issuerUrl, audience, ca),
  claimValidationRules: [ofNoProposal[kind]],
  claimMappings: { username: { claim: "sub", prefix } },
});

/** By default, the API server accepts a token without email_verified. */
const verifiedEmail: ValidationRule = {
  expression: "claims.?email_verified.orValue(false) == true",
  message: "the token does not say that the email address was verified",
};

/** Without a prefix, the issuer could name the cluster's own users and groups, such as `system:masters`. */
const ownUsername: ValidationRule = {
  expression: "!user.username.startsWith('system:')",
  message: "user names that start with system: are Kubernetes' own",
};
const ownGroups: ValidationRule = {
  expression: "user.groups.all(group, !group.startsWith('system:'))",
  message: "groups that start with system: are Kubernetes' own",
};

/** Events that need write access to the repository, on a branch or tag. */
const ownEvents: Readonly<Record<CiIssuer["kind"], readonly string[]>> = {
  github: ["push", "release", "repository_dispatch", "schedule", "workflow_dispatch"],
  gitlab: ["api", "pipeline", "push", "schedule", "trigger", "web"],
};

const isOneOf = (claim: string, values: readonly string[]): string =>
  `claims.?${claim}.orValue('') in [${values.map((value) => `'${value}'`).join(", ")}]`;

/** CEL that holds if a claim is there and is a branch or a tag: not a proposal, which GitLab's child pipelines have as their ref. */
const isBranchOrTag = (claim: string): string =>
  `['refs/heads/', 'refs/tags/'].exists(start, claims.?${claim}.orValue('').startsWith(start))`;

/**
 * Jobs for a proposal run what nobody has reviewed, and may have the subject of a branch or an environment all the same. So
 * only what is known to be none may deploy: issuers add further events, and a token that does not say what its job is for is
 * refused.
 * @see https://docs.github.com/en/actions/reference/security/oidc
 * @see https://gitlab.com/gitlab-org/gitlab/-/issues/548165
 */
const ofNoProposal: Readonly<Record<CiIssuer["kind"], ValidationRule>> = {
  github: {
    expression: `${isOneOf("event_name", ownEvents.github)} && ${isBranchOrTag("ref")}`,
    message: `only jobs of a branch or tag may deploy, on ${ownEvents.github.join(", ")}`,
  },
  gitlab: {
    expression: `${isOneOf("pipeline_source", ownEvents.gitlab)} && ${isBranchOrTag("ref_path")}`,
    message: `only pipelines of a branch or tag may deploy, from ${ownEvents.gitlab.join(", ")}`,
  },
};
