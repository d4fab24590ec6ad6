import type { Command } from "commander";
import { onOneCluster, run } from "../common/run.ts";
import { addPrintOptions } from "../report/command.ts";
import { addStackOptions } from "../up/command.ts";

const examples = `
Examples:
  Report what 'kubecamp up' would change, for one stack or all shards:
  $ kubecamp preview --stack prod
  For a comment on a pull request; fails if a member leaves:
  $ kubecamp preview --stack prod --fail-on removal -o markdown
  $ kubecamp preview --stack prod -o json | jq '.leaving[].member'

Exit codes: 0 reported; 1 a preview failed; 2 wrong usage; 3 by --fail-on.
See docs/run/report.md and docs/run/up.md`;

export function addPreviewCommand(program: Command): void {
  addPrintOptions(addStackOptions(program.command("preview")))
    .description("Report what 'kubecamp up' would do to each member")
    .addHelpText("after", examples)
    .action((options) =>
      run((signal) => onOneCluster(async () => (await import("./preview.ts")).preview(options, signal))),
    );
}
