import { table } from "../../commands/common/table.ts";
import type { MemberStatus } from "../../plan/findings/status.ts";

/** The stack's output `members`, one row each; long reasons are wrapped. */
export function membersTable(members: Readonly<Record<string, MemberStatus>>, width = 80): string {
  const rows = Object.entries(members).map(([name, { type, namespace, state, url, reason }]) => [
    name,
    type,
    namespace,
    state,
    url ?? reason ?? "",
  ]);
  return table([["MEMBER", "TYPE", "NAMESPACE", "STATE", "URL OR REASON"], ...rows], { width, wrapLast: true });
}
