import { unread } from "../../model/maps.ts";
import { builtInCiIssuers, type CiIssuer } from "../../model/members/ci.ts";
import { plainMistake, type RawMistake, valueMistake } from "../../sources/mistakes.ts";
import type { RulesContext } from "../rules.ts";

/** The API server takes each issuer once, and an issuer has one prefix. */
export function issuerFindings(used: ReadonlySet<string>, { entry }: RulesContext): RawMistake[] {
  const people = entry.oidc?.issuerUrl;
  const seen = new Map<string, string>(
    Object.entries(builtInCiIssuers).map(([name, { issuerUrl }]) => [issuerUrl, name]),
  );
  const own = Object.entries(entry.ci?.issuers ?? {}).flatMap(([name, issuer]): RawMistake[] => {
    const path = ["ci", "issuers", name];
    if (Object.hasOwn(builtInCiIssuers, name)) {
      return [plainMistake(path, `is built in, as ${builtInCiIssuers[name]?.issuerUrl}; choose another name`)];
    }
    const url = issuer?.issuerUrl;
    const first = url === undefined ? undefined : seen.get(url);
    if (url === undefined || first !== undefined) {
      return first === undefined
        ? []
        : [valueMistake([...path, "issuerUrl"], url, `is issuer '${first}' already; name that`)];
    }
    seen.set(url, name);
    return [];
  });
  const shared = people === undefined ? undefined : seen.get(people);
  return shared === undefined || !used.has(shared)
    ? own
    : [
        ...own,
        valueMistake(
          ["oidc", "issuerUrl"],
          people,
          `is the issuer '${shared}' of members' ci too, and the API server takes an issuer once; let people sign in at another, or give members ci with token: true`,
        ),
      ];
}

/** Whether the setting has a mistake, or parts that could not be read. */
export const isCiUnclear = ({ raw, wrongSettings }: Pick<RulesContext, "raw" | "wrongSettings">): boolean =>
  raw.ci === unread || wrongSettings.has("ci");

export function audienceFindings(used: ReadonlySet<string>, context: RulesContext): RawMistake[] {
  return used.size === 0 || context.entry.ci?.audience !== undefined || isCiUnclear(context)
    ? []
    : [
        plainMistake(
          ["ci", "audience"],
          "is missing, and members have ci: set it to a name of this cluster alone, such as its API server's URL",
        ),
      ];
}

/** Otherwise an issuer could name users of the other. */
export function prefixFindings(used: readonly CiIssuer[], { settings, wrongSettings }: RulesContext): RawMistake[] {
  const { usernamePrefix } = settings.oidc;
  const clashing = used.find(({ prefix }) => prefix.startsWith(usernamePrefix) || usernamePrefix.startsWith(prefix));
  return clashing === undefined || wrongSettings.has("oidc")
    ? []
    : [
        valueMistake(
          ["oidc", "usernamePrefix"],
          usernamePrefix,
          `lets people have names of members' ci, which start with ${clashing.prefix}; set another prefix, such as oidc:`,
        ),
      ];
}
