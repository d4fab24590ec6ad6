import type { Command } from "commander";
import { onOneCluster } from "../common/oneCluster.ts";
import { outputOption } from "../common/outputOption.ts";
import { report } from "../common/run.ts";

const examples = `
Examples:
  $ npm run -s kubecamp -- shards files --stack prod       Pulumi.prod-0.yaml and so on, as kubecamp:shards in Pulumi.prod.yaml says
  $ npm run -s kubecamp -- shards move --stack prod        hand members over to the shards where they belong by now
  $ npm run -s kubecamp -- shards operator --stack prod    a Stack for each shard, for Pulumi's Kubernetes Operator

'kubecamp up' hands members over by itself, and brings the shards up side by side.
Exit codes: 0 done, 1 refused or failed, or somebody could not be moved, 2 wrong usage.
When to split a list, and how members move: docs/run/shards.md`;

/** Loads the implementation only when a command runs, so that other commands start fast. */
export function addShardsCommand(program: Command): void {
  const shards = program
    .command("shards")
    .description("The stacks that one list of members is split over")
    .addHelpText("after", examples);
  const of = (command: Command) =>
    command
      .requiredOption("--stack <name>", "the stack whose file has settings and members, with kubecamp:shards")
      .option("--folder <path>", "the project's folder, with Pulumi.yaml", ".")
      .addHelpText("after", examples);
  of(shards.command("files"))
    .description("Write each shard's file, which only names its list")
    .action((options) => report(async () => (await import("./files.ts")).writeFiles(options)));
  of(shards.command("move"))
    .description("Move members to the shard that they belong to, without deleting anything")
    .addOption(outputOption("text", "json"))
    .action((options) => report(() => onOneCluster(async () => (await import("./move.ts")).move(options))));
  of(shards.command("operator"))
    .description("Print a Stack for each shard, for Pulumi's Kubernetes Operator")
    .addOption(outputOption("yaml", "json"))
    .action((options) => report(async () => (await import("./operator.ts")).printStacks(options)));
}
