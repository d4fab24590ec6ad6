import { z } from "zod";
import type { Rule, RuleContext } from "./rule.ts";
import { caText } from "./values/certificates.ts";
import type { EntryOf } from "./values/issues.ts";
import { given, isMap, present, when } from "./values/maps.ts";
import { plainMistake, valueMistake } from "./values/mistakes.ts";
import { identity, identityPrefix, optional, text } from "./values/values.ts";

const defaultOidc = {
  usernameClaim: "sub",
  groupsClaim: "groups",
  usernamePrefix: "oidc:",
  groupsPrefix: "oidc:",
} as const;

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

export const oidcSchema = optional(
  z.strictObject(
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
        default: [],
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
  ),
  "How members sign in. See [sign-in.md](../run/sign-in.md).",
  { examples: [{ issuerUrl: "https://id.example.org", clientId: "kubernetes", usernameClaim: "email" }] },
);

/** How people sign in, and how their names arrive at the API server. */
export type OidcSettings = Readonly<ReturnType<typeof oidcOf>>;

export const oidcOf = (entry: EntryOf<typeof oidcSchema> = {}) => ({
  ...defaultOidc,
  ...given(entry, "issuerUrl", "clientId", "ca", "usernameClaim", "groupsClaim", "usernamePrefix", "groupsPrefix"),
  scopes: [...new Set(present(entry.scopes))],
});

export const oidcRule: Rule = ({ raw: { oidc: raw }, entry: { oidc = {} } }) => {
  const { usernameClaim = defaultOidc.usernameClaim, groupsClaim } = oidc;
  const hasDefaultGroups = isMap(raw) && raw.groupsClaim === undefined;
  const missing = (key: string, other: string) =>
    when(
      isMap(raw) && raw[other] !== undefined && raw[key] === undefined,
      plainMistake(["oidc", key], `is missing, but ${other} is set; set both`),
    );
  return [
    ...missing("issuerUrl", "clientId"),
    ...missing("clientId", "issuerUrl"),
    ...when(
      hasDefaultGroups && usernameClaim === defaultOidc.groupsClaim,
      valueMistake(
        ["oidc", "usernameClaim"],
        usernameClaim,
        "is the claim with the groups; set groupsClaim to another",
      ),
    ),
    ...when(
      groupsClaim === usernameClaim,
      valueMistake(["oidc", "groupsClaim"], groupsClaim, "is the claim with the user's name; name the one with groups"),
    ),
  ];
};

/**
 * Why members can't use kubectl with an issuer; undefined if nothing is known against it.
 * @see https://developers.google.com/identity/protocols/oauth2/native-app
 */
export const issuerTrouble = ({ issuerUrl = "" }: Pick<OidcSettings, "issuerUrl">): string | undefined =>
  URL.parse(issuerUrl)?.hostname === "accounts.google.com"
    ? "Google wants a client secret, which a member's kubeconfig does not have, and puts no groups into tokens; " +
      "put Dex in front of it (docs/run/sign-in.md)"
    : undefined;

type WithOidc = { readonly oidc: OidcSettings };

export const usernameOf = (subject: string, { oidc }: WithOidc) => oidc.usernamePrefix + subject;

export const groupOf = (group: string, { oidc }: WithOidc) => oidc.groupsPrefix + group;

/**
 * Whether a name already has the prefix that kubecamp adds, as in a binding that kubectl prints. A prefix that ends in
 * a letter is not checked, because a name may well begin with it.
 */
export function hasPrefix(
  name: string,
  key: "usernamePrefix" | "groupsPrefix",
  { settings, isKnown }: RuleContext,
): boolean {
  const prefix = settings.oidc[key];
  return isKnown("oidc") && /[^\p{L}\p{N}]$/u.test(prefix) && name.startsWith(prefix);
}

export const prefixed = (key: "usernamePrefix" | "groupsPrefix") => `starts with oidc.${key} already; leave it out`;

export const isReserved = (name: string) => name.startsWith("system:");

export const reserved = "is one of Kubernetes' own names; set a prefix in oidc";
