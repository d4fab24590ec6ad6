import { z } from "zod";
import { defaultOidc } from "../model/defaults.ts";
import { caText } from "./certificates.ts";
import { identity, identityPrefix, text } from "./values.ts";

/**
 * As the API server requires it. The host is checked too: a typing error there would show only when nobody can sign in.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/authentication/#using-authentication-configuration
 */
const issuerUrl = text
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
    issuerUrl: issuerUrl.optional().meta({
      description:
        "Where tokens are issued, exactly as they have it in `iss`: with a slash at the end only if that has one. Default: none, and no kubeconfigs for members. Docs: docs/sign-in.md.",
      examples: ["https://id.example.org"],
    }),
    clientId: identity.optional().meta({
      description:
        "The public client that members sign in with, and that tokens are for. Default: none, and no kubeconfigs for members.",
      examples: ["kubernetes"],
    }),
    ca: caText.optional().meta({
      description: "Certificate of the CA that signed the issuer's, in PEM. Default: one that machines trust anyway.",
    }),
    usernameClaim: claim.optional().meta({
      description:
        "The claim of a token that is held against a member's `subject`. With `email`, tokens have to say that the address was verified.",
      default: defaultOidc.usernameClaim,
      examples: ["email"],
    }),
    groupsClaim: claim
      .optional()
      .meta({ description: "The claim of a token with groups.", default: defaultOidc.groupsClaim }),
    scopes: z
      .array(scope, "must be a list of scopes")
      .optional()
      .meta({
        description:
          "What members' kubeconfigs ask the issuer for, beside `openid`, and `email` where that is the user.",
        default: defaultOidc.scopes,
        examples: [["groups", "offline_access"]],
      }),
    usernamePrefix: identityPrefix.optional().meta({
      description: "What the API server puts before the user name in a token.",
      default: defaultOidc.usernamePrefix,
    }),
    groupsPrefix: identityPrefix.optional().meta({
      description: "What the API server puts before each group in a token.",
      default: defaultOidc.groupsPrefix,
    }),
  },
  "must be a map",
);

export type OidcEntry = z.input<typeof oidcSchema>;
