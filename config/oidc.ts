import { z } from "zod";
import { defaultOidc } from "./defaults.ts";
import { caText } from "./route/tls.ts";
import type { Valid } from "./values/issues.ts";
import { isMap } from "./values/maps.ts";
import { plainMistake, type RawMistake, valueMistake } from "./values/mistakes.ts";
import { identity, identityPrefix, optional, text } from "./values/values.ts";

/**
 * As the API server requires it. The host is checked too: a typing error there would show only when nobody can sign in.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/authentication/#using-authentication-configuration
 */
export const issuerUrl = text
  .regex(/^https:\/\/[^\s?#@\\]+$/, {
    error: "must be an https URL without user, query and fragment, such as https://id.example.org",
    abort: true,
  })
  .refine(URL.canParse, "must be a URL, such as https://id.example.org")
  .refine(
    (value) => !value.includes("/.well-known/"),
    "must be the issuer, as tokens have it in iss: what stands before /.well-known/",
  )
  .refine(
    (value) => !/^https:\/\/kubernetes\.default\b/.test(value),
    "is the cluster's own issuer, whose tokens are ServiceAccounts'; name the one that people sign in at",
  );

/** Claims about the token itself; they identify no person or group. */
const ofTokens = ["acr", "amr", "at_hash", "aud", "auth_time", "azp", "exp", "iat", "iss", "jti", "nbf", "nonce"];

const claim = identity.refine(
  (value) => !ofTokens.includes(value),
  "is a claim about the token itself; name one about the person",
);

/** A scope without quotes, blanks or commas. @see https://www.rfc-editor.org/rfc/rfc6749#section-3.3 */
const scope = text
  .regex(/^[!#-+\--[\]-~]+$/, "must be one scope, without blanks, commas and quotes")
  .refine((value) => value !== "openid", "is asked for anyway; leave it out");

/** Schema of sign-in. */
export const oidcSchema = z.strictObject(
  {
    issuerUrl: optional(
      issuerUrl,
      "The `iss` of tokens, with or without a final slash as there. Default: none; members get no kubeconfigs.",
      { examples: ["https://id.example.org"] },
    ),
    clientId: optional(identity, "Public client, the `aud` of tokens. Default: none; members get no kubeconfigs.", {
      examples: ["kubernetes"],
    }),
    ca: optional(caText, "The issuer's CA certificate, in PEM. Default: the machine's CAs."),
    usernameClaim: optional(
      claim,
      "Claim with a member's `subject`. With `email`, tokens must have `email_verified`.",
      { default: defaultOidc.usernameClaim, examples: ["email"] },
    ),
    groupsClaim: optional(claim, "Claim with the groups.", { default: defaultOidc.groupsClaim }),
    scopes: optional(z.array(scope, "must be a list of scopes"), "Further scopes in members' kubeconfigs.", {
      default: defaultOidc.scopes,
      examples: [["groups", "offline_access"]],
    }),
    usernamePrefix: optional(identityPrefix, 'The API server\'s prefix for user names, `""` for none.', {
      default: defaultOidc.usernamePrefix,
    }),
    groupsPrefix: optional(identityPrefix, 'The API server\'s prefix for groups, `""` for none.', {
      default: defaultOidc.groupsPrefix,
    }),
  },
  "must be a map",
);

export type OidcEntry = z.input<typeof oidcSchema>;

/**
 * Mistakes: settings of `oidc` that contradict each other.
 * @param raw the setting as configured
 */
export function oidcFindings(raw: unknown, oidc: Valid<OidcEntry> = {}): RawMistake[] {
  return isMap(raw) ? [...issuerFindings(raw), ...claimFindings(oidc)] : [];
}

/** An issuer needs a client. */
function issuerFindings(raw: Readonly<Record<string, unknown>>): RawMistake[] {
  const has = (key: string) => raw[key] !== undefined;
  const missing = (key: string, other: string): RawMistake[] =>
    has(other) && !has(key) ? [plainMistake(["oidc", key], `is missing, but ${other} is set; set both`)] : [];
  return [...missing("issuerUrl", "clientId"), ...missing("clientId", "issuerUrl")];
}

function claimFindings({ usernameClaim = defaultOidc.usernameClaim, groupsClaim }: Valid<OidcEntry>): RawMistake[] {
  return groupsClaim === usernameClaim
    ? [
        valueMistake(
          ["oidc", "groupsClaim"],
          groupsClaim,
          "is the claim with the user's name; name the one with groups",
        ),
      ]
    : [];
}
