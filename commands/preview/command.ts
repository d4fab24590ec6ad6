import type { Command } from "commander";
import { onOneCluster } from "../common/oneCluster.ts";
import { run } from "../common/run.ts";
import { addPrintOptions, refuseIdle } from "../report/command.ts";
import { addStackOptions } from "../up/command.ts";

const examples = `
Examples:
  What 'kubecamp up' would change for which member, for one stack or all shards of a list:
  $ npm run -s kubecamp -- preview --stack prod
  For a comment on a pull request, and a check that fails where somebody leaves:
  $ npm run -s kubecamp -- preview --stack prod --fail-on removal -o markdown
  $ npm run -s kubecamp -- preview --stack prod -o json | jq '.leaving[].member'

Exit codes: 0 previewed; 1 a preview failed; 2 wrong usage; 3 something of
--fail-on is in it.
What it shows: docs/run/report.md. What it runs and why: docs/run/up.md`;

/** Loads the implementation only when the command runs, so that other commands start fast. */
export function addPreviewCommand(program: Command): void {
  const command: Command = addStackOptions(program.command("preview"))
    .description("Report what 'kubecamp up' would do to each member")
    .addHelpText("after", examples)
    .action(async (options) => {
      refuseIdle(command);
      await run((signal) => onOneCluster(async () => (await import("../up/preview.ts")).preview(options, signal)));
    });
  addPrintOptions(command);
}
