import type { Readiness } from "../cluster/readiness.ts";
import type { Member } from "../config/settings.ts";
import { namespaceName, routeUrl } from "../naming/names.ts";

/** A member's entry in the stack's output `members`. */
export interface MemberStatus {
  readonly type: string;
  readonly namespace: string;
  readonly state: Readiness["state"];
  /** Where the member's Service can be reached, once the route is open; absent for one without a route. */
  readonly url?: string;
  /** Why it is not, otherwise. */
  readonly reason?: string;
}

export function statusOf(member: Member, readiness: Readiness): MemberStatus {
  return {
    type: member.type.name,
    namespace: namespaceName(member),
    ...(readiness.state === "ready"
      ? { state: "ready", ...(member.route === undefined ? {} : { url: routeUrl(member.route) }) }
      : readiness),
  };
}

/** One warning for all whose path is not open, however many; none when all are. */
export function pendingWarning(statuses: Readonly<Record<string, MemberStatus>>): string | undefined {
  const lines = Object.entries(statuses)
    .filter(([, { state }]) => state === "pending")
    .map(([name, { reason }]) => `  ${name}: ${reason}`);
  if (lines.length === 0) {
    return undefined;
  }
  const count = lines.length === 1 ? "A route is" : `${lines.length} routes are`;
  return `${count} pending, and will open with the first 'pulumi up' that finds a fit Service:\n${lines.join("\n")}`;
}
