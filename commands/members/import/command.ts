import type { Command } from "commander";
import { collected, outputOption, report, wholeNumber } from "../../common/run.ts";

const examples = `
Examples:
  $ kubecamp members import cs101.csv --match subject=email --set type=guest-user --set labels.course=cs101
  $ kubecamp members import cs101.csv --match subject=email --name First --name Last --take labels.group=Group --dry-run
  $ kubecamp members import cs101.csv --match subject=email --set labels.course=cs101 --leavers expire=+30d --yes

The command shows the changes, asks, and writes the list. It never removes members.
Exit codes: 0 written, or nothing to change, 1 refused, or answered with no,
2 wrong usage.
See docs/run/roster.md`;

export function addImportCommand(members: Command): void {
  members
    .command("import")
    .description("Add and change members as in a roster, a CSV file with a header")
    .argument("<roster>", "the CSV file")
    .requiredOption("--match <key=column>", "how to recognize members, such as subject=email")
    .option("--name <column>", "column for new names, several times too, or a pattern: {email}-cs101", collected, [])
    .option("--take <key=column>", "a key with the column's value; may be given several times", collected, [])
    .option("--set <key=value>", "a value for everybody in the roster; may be given several times", collected, [])
    .option("--default <key=value>", "a value for those without this key; may be given several times", collected, [])
    .option("--leavers <what>", "for missing members: list, suspend, or expire=+30d", "list")
    .option("--max-leavers <number>", "most members that may be missing (default: a tenth)", wholeNumber(0))
    .option("--stack <name>", "the stack with the list (default: the folder's only one)")
    .option("--yes", "write without asking", false)
    .option("--dry-run", "show the difference, and write nothing", false)
    .addOption(outputOption("text", "json"))
    .addHelpText("after", examples)
    .action((roster, options) => report(async () => (await import("./import.ts")).importRoster(roster, options)));
}
