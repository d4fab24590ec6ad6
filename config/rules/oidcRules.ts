import { defaultOidc } from "../model/defaults.ts";
import { isMap } from "../model/maps.ts";
import type { Valid } from "../schema/issues.ts";
import type { OidcEntry } from "../schema/oidc.ts";
import { type Finding, plainFinding, valueFinding } from "../sources/mistakes.ts";

/**
 * What a stack says of signing in that contradicts the rest of it.
 * @param raw the settings as they stand in the configuration
 */
export function oidcFindings(raw: unknown, oidc: Valid<OidcEntry> = {}): Finding[] {
  return isMap(raw) ? [...issuerFindings(raw), ...claimFindings(oidc), ...scopeFindings(oidc)] : [];
}

/** An issuer and its client go together, and what is of no use without them is most likely a half of something. */
function issuerFindings(raw: Readonly<Record<string, unknown>>): Finding[] {
  const has = (key: string) => raw[key] !== undefined;
  const missing = (key: string, other: string): Finding[] =>
    has(other) && !has(key)
      ? [plainFinding(["oidc", key], `is missing: ${other} is set, and neither is of use alone; set both`)]
      : [];
  const alone = ["ca", "scopes"].filter((key) => has(key) && !has("issuerUrl") && !has("clientId"));
  return [
    ...missing("issuerUrl", "clientId"),
    ...missing("clientId", "issuerUrl"),
    ...alone.map((key) => plainFinding(["oidc", key], "is for issuerUrl and clientId; set these, or leave it out")),
  ];
}

function claimFindings({ usernameClaim = defaultOidc.usernameClaim, groupsClaim }: Valid<OidcEntry>): Finding[] {
  return groupsClaim === usernameClaim
    ? [
        valueFinding(
          ["oidc", "groupsClaim"],
          groupsClaim,
          "is the claim with the user's name; name the one with groups",
        ),
      ]
    : [];
}

function scopeFindings({ scopes = [] }: Valid<OidcEntry>): Finding[] {
  return scopes.flatMap((scope, at): Finding[] =>
    scope !== undefined && scopes.indexOf(scope) < at
      ? [valueFinding(["oidc", "scopes", at], scope, "stands here twice; keep one")]
      : [],
  );
}
