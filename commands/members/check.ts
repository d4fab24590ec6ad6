import { utcDay } from "../../config/values/days.ts";
import { type Mistake, mistakeLine } from "../../config/values/mistakes.ts";
import { counted, firstFew } from "../../config/values/sentences.ts";
import { type Check, checkFiles, expiredIn } from "./checks.ts";

/** Prints every mistake in the files, or in those of all the project's stacks. The exit code is 1 if there is any. */
export async function checkMembers(files: readonly string[], { output }: { output: "text" | "json" }): Promise<void> {
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
  const { file, stack, ownFile, members, isEmpty, configuration, mistakes } = check;
  const expired = expiredIn(check);
  const refusesEmpty =
    isEmpty && configuration?.settings.offboarding.maxRemovals === undefined && mistakes.length === 0;
  const forWhom = stack === undefined ? " (no stack names it)" : ownFile ? ` (stack ${stack})` : "";
  const over = expired.length === 0 ? "" : ` (${expired.length} expired: ${firstFew(expired, mostExpired)})`;
  const empty = refusesEmpty ? " (an empty list stops a run that would remove anybody)" : "";
  return `${file}${forWhom}: ${counted(members, "member")}${over}, ${counted(mistakes.length, "mistake")}${empty}`;
}

const mostExpired = 5;

/** A list for `-o json`; see docs/run/check.md for its keys. */
export function checkJson(check: Check) {
  const { file, stack, members, mistakes, warnings } = check;
  return {
    file,
    stack: stack ?? null,
    members,
    expired: expiredIn(check),
    mistakes: mistakes.map(reportedJson),
    warnings: warnings.map(reportedJson),
  };
}

function reportedJson({ file, line, path, message }: Mistake) {
  return { file: file ?? null, line: line ?? null, path, message };
}
