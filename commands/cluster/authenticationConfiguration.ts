import type { Issuing } from "../common/issuing.ts";

/** A check of a token's claims or of the resulting user, in addition to signature, times and audience. */
interface ValidationRule {
  /** In CEL. */
  readonly expression: string;
  /** For the API server's log; the client only learns that it is refused. */
  readonly message: string;
}

/**
 * The API server's configuration for an issuer's tokens, so that its users get the names in members' bindings.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/authentication/#using-authentication-configuration
 */
export function authenticationConfiguration(oidc: Issuing) {
  const { issuerUrl, clientId, ca, usernameClaim, groupsClaim, usernamePrefix, groupsPrefix } = oidc;
  return {
    apiVersion: "apiserver.config.k8s.io/v1",
    kind: "AuthenticationConfiguration",
    jwt: [
      {
        issuer: {
          url: issuerUrl,
          audiences: [clientId],
          ...(ca === undefined ? {} : { certificateAuthority: ca }),
        },
        ...(usernameClaim === "email" ? { claimValidationRules: [verifiedEmail] } : {}),
        claimMappings: {
          username: { claim: usernameClaim, prefix: usernamePrefix },
          groups: { claim: groupsClaim, prefix: groupsPrefix },
        },
        userValidationRules: [ownUsername, ownGroups],
      },
    ],
  };
}

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
