import type { Command } from "commander";
import { onOneCluster } from "../common/oneCluster.ts";
import { outputOption } from "../common/outputOption.ts";
import { report, reportOrExit } from "../common/run.ts";

const examples = `
Examples:
  Write Pulumi.prod-0.yaml and so on:
  $ kubecamp shards files --stack prod
  Transfer members to their shards:
  $ kubecamp shards move --stack prod

'kubecamp up' transfers members too, and updates all shards.
Exit codes: 0 done, 1 refused or failed, or a member could not be transferred,
2 wrong usage.
See docs/run/shards.md`;

/** Loads the implementation only when a command runs, so that other commands start fast. */
export function addShardsCommand(program: Command): void {
  const shards = program
    .command("shards")
    .description("Split a list of members over several stacks")
    .addHelpText("after", examples);
  const of = (command: Command) =>
    command
      .requiredOption("--stack <name>", "the undivided stack, with kubecamp:shards in its file")
      .option("--folder <path>", "the project's folder, with Pulumi.yaml", ".")
      .addHelpText("after", examples);
  of(shards.command("files"))
    .description("Write each shard's file")
    .action((options) => report(async () => (await import("./files.ts")).writeFiles(options)));
  of(shards.command("move"))
    .description("Transfer members to their shards, without deleting anything")
    .addOption(outputOption("text", "json"))
    .action((options) => reportOrExit(() => onOneCluster(async () => (await import("./move.ts")).move(options))));
}
