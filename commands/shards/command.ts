import type { Command } from "commander";
import { report } from "../common/run.ts";

const examples = `
Example:
  Write Pulumi.prod-0.yaml and so on:
  $ kubecamp shards files --stack prod

'kubecamp up' then transfers members to their shards, and updates all of them.
Exit codes: 0 done, 1 refused or failed, 2 wrong usage.
See docs/run/shards.md`;

export function addShardsCommand(program: Command): void {
  program
    .command("shards")
    .description("Split a list of members over several stacks")
    .addHelpText("after", examples)
    .command("files")
    .description("Write each shard's file")
    .requiredOption("--stack <name>", "the undivided stack, with kubecamp:shards in its file")
    .option("--folder <path>", "the project's folder, with Pulumi.yaml", ".")
    .addHelpText("after", examples)
    .action((options) => report(async () => (await import("./files.ts")).writeFiles(options)));
}
