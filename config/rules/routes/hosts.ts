import { memberPlaceholder, withMember } from "../../model/routes/route.ts";
import { type RawMistake, valueMistake } from "../../sources/mistakes.ts";
import { type Candidate, hasClearHostPath, type RulesContext } from "../rules.ts";

/** DNS limits. @see https://datatracker.ietf.org/doc/html/rfc1035#section-2.3.4 */
const longestLabel = 63;
const longestName = 253;

/** Suffix that makes the name of cert-manager's Secret from a host. */
export const certificateSuffix = "-tls";

/**
 * Mistakes: hosts and server names that a member's name makes too long, and hosts too long for their certificate's
 * Secret.
 */
export function hostFindings(candidates: readonly Candidate[], { entry: { route = {} } }: RulesContext): RawMistake[] {
  const { host = "", tls, backendProtocol, backendTls: { serverName } = {} } = route;
  const isPerMember = host.includes(memberPlaceholder);
  const issued = tls?.clusterIssuer !== undefined || tls?.issuer !== undefined;
  const longestHost = issued ? longestName - certificateSuffix.length : longestName;
  const findings: RawMistake[] = [];
  if (!isPerMember && host.length > longestHost) {
    findings.push(valueMistake(["route", "host"], host, certificateRule(longestHost)));
  }
  for (const candidate of candidates) {
    const { index, entry } = candidate;
    const { member, route: own } = entry;
    if (member === undefined || !hasClearHostPath(candidate) || own === false) {
      continue;
    }
    const path = ["members", index, "member"];
    if (own?.host === undefined && isPerMember) {
      const trouble = tooLong(withMember(host, member), longestHost);
      const way = "choose a shorter name, or give the member a route.host of their own";
      findings.push(...made(path, member, withMember(host, member), "route.host", trouble, way));
    } else if (own?.host !== undefined && own.host.length > longestHost) {
      const at = ["members", index, "route", "host"];
      findings.push(valueMistake(at, own.host, certificateRule(longestHost)));
    }
    if (serverName?.includes(memberPlaceholder) === true && backendProtocol === "HTTPS") {
      const name = withMember(serverName, member);
      const way = "choose a shorter name, or a shorter serverName";
      findings.push(...made(path, member, name, "route.backendTls.serverName", tooLong(name, longestName), way));
    }
  }
  return findings;
}

const certificateRule = (most: number) =>
  `must have at most ${most} characters, so that '${certificateSuffix}' fits behind it in the name of its certificate`;

function made(
  path: PropertyKey[],
  member: string,
  name: string,
  key: string,
  trouble: string | undefined,
  way: string,
): RawMistake[] {
  return trouble === undefined
    ? []
    : [{ path, message: (show) => `${show(member)} makes ${show(name)} of ${key}, ${trouble}; ${way}` }];
}

function tooLong(name: string, longest: number): string | undefined {
  const label = name.split(".").find(({ length }) => length > longestLabel);
  if (label !== undefined) {
    return `but one part has ${label.length} characters, and DNS allows ${longestLabel}`;
  }
  return name.length > longest ? `which has ${name.length} characters, and may have ${longest}` : undefined;
}
