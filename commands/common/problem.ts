/** What a person reads when something can't go on: never a stack trace, always a way out. */
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

/** Ctrl-C, or the end of whoever started us: nothing went wrong, and nothing needs explaining. */
export class Interrupted extends Error {
  constructor() {
    super("interrupted");
    this.name = "Interrupted";
  }
}

export function describeProblem(error: unknown): string {
  if (error instanceof Interrupted) {
    return "Interrupted. Nothing half-done is kept: run the same command again to go on.";
  }
  if (error instanceof Problem) {
    return [
      `Error: ${error.message}`,
      `  why:        ${indent(error.why)}`,
      `  what to do: ${indent(error.remedy)}`,
    ].join("\n");
  }
  // Anything else is a bug of ours, and there the stack is what helps.
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function indent(text: string): string {
  return text.trimEnd().replaceAll("\n", `\n${" ".repeat(14)}`);
}
