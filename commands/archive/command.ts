import type { Command } from "commander";
import { outputOption } from "../common/outputOption.ts";
import { run } from "../common/run.ts";

const archiveExamples = `
Examples:
  $ npm run -s kubecamp -- members archive kay --stack prod

It takes who has left the list and whose day has come (offboarding.graceDays), reads back what it has written, and marks the
namespace; the next up then deletes it. 'kubecamp up' and the watch do the same by themselves. It changes nothing if the
archive is there and whole, and makes it again if it is damaged.
Exit codes: 0 archived, 1 not archived, 2 wrong usage.
The archive of who leaves: docs/run/archive.md`;

const restoreExamples = `
Examples:
  $ npm run -s kubecamp -- members restore kay --stack prod          names the archives that there are
  $ npm run -s kubecamp -- members restore kay --stack prod --from prod/kay/2026-12-26-0b9c7f0e-6a51-4c6f-9c0e-2f1d3a4b5c6d/20261226T080012Z-5d1f0c7a/

Put the member into the list and run 'up' before. What is in the namespace already stays as it is.
Exit codes: 0 restored, 1 not all of it, 2 wrong usage.
The archive of who leaves: docs/run/archive.md`;

/** Adds the commands for archives. They load their implementation only when they run. */
export function addArchiveCommands(members: Command): void {
  members
    .command("archive")
    .description("Archive a member who has left the list, before the removal")
    .argument("<name>", "the member")
    .requiredOption("--stack <name>", "the member's stack, or a list that is split over shards")
    .addOption(outputOption("text", "json"))
    .addHelpText("after", archiveExamples)
    .action((name, options) => run(async (signal) => (await import("./run.ts")).archive(name, options, signal)));
  members
    .command("restore")
    .description("Create again what an archive has, in a member's namespace")
    .argument("<name>", "the member who gets it")
    .requiredOption("--stack <name>", "the member's stack, or a list that is split over shards")
    .option("--from <archive>", "the archive, as 'archive' and 'restore' name it (default: lists them)")
    .addOption(outputOption("text", "json"))
    .addHelpText("after", restoreExamples)
    .action((name, options) => run(async (signal) => (await import("./run.ts")).restore(name, options, signal)));
}
