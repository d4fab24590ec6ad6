import type { Command } from "commander";
import { onOneCluster, outputOption, run } from "../common/run.ts";

const archiveExamples = `
Examples:
  $ kubecamp members archive kay --stack prod

The member must have left the list, and their day must have come
(offboarding.graceDays). The command writes the archive, checks it, and marks the
namespace, which the next up deletes. 'kubecamp up' and the watch do the same. A
whole archive stays as it is; a damaged one is written again.
Exit codes: 0 archived, 1 not archived, 2 wrong usage.
See docs/run/archive.md`;

const restoreExamples = `
Examples:
  List the archives:
  $ kubecamp members restore kay --stack prod
  Restore what is in one of them:
  $ kubecamp members restore kay --stack prod --from prod/kay/2026-12-26-0b9c7f0e-6a51-4c6f-9c0e-2f1d3a4b5c6d/20261226T080012Z-5d1f0c7a/

First put the member into the list, and run 'up'. Existing objects stay as they are.
Exit codes: 0 listed or restored, 1 something could not be, 2 wrong usage.
See docs/run/archive.md`;

/** Adds the commands for archives. They load their implementation only when they run. */
export function addArchiveCommands(members: Command): void {
  members
    .command("archive")
    .description("Archive a member who has left the list, before the removal")
    .argument("<name>", "the member")
    .requiredOption("--stack <name>", "the member's stack, or the undivided stack of its shards")
    .addOption(outputOption("text", "json"))
    .addHelpText("after", archiveExamples)
    .action((name, options) =>
      run((signal) => onOneCluster(async () => (await import("./run.ts")).archive(name, options, signal))),
    );
  members
    .command("restore")
    .description("Restore an archive into a member's namespace")
    .argument("<name>", "the member")
    .requiredOption("--stack <name>", "the member's stack, or the undivided stack of its shards")
    .option("--from <archive>", "the archive to restore (default: list the member's archives)")
    .addOption(outputOption("text", "json"))
    .addHelpText("after", restoreExamples)
    .action((name, options) =>
      run((signal) => onOneCluster(async () => (await import("./run.ts")).restore(name, options, signal))),
    );
}
