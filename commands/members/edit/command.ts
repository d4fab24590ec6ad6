import type { Command } from "commander";
import { collected, outputOption, report } from "../../common/run.ts";

const examples: Readonly<Record<string, string>> = {
  add: "$ kubecamp members add bob carol --type user --set labels.course=cs101 --stack prod",
  set: `\
$ kubecamp members set bob --set maxCPUm=2000 --unset expires --stack prod
  $ kubecamp members set bob --set expires=+30d --stack prod --dry-run`,
  remove: "$ kubecamp members remove bob --stack prod -o json",
  suspend: "$ kubecamp members suspend bob --stack prod",
  resume: "$ kubecamp members resume bob --stack prod",
};

const notes = `
The command edits the file with the list, and keeps its comments and order.
If the result has a mistake, it writes nothing.
A folder with one stack needs no --stack.
Exit codes: 0 written, or nothing to change, 1 refused, 2 wrong usage.
See docs/run/roster.md`;

export function addEditCommands(members: Command): void {
  const of = (name: string, description: string) =>
    members
      .command(name)
      .description(description)
      .argument("<name...>", "the members")
      .option("--stack <name>", "the stack with the list (default: the folder's only one)")
      .option("--dry-run", "show the difference, and write nothing", false)
      .addOption(outputOption("text", "json"))
      .addHelpText("after", `\nExamples:\n  ${examples[name]}\n${notes}`);
  const run = (work: (edit: typeof import("./edit.ts")) => Promise<void>) =>
    report(async () => work(await import("./edit.ts")));
  of("add", "Add members to the list")
    .option("--type <type>", "their type, such as user")
    .option("--set <key=value>", "a key of their entries; may be given several times", collected, [])
    .action((names, options) => run((edit) => edit.addMembers(names, options)));
  const set = of("set", "Change members' entries in the list")
    .option("--set <key=value>", "a key of their entries; may be given several times", collected, [])
    .option("--unset <key>", "a key to remove; may be given several times", collected, [])
    .action(async (names, options) => {
      if (options.set.length + options.unset.length === 0) {
        set.error("error: give '--set <key=value>' or '--unset <key>'");
      }
      await run((edit) => edit.setMembers(names, options));
    });
  of("remove", "Remove members from the list").action((names, options) =>
    run((edit) => edit.removeMembers(names, options)),
  );
  of("suspend", "Suspend members in the list").action((names, options) =>
    run((edit) => edit.setMembers(names, { ...options, set: ["suspended=true"] })),
  );
  of("resume", "End suspensions in the list").action((names, options) =>
    run((edit) => edit.resumeMembers(names, options)),
  );
}
