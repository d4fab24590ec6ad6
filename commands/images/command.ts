import type { Command } from "commander";
import { onOneCluster, outputOption, reportOrExit } from "../common/run.ts";

const examples = `
Examples:
  List workloads with images that are not allowed:
  $ kubecamp images --stack prod
  $ kubecamp images --stack prod -o json | jq -r '.[] | "\\(.member) \\(.images[].image)"'
  Delete them, after a question:
  $ kubecamp images --stack prod --delete

Exit codes: 0 none found, or all deleted, 1 some found, 2 wrong usage or no answer.
See docs/reference/images.md`;

export function addImagesCommand(program: Command): void {
  const images = program
    .command("images")
    .description("List workloads with images that the member's list does not allow")
    .requiredOption("--stack <name>", "the stack with the members")
    .option("--context <name>", "context of your kubeconfig (default: the stack's, or the current one)")
    .addOption(outputOption("table", "json"))
    .option("--delete", "delete these workloads with their pods", false)
    .option("--yes", "delete without asking", false)
    .addHelpText("after", examples)
    .action(async (options) => {
      if (options.yes && !options.delete) {
        images.error("error: option '--yes' does nothing without '--delete'");
      }
      await reportOrExit(() => onOneCluster(async () => (await import("./offLists.ts")).showOffLists(options)), 2);
    });
}
