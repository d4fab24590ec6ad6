import { readFileSync } from "node:fs";
import { messageOf } from "../../cluster/api/errors.ts";
import { type Mistake, mistakeLines } from "../../config/values/mistakes.ts";
import { type ErrorParts, RunError } from "../../config/values/runError.ts";

/** An error for people: never a stack trace, always a way out. */
export class Problem extends Error {
  readonly why: string;
  readonly remedy: string;
  constructor(what: string, details: { why: string; remedy: string; cause?: unknown }) {
    super(what, { cause: details.cause });
    this.name = "Problem";
    this.why = details.why;
    this.remedy = details.remedy;
  }
}

/** Ctrl-C, or the end of the parent process: nothing went wrong, and nothing needs explaining. */
export class Interrupted extends Error {
  constructor() {
    super("interrupted");
    this.name = "Interrupted";
  }
}

export function describeProblem(error: unknown): string {
  if (error instanceof Interrupted) {
    return "Interrupted. Run the command again to go on.";
  }
  if (error instanceof Problem) {
    return described(error.message, error);
  }
  // Those of Pulumi's own, and of a project's program, have no parts.
  if (RunError.isInstance(error)) {
    return error.parts === undefined ? `Error: ${error.message}` : described(error.what, error.parts);
  }
  // Any other error is a bug of kubecamp, for which the stack trace helps.
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const described = (what: string, { why, remedy }: ErrorParts): string =>
  [
    `Error: ${what}`,
    ...(why === undefined ? [] : [`  why:        ${indent(why)}`]),
    ...(remedy === undefined ? [] : [`  what to do: ${indent(remedy)}`]),
  ].join("\n");

function indent(text: string): string {
  return text.trimEnd().replaceAll("\n", `\n${" ".repeat(14)}`);
}

export const readNamed = (file: string, what: string, remedy: string): string =>
  orProblem(what, remedy, () => readFileSync(file, "utf8"));

export function orProblem<T>(what: string, remedy: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new Problem(what, { why: messageOf(cause), remedy, cause });
  }
}

export function refuseMistakes(
  what: string,
  mistakes: readonly Mistake[],
  remedy = "Correct them, then run again. Nothing was written.",
): void {
  if (mistakes.length > 0) {
    throw new Problem(what, { why: mistakeLines(mistakes).join("\n"), remedy });
  }
}
