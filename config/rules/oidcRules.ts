import { isMap } from "../model/maps.ts";
import { defaultOidc } from "../model/settings/defaults.ts";
import type { Valid } from "../schema/issues.ts";
import type { OidcEntry } from "../schema/oidc.ts";
import { plainMistake, type RawMistake, valueMistake } from "../sources/mistakes.ts";

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
