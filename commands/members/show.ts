import { utcDay } from "../../config/values/days.ts";
import { nearest } from "../../config/values/nearest.ts";
import type { MemberOverview } from "../../plan/members/overview.ts";
import { Problem } from "../common/problem.ts";
import type { StackPlace } from "../common/stackTarget.ts";
import { readMemberOverviews } from "./readOverview.ts";
import { memberJson, memberTable } from "./rows.ts";

interface ShowOptions extends StackPlace {
  readonly output: "text" | "json";
}

/**
 * Prints some members on the cluster, with what the wide table has of each, by stack, then by name.
 * @throws Problem when the cluster has none of a name, or only members of other stacks than the requested one
 * @throws RunError when the cluster gives no answer
 */
export async function showMembers(names: readonly string[], { output, ...place }: ShowOptions): Promise<void> {
  const today = utcDay();
  const { members: all, others } = await readMemberOverviews(place, { details: true }, today);
  const known = all.map(({ member }) => member);
  const unknown = [...new Set(names)].filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    const ofStack = place.stack === undefined ? "" : ` of stack '${place.stack}'`;
    throw new Problem(
      `There is no member ${unknown.map((name) => `'${name}'`).join(", ")}${ofStack} on this cluster.`,
      {
        why: unknown.map((name) => whyUnknown(name, known, others)).join("\n"),
        remedy: "Run 'kubecamp members' for those who are there, and 'kubecamp preview' for what the next up makes.",
      },
    );
  }
  const members = all.filter(({ member }) => names.includes(member));
  console.log(
    output === "json"
      ? JSON.stringify(members.map(memberJson), null, 2)
      : members.map((member) => memberTable(member, process.stdout.columns)).join("\n\n"),
  );
}

function whyUnknown(name: string, known: readonly string[], others: readonly MemberOverview[]): string {
  const other = others.find(({ member }) => member === name);
  return other === undefined
    ? `'${name}' has no namespace here${nearest(name, known)}`
    : `'${name}' is a member of stack '${other.stack}'`;
}
