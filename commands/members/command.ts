import { type Command, InvalidArgumentError, Option } from "commander";
import { languages } from "../board/options.ts";
import { outputOption, report } from "../common/run.ts";
import { addArchiveCommand } from "./archive.ts";
import { addCheckCommand } from "./check.ts";
import { addEditCommands } from "./edit/command.ts";
import { addImportCommand } from "./import/command.ts";
import { addInviteCommand } from "./invite/command.ts";
import { addKubeconfigCommand } from "./kubeconfig/command.ts";
import { addRestoreCommand } from "./restore.ts";
import { addShowCommand } from "./show.ts";
import { addWakeCommand } from "./wake.ts";
import { whereOption } from "./where.ts";

const examples = `
Examples:
  List all members on the current context's cluster:
  $ kubecamp members
  $ kubecamp members --stack prod -o wide
  $ kubecamp members -o json | jq '.[] | select(.state == "pending") | .member'
  List the members of a course:
  $ kubecamp members --where labels.course=cs101
  List members with a last day in the next two weeks:
  $ kubecamp members --expiring 14d
  Show quota and use of each course, by members' labels:
  $ kubecamp members --by course
  $ kubecamp members --by course -o csv > courses.csv
  Show bob alone, a line for each column:
  $ kubecamp members show bob
  Write a page with all members; --by course groups them:
  $ kubecamp members -o html --out board.html
  Check the stacks' files, without a cluster:
  $ kubecamp members check
  Edit the list; also 'set', 'remove', 'suspend' and 'resume':
  $ kubecamp members add bob --type user --stack prod

Exit codes: 0 listed, 1 no answer from the cluster, or no such stack, 2 wrong usage.
See docs/run/list-members.md, for -o html docs/run/board.md`;

/** Adds `members`, which lists them, and its subcommands. */
export function addMembersCommand(program: Command): void {
  const members = program
    .command("members")
    .description("List members with state, quota, route and expiry")
    .option("--stack <name>", "only the members of this stack")
    .option("--context <name>", "context of your kubeconfig (default: that of --stack, or the current one)")
    .addOption(whereOption())
    .option("--expiring <days>", "only members with a last day in the next days, such as 14d", days)
    .option("--by <label>", "sum members by this label, or by 'type'")
    .addOption(outputOption("table", "wide", "json", "csv", "html"))
    .option("--out <file>", "with -o html: write the page into this file (default: stdout)")
    .addOption(new Option("--lang <language>", "with -o html: language of the page (default: en)").choices(languages))
    .addHelpText("after", examples)
    .hook("preSubcommand", refuseLostOptions)
    // The action reports an unknown command itself: commander would complain of too many arguments.
    .allowExcessArguments()
    .action(async (options, { args: [word] }: Command) => {
      if (word !== undefined) {
        await refuseUnknown(word, members);
      }
      const lost = (["out", "lang"] as const).find((name) => options[name] !== undefined);
      if (lost !== undefined && options.output !== "html") {
        members.error(`error: option '--${lost}' needs '-o html'`);
      }
      await report(async () => (await import("./list.ts")).listMembers(options));
    });
  addShowCommand(members);
  addCheckCommand(members);
  addKubeconfigCommand(members);
  addWakeCommand(members);
  addInviteCommand(members);
  addEditCommands(members);
  addImportCommand(members);
  addArchiveCommand(members);
  addRestoreCommand(members);
}

/** Refuses options of the list before a subcommand, which would not see them. */
function refuseLostOptions(members: Command, subcommand: Command): void {
  const lost = members.options.find((option) => members.getOptionValueSource(option.attributeName()) === "cli");
  if (lost !== undefined) {
    subcommand.error(`error: option '${lost.flags}' does nothing before '${subcommand.name()}'`);
  }
}

async function refuseUnknown(word: string, members: Command): Promise<never> {
  const { nearest } = await import("../../config/values/nearest.ts");
  const names = members.commands.map((command) => command.name());
  const near = nearest(word, names);
  const asMember = `${near === "" ? "; for" : " For"} one member: 'kubecamp members show ${word}'`;
  return members.error(`error: unknown command '${word}'${near}${asMember}`);
}

function days(text: string): number {
  const [, count] = /^(\d{1,4})d$/.exec(text) ?? [];
  if (count === undefined) {
    throw new InvalidArgumentError("It takes a whole number of days with d, such as 14d.");
  }
  return Number(count);
}
