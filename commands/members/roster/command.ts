import { type Command, InvalidArgumentError } from "commander";
import { collected } from "../../common/collected.ts";
import { outputOption } from "../../common/outputOption.ts";
import { report } from "../../common/run.ts";

const examples = `
Examples:
  $ npm run -s kubecamp -- members import cs101.csv --match subject=email --set type=guest-user --set labels.course=cs101
  $ npm run -s kubecamp -- members import cs101.csv --match subject=email --name First --name Last --take labels.group=Group --dry-run
  $ npm run -s kubecamp -- members import cs101.csv --match subject=email --set labels.course=cs101 --leavers expire=+30d --yes

It shows a table, asks, and writes the list. Nobody is ever taken out of it.
Exit codes: 0 written, or nothing to change, 1 refused, or nobody wanted it, 2 wrong usage.
What a roster may look like, and who counts as missing: docs/run/roster.md`;

function count(text: string): number {
  if (!/^\d{1,6}$/.test(text)) {
    throw new InvalidArgumentError("It takes a whole number.");
  }
  return Number(text);
}

/** Adds the command that imports a roster. It loads its implementation only when it runs. */
export function addImportCommand(members: Command): void {
  members
    .command("import")
    .description("Bring the list in line with a roster, a CSV file with a header")
    .argument("<roster>", "the CSV file")
    .requiredOption("--match <key=column>", "what identifies people, such as subject=email")
    .option("--name <column>", "column that new names are made of; may be given again", collected, [])
    .option("--take <key=column>", "a key with the column's value; may be given again", collected, [])
    .option("--set <key=value>", "a key for everybody in the roster; may be given again", collected, [])
    .option("--default <key=value>", "a key for those who have none; may be given again", collected, [])
    .option("--leavers <what>", "who is missing: list, suspend, or expire=+30d", "list")
    .option("--max-leavers <number>", "the most who may be missing (default: a tenth of those who came with it)", count)
    .option("--adopt", "have new members take over namespaces of their names, where offboarding.adopt is true", false)
    .option("--stack <name>", "the stack with the list (default: the folder's only one)")
    .option("--yes", "write without asking", false)
    .option("--dry-run", "show the difference, and write nothing", false)
    .addOption(outputOption("text", "json"))
    .addHelpText("after", examples)
    .action((roster, options) => report(async () => (await import("./importRoster.ts")).importRoster(roster, options)));
}
