import { given } from "../../model/maps.ts";
import { memberPlaceholder, type PlannedRoute, withMember } from "../../model/routes/route.ts";
import { defaultReadiness } from "../../model/settings/defaults.ts";
import type { Valid } from "../../schema/issues.ts";
import type { MemberEntry } from "../../schema/members/member.ts";
import type { SettingsEntry } from "../../schema/settings.ts";

const readinessKeys = ["mode", "requires", "timeoutSeconds", "targetPort"] as const;

/** A member's host, path and condition to open; undefined for a member without a public path. */
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
    readiness: {
      ...defaultReadiness,
      ...given(stack.route?.readiness ?? {}, ...readinessKeys),
      ...given(route?.readiness ?? {}, ...readinessKeys),
    },
  };
}
