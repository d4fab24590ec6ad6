import type { Command } from "commander";
import { type Mistake, mistakeLine } from "../../config/values/mistakes.ts";
import { counted, firstFew } from "../../config/values/sentences.ts";
import { outputOption, report } from "../common/run.ts";
import type { Check } from "./checks.ts";

const examples = `
Examples:
  Check all stacks of this folder's project:
  $ kubecamp members check
  $ kubecamp members check Pulumi.prod.yaml
  $ kubecamp members check members.yaml -o json

Exit codes: 0 no mistakes, 1 mistakes, 2 wrong usage or a file that can't be read.
See docs/run/check.md`;

export function addCheckCommand(members: Command): void {
  members
    .command("check")
    .description("List all mistakes in stacks' files and members files, without a cluster or Pulumi")
    .argument("[file...]", "Pulumi.<stack>.yaml or members file (default: those of all stacks in this folder)")
    .addOption(outputOption("text", "json"))
    .addHelpText("after", examples)
    .action((files, options) => report(() => checkMembers(files, options), 2));
}

/** Prints every mistake in the files, or in those of all the project's stacks. The exit code is 1 if there is any. */
async function checkMembers(files: readonly string[], { output }: { output: "text" | "json" }): Promise<void> {
  const { utcDay } = await import("../../config/values/days.ts");
  const { checkFiles } = await import("./checks.ts");
  const checks = checkFiles(files, process.cwd(), utcDay());
  console.log(output === "json" ? JSON.stringify(checks.map(checkJson), null, 2) : checkText(checks));
  if (checks.some(({ mistakes }) => mistakes.length > 0)) {
    process.exitCode = 1;
  }
}

/** A line for each mistake and warning, once even if several stacks share a members file; then one for each list. */
export function checkText(checks: readonly Check[]): string {
  const mistakes = new Set(checks.flatMap((check) => check.mistakes.map(mistakeLine)));
  const warnings = new Set(
    checks.flatMap((check) => check.warnings.map((one) => mistakeLine({ ...one, path: `warning: ${one.path}` }))),
  );
  return [...mistakes, ...warnings, ...checks.map(summary)].join("\n");
}

function summary(check: Check): string {
  const { file, members, expired, isEmpty, configuration, mistakes } = check;
  const refusesEmpty =
    isEmpty && configuration?.settings.offboarding.maxRemovals === undefined && mistakes.length === 0;
  const over = expired.length === 0 ? "" : ` (${expired.length} expired: ${firstFew(expired, mostExpired)})`;
  const empty = refusesEmpty ? " (an empty list stops a run that would remove anybody)" : "";
  return `${file}${forWhom(check)}: ${counted(members, "member")}${over}, ${counted(mistakes.length, "mistake")}${empty}`;
}

function forWhom({ stack, ownFile }: Check): string {
  if (stack === undefined) {
    return " (no stack names it)";
  }
  return ownFile ? ` (stack ${stack})` : "";
}

const mostExpired = 5;

/** A list for `-o json`; see docs/run/check.md for its keys. */
const checkJson = ({ file, stack, members, expired, mistakes, warnings }: Check) => ({
  ...{ file, stack: stack ?? null, members, expired },
  mistakes: mistakes.map(reportedJson),
  warnings: warnings.map(reportedJson),
});

const reportedJson = ({ file, line, path, message }: Mistake) => ({
  ...{ file: file ?? null, line: line ?? null, path, message },
});
