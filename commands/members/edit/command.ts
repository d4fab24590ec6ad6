import type { Command } from "commander";
import { collected, outputOption, report } from "../../common/run.ts";
import { whereOption } from "../where.ts";

const examples: Readonly<Record<string, string>> = {
  add: `\
  Add two students to a course:
  $ kubecamp members add bob carol --type user --set labels.course=cs101 --stack prod`,
  set: `\
  $ kubecamp members set bob --set maxCPUm=2000 --unset expires --stack prod
  Show what a last day for a whole course would change:
  $ kubecamp members set --where labels.course=cs101 --set expires=+30d --stack prod --dry-run`,
  remove: `\
  $ kubecamp members remove bob --stack prod
  Show who of a course would leave the list:
  $ kubecamp members remove --where labels.course=cs101 --stack prod --dry-run`,
  suspend: `\
  $ kubecamp members suspend bob --stack prod
  Suspend the students of a course, but not its tutors:
  $ kubecamp members suspend --where labels.course=cs101 --where type=user --stack prod`,
  resume: `\
  $ kubecamp members resume bob --stack prod
  $ kubecamp members resume --where labels.course=cs101 --stack prod`,
};

const notes = `
The command edits the file with the list, and keeps its comments and order.
If the result has a mistake, it writes nothing.
A folder with one stack needs no --stack.
Exit codes: 0 written, or nothing to change, 1 refused, 2 wrong usage.
See docs/run/roster.md`;

export function addEditCommands(members: Command): void {
  const run = (work: (edit: typeof import("./edit.ts")) => Promise<void>) =>
    report(async () => work(await import("./edit.ts")));
  withOptions(members.command("add"), "Add members to the list")
    .argument("<name...>", "the members")
    .option("--type <type>", "their type, such as user")
    .option("--set <key=value>", "a key of their entries; may be given several times", collected, [])
    .action((names, options) => run((edit) => edit.addMembers(names, options)));
  const existing = (name: string, description: string) =>
    withOptions(members.command(name), description)
      .argument("[name...]", "the members")
      .addOption(whereOption())
      .hook("preAction", refuseUnclear);
  const set = existing("set", "Change members' entries in the list")
    .option("--set <key=value>", "a key of their entries; may be given several times", collected, [])
    .option("--unset <key>", "a key to remove; may be given several times", collected, [])
    .action(async (names, options) => {
      if (options.set.length + options.unset.length === 0) {
        set.error("error: give '--set <key=value>' or '--unset <key>'");
      }
      await run((edit) => edit.setMembers(names, options));
    });
  existing("remove", "Remove members from the list").action((names, options) =>
    run((edit) => edit.removeMembers(names, options)),
  );
  existing("suspend", "Suspend members in the list").action((names, options) =>
    run((edit) => edit.setMembers(names, { ...options, set: ["suspended=true"] })),
  );
  existing("resume", "End suspensions in the list").action((names, options) =>
    run((edit) => edit.resumeMembers(names, options)),
  );
}

const withOptions = (command: Command, description: string): Command =>
  command
    .description(description)
    .option("--stack <name>", "the stack with the list (default: the folder's only one)")
    .option("--dry-run", "show the difference, and write nothing", false)
    .addOption(outputOption("text", "json"))
    .addHelpText("after", `\nExamples:\n${examples[command.name()]}\n${notes}`);

/** Refuses names beside a choice: both could mean those who fit both, or all of them. */
function refuseUnclear(command: Command): void {
  if (command.args.length > 0 === (command.getOptionValue("where") !== undefined)) {
    command.error("error: name members, or give '--where'");
  }
}
