import { z } from "zod";
import { caText } from "./route/tls.ts";
import type { RulesContext } from "./rule.ts";
import type { Settings } from "./settings.ts";
import type { Valid } from "./values/issues.ts";
import { isMap } from "./values/maps.ts";
import { plainMistake, type RawMistake, valueMistake } from "./values/mistakes.ts";
import { identity, identityPrefix, optional, text } from "./values/values.ts";

/**
 * How people sign in, and how their names arrive at the API server.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/authentication/#openid-connect-tokens
 */
export interface OidcSettings {
  /** URL of the issuer of tokens, as `https://id.example.org`. Default: none, and no kubeconfig can be made. */
  readonly issuerUrl?: string;
  /** Client ID that tokens are issued for. Default: none, and no kubeconfig can be made. */
  readonly clientId?: string;
  /** PEM text of the CA of the issuer's certificate. Default: the CAs that machines trust. */
  readonly ca?: string;
  /** Claim that holds a member's subject. */
  readonly usernameClaim: string;
  /** Claim that holds a user's groups. */
  readonly groupsClaim: string;
  /** Scopes that a kubeconfig requests besides `openid`. */
  readonly scopes: readonly string[];
  /** Prefix of a member's subject. */
  readonly usernamePrefix: string;
  /** Prefix of each of a member's groups. */
  readonly groupsPrefix: string;
}

export const defaultOidc = {
  usernameClaim: "sub",
  groupsClaim: "groups",
  scopes: [],
  usernamePrefix: "oidc:",
  groupsPrefix: "oidc:",
} as const satisfies OidcSettings;

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

/** The name of a subject at the API server. */
export const usernameOf = (subject: string, { oidc }: Settings) => oidc.usernamePrefix + subject;

/** The name of a group at the API server. */
export const groupOf = (group: string, { oidc }: Settings) => oidc.groupsPrefix + group;

/**
 * Whether a name already has the prefix that kubecamp adds, as in a binding that kubectl prints. A prefix that ends in
 * a letter is not checked, because a name may well begin with it.
 */
export function hasPrefix(
  name: string,
  key: "usernamePrefix" | "groupsPrefix",
  { settings, wrongSettings }: RulesContext,
): boolean {
  const prefix = settings.oidc[key];
  return !wrongSettings.has("oidc") && /[^\p{L}\p{N}]$/u.test(prefix) && name.startsWith(prefix);
}

export const prefixed = (key: "usernamePrefix" | "groupsPrefix") => `starts with oidc.${key} already; leave it out`;

export const isReserved = (name: string) => name.startsWith("system:");

export const reserved = "is one of Kubernetes' own names; set a prefix in oidc";
