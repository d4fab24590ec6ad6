import type { MemberEntry, ReadinessEntry, SettingsEntry } from "../model/entries.ts";
import type { PlannedRoute, ReadinessSettings } from "../model/settings.ts";
import type { Valid } from "../schema/issues.ts";
import { memberPlaceholder, standardReadiness, withMember } from "../schema/route.ts";

/** Where a member is to be reached, and when; undefined for one who is to have no public path. */
export function routeOf(
  { member, route }: Valid<MemberEntry> & Pick<MemberEntry, "member">,
  stack: Valid<SettingsEntry>,
): PlannedRoute | undefined {
  if (route === false) {
    return undefined;
  }
  const hosts = stack.route?.host ?? "";
  const template = stack.route?.path ?? (hosts.includes(memberPlaceholder) ? "/" : `/${memberPlaceholder}`);
  return {
    host: route?.host ?? withMember(hosts, member),
    path: route?.path ?? withMember(template, member),
    readiness: readinessSettingsOf(route?.readiness, stack.route?.readiness),
  };
}

function readinessSettingsOf(...entries: readonly (Valid<ReadinessEntry> | undefined)[]): ReadinessSettings {
  const first = <K extends keyof ReadinessEntry>(key: K): ReadinessEntry[K] =>
    entries.map((entry) => entry?.[key]).find((value) => value !== undefined) as ReadinessEntry[K];
  return {
    mode: first("mode") ?? standardReadiness.mode,
    requires: first("requires") ?? standardReadiness.requires,
    timeoutSeconds: first("timeoutSeconds") ?? standardReadiness.timeoutSeconds,
    targetPort: first("targetPort") ?? standardReadiness.targetPort,
  };
}
