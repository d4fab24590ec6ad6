import type { Command } from "commander";
import { nearest } from "../../config/values/nearest.ts";
import type { MemberOverview } from "../../plan/members/overview.ts";
import { Problem } from "../common/problem.ts";
import { outputOption, report } from "../common/run.ts";
import type { StackPlace } from "../common/stackTarget.ts";

const examples = `
Examples:
  $ kubecamp members show bob
  $ kubecamp members show bob carol -o json | jq '.[].reason'

Exit codes: 0 shown, 1 no such member, or no answer from the cluster,
2 wrong usage.
See docs/run/list-members.md`;

export function addShowCommand(members: Command): void {
  members
    .command("show")
    .description("Show members one by one, with the columns of '-o wide', a line each")
    .argument("<name...>", "the members")
    .option("--stack <name>", "only the members of this stack")
    .option("--context <name>", "context of your kubeconfig (default: that of --stack, or the current one)")
    .addOption(outputOption("text", "json"))
    .addHelpText("after", examples)
    .action((names, options) => report(() => showMembers(names, options)));
}

interface ShowOptions extends StackPlace {
  readonly output: "text" | "json";
}

async function showMembers(names: readonly string[], { output, ...place }: ShowOptions): Promise<void> {
  const { utcDay } = await import("../../config/values/days.ts");
  const { readMemberOverviews } = await import("./readOverview.ts");
  const { membersJson } = await import("./list.ts");
  const { memberTable } = await import("./rows.ts");
  const { members: all, others } = await readMemberOverviews(place, { details: true }, utcDay());
  refuseUnknown(names, place.stack, { all, others });
  const members = all.filter(({ member }) => names.includes(member));
  console.log(
    output === "json"
      ? JSON.stringify(membersJson(members, place.stack, process.cwd()), null, 2)
      : members.map((member) => memberTable(member, process.stdout.columns)).join("\n\n"),
  );
}

function refuseUnknown(
  names: readonly string[],
  stack: string | undefined,
  { all, others }: Readonly<Record<"all" | "others", readonly MemberOverview[]>>,
): void {
  const known = all.map(({ member }) => member);
  const unknown = [...new Set(names)].filter((name) => !known.includes(name));
  const why = unknown.map((name) => {
    const other = others.find(({ member }) => member === name);
    return other === undefined
      ? `'${name}' has no namespace here${nearest(name, known)}`
      : `'${name}' is a member of stack '${other.stack}'`;
  });
  if (unknown.length > 0) {
    const quoted = unknown.map((name) => `'${name}'`).join(", ");
    throw new Problem(
      `There is no member ${quoted}${stack === undefined ? "" : ` of stack '${stack}'`} on this cluster.`,
      {
        why: why.join("\n"),
        remedy: "Run 'kubecamp members' for those who are there, and 'kubecamp preview' for what the next up makes.",
      },
    );
  }
}
