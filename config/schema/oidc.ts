import { z } from "zod";
import type { OidcEntry } from "../entries.ts";
import { identityPrefix, text } from "./values.ts";

/** How people sign in. */
export const oidcSchema = z.strictObject(
  {
    issuerUrl: text.optional().meta({
      description:
        "Where tokens are issued, without a slash at the end unless the issuer has one. Default: none, and no kubeconfigs for members.",
      examples: ["https://id.example.org"],
    }),
    clientId: text.optional().meta({
      description:
        "The public client that members sign in with, and that tokens are for. Default: none, and no kubeconfigs for members.",
      examples: ["kubernetes"],
    }),
    ca: text.optional().meta({
      description: "Certificate of the CA that signed the issuer's, in PEM. Default: one that machines trust anyway.",
    }),
    usernameClaim: text.optional().meta({
      description: "The claim of a token that is held against a member's `subject`.",
      default: "sub",
      examples: ["email"],
    }),
    groupsClaim: text.optional().meta({ description: "The claim of a token with groups.", default: "groups" }),
    scopes: z
      .array(text, "must be a list of scopes")
      .optional()
      .meta({
        description: "What members' kubeconfigs ask the issuer for, beside `openid`.",
        default: [],
        examples: [["email", "groups"]],
      }),
    usernamePrefix: identityPrefix.optional().meta({
      description: "What the API server puts before the user name in a token.",
      default: "oidc:",
    }),
    groupsPrefix: identityPrefix.optional().meta({
      description: "What the API server puts before each group in a token.",
      default: "oidc:",
    }),
  },
  "must be a map",
) satisfies z.ZodType<OidcEntry>;
