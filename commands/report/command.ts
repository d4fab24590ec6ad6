import { type Command, InvalidArgumentError, Option } from "commander";
import { onOneCluster, outputOption, run, wholeNumber } from "../common/run.ts";
import { failures as all } from "./print/summary.ts";

const examples = `
Examples:
  Preview the next 'pulumi up', and report its effects by member:
  $ kubecamp report --stack prod

  For a comment on a pull request, or for a program:
  $ kubecamp report --stack prod -o markdown > comment.md
  $ kubecamp report --stack prod -o json | jq '.leaving[].member'
  $ kubecamp report --stack prod --fail-on removal,replacement

Exit codes: 0 reported; 1 the preview failed; 2 wrong usage; 3 by --fail-on.
See docs/run/report.md, for comments docs/run/pull-requests.md`;

const failures: readonly string[] = all;
/** GitHub takes 65,536 characters in a comment; the rest is for text that a workflow adds. */
const githubsLimit = 65_000;
/** Less has no room even for the worst changes. */
const leastLength = 8_000;

export function addReportCommand(program: Command): void {
  const command = program
    .command("report")
    .description("Report the effects of the next 'pulumi up', by member")
    .requiredOption("--stack <name>", "the stack to preview, or the undivided stack of its shards")
    .option("--refresh", "read the cluster first", false)
    .addHelpText("after", examples);
  addPrintOptions(command).action((options) =>
    run((signal) =>
      onOneCluster(async () =>
        (await import("../preview/preview.ts")).preview(
          { ...options, folder: ".", member: [], all: true },
          signal,
          "pulumi up",
        ),
      ),
    ),
  );
}

export function addPrintOptions(command: Command): Command {
  return command
    .addOption(outputOption("text", "markdown", "json"))
    .addOption(
      new Option("--fail-on <what>", `exit code 3 if there is any of ${failures.join(", ")}; several with commas`)
        .argParser(failOn)
        .default([], "nothing"),
    )
    .option("--attach <file>", "write the whole report into this file, as Markdown")
    .addOption(
      new Option("--max-length <characters>", "most characters of Markdown; --attach has the rest")
        .argParser(wholeNumber(leastLength))
        .default(githubsLimit, String(githubsLimit)),
    );
}

function failOn(text: string, before: readonly string[]): string[] {
  const words = text.split(",").map((word) => word.trim());
  const wrong = words.find((word) => !failures.includes(word));
  if (wrong !== undefined) {
    throw new InvalidArgumentError(`'${wrong}' is none of ${failures.join(", ")}.`);
  }
  return [...before, ...words];
}
