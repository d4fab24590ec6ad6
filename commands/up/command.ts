import { type Command, Option } from "commander";
import { collected, onOneCluster, outputOption, run, wholeNumber } from "../common/run.ts";

const examples = `
Examples:
  Update the members who differ, in one stack or in all shards:
  $ kubecamp up --stack prod
  Update only some members, whatever else differs:
  $ kubecamp up --stack prod --member ana --member ben
  A full run of every shard, four at a time:
  $ kubecamp up --stack prod --all --parallel 4
  $ kubecamp up --stack prod -o json | jq '.stacks[].members'

At a terminal, it asks before it deletes the environments of removed members;
without one, or with --yes or -o json, it does not: 'kubecamp preview' shows them.
After Ctrl-C, the runs finish what they have begun.
Exit codes: 0 all is as declared; 1 a run failed, none could start, or you said no;
2 wrong usage.
See docs/run/up.md`;

export function addUpCommand(program: Command): void {
  addStackOptions(program.command("up"))
    .description("Update the members who differ, in one stack or all shards")
    .option("--yes", "delete the environments of removed members without asking", false)
    .addOption(outputOption("text", "json"))
    .addHelpText("after", examples)
    .action((options) => run((signal) => onOneCluster(async () => (await import("./up.ts")).up(options, signal))));
}

export function addStackOptions(command: Command): Command {
  return command
    .requiredOption("--stack <name>", "the Pulumi stack, or the undivided stack of its shards")
    .option("--folder <path>", "the project's folder, with Pulumi.yaml", ".")
    .addOption(
      new Option("--member <name>", "only this member; may be given several times")
        .argParser(collected)
        .default([], "members that differ"),
    )
    .addOption(new Option("--all", "a full run, even if nothing differs").default(false).conflicts("member"))
    .option("--refresh", "have Pulumi read the cluster first", false)
    .addOption(
      new Option("--parallel <number>", "shards at a time (default: as many as fit into memory)").argParser(
        wholeNumber(1),
      ),
    );
}
