import { type Command, InvalidArgumentError, Option } from "commander";
import type { StaffRole } from "../../config/staff.ts";
import { outputOption, report } from "../common/run.ts";
import { over } from "./over.ts";

const examples = `
Examples:
  Let a group assist in a course for an afternoon:
  $ kubecamp staff grant ta-cs101 --over course=cs101 --role assist --for 4h --stack prod
  Let a person look after bob until the end of a day, in UTC:
  $ kubecamp staff grant tina@example.org --subject --over member=bob --role view --until 2026-12-20 --reason "exam week"
  Show what would be written:
  $ kubecamp staff grant oncall --role edit --for 1h --reason "ticket 4711" --dry-run

The command edits kubecamp:staff in the stack's file, and keeps its comments and order.
Granted again with the same role over the same members, access ends at the new time.
If the result has a mistake, it writes nothing.
A folder with one stack needs no --stack.
Exit codes: 0 written, or nothing to change, 1 refused, 2 wrong usage.
See docs/run/staff.md`;

const roles = ["view", "assist", "edit"] as const satisfies readonly StaffRole[];

export function addStaffCommand(program: Command): void {
  const grant = program
    .command("staff")
    .description("Let people into members' namespaces for a time")
    .addHelpText("after", examples)
    .command("grant")
    .description("Add an entry of staff with an end to the stack's file")
    .argument("<who>", "a group of the issuer, without prefix; with --subject a person")
    .option("--subject", "take <who> for a person's name at sign-in, not for a group", false)
    .addOption(new Option("--role <role>", "what they may do").choices(roles).argParser(roleOf).makeOptionMandatory())
    .option(
      "--over <key=value>",
      "only members with this label, such as course=cs101; also type=TYPE or member=NAME; may be given several times (default: all)",
      over,
    )
    .option("--for <time>", "how long, such as 4h or 1h30m; 24h at most")
    .option("--until <end>", "last day in UTC, or a time such as 2026-12-20T18:00Z, instead of --for")
    .option("--reason <text>", "why, for the report, the board and whoever reads the RoleBinding")
    .option("--stack <name>", "the stack (default: the folder's only one)")
    .option("--dry-run", "show the entry, and write nothing", false)
    .addOption(outputOption("text", "json"))
    .addHelpText("after", examples);
  grant.action(async (who, options) => {
    if ((options.for === undefined) === (options.until === undefined)) {
      grant.error("error: give '--for <time>' or '--until <end>'");
    }
    await report(async () => (await import("./grant.ts")).grantStaff(who, options));
  });
}

function roleOf(text: string): string {
  if (!roles.some((role) => role === text)) {
    const elsewhere =
      text === "spawn"
        ? " A ServiceAccount has spawn: add it to kubecamp:staff by hand, see docs/run/jupyterhub.md."
        : "";
    throw new InvalidArgumentError(`Allowed choices are ${roles.join(", ")}.${elsewhere}`);
  }
  return text;
}
