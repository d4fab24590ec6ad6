import assert from "node:assert/strict";
import { authenticationConfiguration } from "../../../../commands/cluster/authenticationConfiguration.ts";
import { ca } from "../../certificates.ts";
import { configuration } from "../../samples.ts";

const issuing = { issuerUrl: "https://id.example.org", clientId: "kubernetes" };

/** Output for a stack with these settings. */
const made = (oidc: object) =>
  authenticationConfiguration({ ...configuration({ members: [], oidc }).settings.oidc, ...issuing });

const userValidationRules = [
  {
    expression: "!user.username.startsWith('system:')",
    message: "user names that start with system: are Kubernetes' own",
  },
  {
    expression: "user.groups.all(group, !group.startsWith('system:'))",
    message: "groups that start with system: are Kubernetes' own",
  },
];

describe("the API server's AuthenticationConfiguration", () => {
  it("has the issuer and the client, and the claims and prefixes of members' bindings", () => {
    assert.deepEqual(made(issuing), {
      apiVersion: "apiserver.config.k8s.io/v1",
      kind: "AuthenticationConfiguration",
      jwt: [
        {
          issuer: { url: "https://id.example.org", audiences: ["kubernetes"] },
          claimMappings: {
            username: { claim: "sub", prefix: "oidc:" },
            groups: { claim: "groups", prefix: "oidc:" },
          },
          userValidationRules,
        },
      ],
    });
  });

  it("has the issuer's CA, and asks for verified addresses where these are the users", () => {
    const oidc = {
      ...issuing,
      ca,
      usernameClaim: "email",
      groupsClaim: "roles",
      usernamePrefix: "",
      groupsPrefix: "g:",
    };
    const [authenticator] = made(oidc).jwt;
    assert.deepEqual(authenticator, {
      issuer: { url: "https://id.example.org", audiences: ["kubernetes"], certificateAuthority: ca },
      claimValidationRules: [
        {
          expression: "claims.?email_verified.orValue(false) == true",
          message: "the token does not say that the email address was verified",
        },
      ],
      claimMappings: { username: { claim: "email", prefix: "" }, groups: { claim: "roles", prefix: "g:" } },
      userValidationRules,
    });
  });
});
