import { z } from "zod";
import type { MemberEntry } from "../member/member.ts";
import { hasClearHostPath, type RuleContext } from "../rule.ts";
import type { SettingsEntry } from "../settings.ts";
import type { Valid } from "../values/issues.ts";
import { memberPlaceholder, withMember } from "../values/placeholders.ts";
import { hostName, optional } from "../values/values.ts";
import { memberReadinessSchema, type ReadinessSettings, readinessOf } from "./readiness.ts";
import { path } from "./route.ts";

export interface MemberRoute {
  readonly host: string;
  /** Such as `/bob`, or `/` on a host of the member's own. No member's path is within another's on the same host. */
  readonly path: string;
}

export interface PlannedRoute extends MemberRoute {
  readonly readiness: ReadinessSettings;
}

export const memberRouteSchema = z.strictObject({
  host: optional(hostName, "Own host name. Default: the stack's."),
  path: optional(path, "Own path, not within another member's on the same host. Default: the stack's.", {
    examples: ["/lab/alice"],
  }),
  readiness: optional(memberReadinessSchema, "Differences from [`route.readiness`](#route)."),
});

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
    readiness: readinessOf(stack.route?.readiness, route?.readiness),
  };
}

/** Routes of the entries whose name, host and path are known. */
export const candidateRoutes = ({ candidates, entry: stack }: Pick<RuleContext, "candidates" | "entry">) =>
  candidates.flatMap((candidate) => {
    const { index, entry } = candidate;
    const { member } = entry;
    const route =
      member === undefined || !hasClearHostPath(candidate) ? undefined : routeOf({ ...entry, member }, stack);
    return member === undefined || route === undefined ? [] : [{ index, member, own: entry.route || undefined, route }];
  });
