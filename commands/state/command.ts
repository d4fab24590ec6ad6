import type { Command } from "commander";
import { onOneCluster } from "../common/oneCluster.ts";
import { reportOrExit } from "../common/run.ts";

const examples = `
Examples:
  Ask before the state is written:
  $ kubecamp state rebuild --stack prod
  Write it without a question:
  $ kubecamp state rebuild --stack prod --yes
  Afterwards, show what the next run would do:
  $ pulumi preview --stack prod

The stack must exist, with an empty state: run 'pulumi stack init prod' before.
The command changes nothing on the cluster.
Exit codes: 0 rebuilt, 1 refused or failed, 2 wrong usage.
See docs/run/state.md`;

/** Loads the implementation only when the command runs, so that other commands start fast. */
export function addStateCommand(program: Command): void {
  program
    .command("state")
    .description("Rebuild a lost state")
    .command("rebuild")
    .description("Rebuild a stack's lost state from the cluster")
    .requiredOption("--stack <name>", "the Pulumi stack")
    .option("--folder <path>", "the project's folder, with Pulumi.yaml", ".")
    .option("--yes", "write without asking", false)
    .addHelpText("after", examples)
    .action((options) => reportOrExit(() => onOneCluster(async () => (await import("./rebuild.ts")).rebuild(options))));
}
