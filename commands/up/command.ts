import { type Command, InvalidArgumentError, Option } from "commander";
import { onOneCluster } from "../common/oneCluster.ts";
import { run } from "../common/run.ts";

const examples = `
Examples:
  Whatever differs, of one stack or of all shards of a list:
  $ npm run -s kubecamp -- up --stack prod
  Some members alone, in seconds, whatever else differs:
  $ npm run -s kubecamp -- up --stack prod --member ana --member ben
  A full run of every shard, four at a time:
  $ npm run -s kubecamp -- up --stack prod --all --parallel 4
  $ npm run -s kubecamp -- up --stack prod -o json | jq '.stacks[].members'

Ctrl-C ends all runs in good order: what they have begun is finished.
Exit codes: 0 all is as declared; 1 one did not come up; 2 wrong usage.
What it runs and why: docs/run/up.md`;

/** Loads the implementation only when the command runs, so that other commands start fast. */
export function addUpCommand(program: Command): void {
  addStackOptions(program.command("up"))
    .description("Bring up what differs: some members alone, everything, or nothing at all")
    .option(
      "--skip-checkpoints",
      "write Pulumi's state once, at the end, wherever that is safe (default: where it pays)",
    )
    .option("--no-skip-checkpoints", "write it before and after each object, as 'pulumi up' does")
    .addOption(
      new Option("-o, --output <format>", "how the result is printed").choices(["text", "json"]).default("text"),
    )
    .addHelpText("after", examples)
    .action((options) => run((signal) => onOneCluster(async () => (await import("./up.ts")).up(options, signal))));
}

/** Adds options that select stacks and members. */
export function addStackOptions(command: Command): Command {
  return command
    .requiredOption("--stack <name>", "the Pulumi stack, or the list that is split into shards")
    .option("--folder <path>", "the project's folder, with Pulumi.yaml", ".")
    .addOption(
      new Option("--member <name>", "this member alone; may be given several times")
        .argParser(gathered)
        .default([], "members that differ"),
    )
    .addOption(
      new Option("--all", "a full run of every stack, even if nothing differs").default(false).conflicts("member"),
    )
    .option("--refresh", "have Pulumi read the cluster first", false)
    .addOption(
      new Option(
        "--parallel <number>",
        "shards that run at a time (default: as many as there is memory for)",
      ).argParser(atLeastOne),
    );
}

const gathered = (name: string, before: readonly string[]) => [...before, name];

function atLeastOne(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < 1) {
    throw new InvalidArgumentError("It takes a number from 1.");
  }
  return number;
}
