import { type Command, Option } from "commander";
import { onOneCluster } from "../common/oneCluster.ts";
import { report } from "../common/run.ts";

const examples = `
Examples:
  $ npm run -s kubecamp -- state rebuild --stack prod                what the state was, from what the cluster has; after a question
  $ npm run -s kubecamp -- state rebuild --stack prod --yes -o json  without one, and with the result for programs
  $ pulumi preview --stack prod                                      afterwards: what the next run would do

It takes a stack that exists and whose state is empty: 'pulumi stack init prod' makes one. The cluster is only read.
Exit codes: 0 rebuilt, 1 refused or failed, and nothing is lost, 2 wrong usage.
Backing up, restoring, and what else can happen to a state: docs/run/state.md`;

/** Loads the implementation only when the command runs, so that other commands start fast. */
export function addStateCommand(program: Command): void {
  program
    .command("state")
    .description("Pulumi's state of a stack")
    .command("rebuild")
    .description("Rebuild the lost state of a stack from the labels of what the cluster has")
    .requiredOption("--stack <name>", "the Pulumi stack")
    .option("--folder <path>", "the project's folder, with Pulumi.yaml", ".")
    .addOption(
      new Option("-o, --output <format>", "how the result is printed").choices(["text", "json"]).default("text"),
    )
    .option("--yes", "without asking", false)
    .addHelpText("after", examples)
    .action((options) => report(() => onOneCluster(async () => (await import("./rebuild.ts")).rebuild(options))));
}
