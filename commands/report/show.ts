import { writeFileSync } from "node:fs";
import { basename } from "node:path";
import { Problem } from "../common/problem.ts";
import { reportOf } from "./build.ts";
import type { Report } from "./model.ts";
import { digestOf, runPreview } from "./preview.ts";
import { jsonOf } from "./print/json.ts";
import { markdownOf } from "./print/markdown.ts";
import { type Failure, metBy } from "./print/summary.ts";
import { textOf } from "./print/text.ts";

interface ReportOptions extends PrintOptions {
  readonly stack: string;
  readonly refresh: boolean;
}

/** Format of a report, and criteria for failure. */
export interface PrintOptions {
  readonly output: "text" | "markdown" | "json";
  readonly failOn: readonly Failure[];
  /** File for the whole report; default: none. */
  readonly attach?: string;
  readonly maxLength: number;
}

/**
 * Runs a preview and prints its report. A failed preview is printed as far as it got, and so is the reason why there is none: a
 * comment on a pull request must not keep outdated content. The exit code is then 1.
 * @throws Problem when the attachment can't be written
 */
export async function showReport(options: ReportOptions, signal: AbortSignal): Promise<void> {
  printReport(await readReport(options, signal), options);
}

/**
 * Prints a report, and sets the exit code.
 * @throws Problem when the attachment can't be written
 */
export function printReport(report: Report, options: PrintOptions): void {
  const problem = attach(report, options.attach);
  const attachment = problem === undefined && options.attach !== undefined ? basename(options.attach) : undefined;
  console.log(printed(report, options, attachment));
  if (problem !== undefined) {
    throw problem;
  }
  const met = metBy(report, options.failOn);
  if (report.failed) {
    console.error("There is no preview, or it failed: see the errors in the report.");
    process.exitCode = 1;
  } else if (met.length > 0) {
    console.error(`--fail-on found: ${met.join(", ")}.`);
    process.exitCode = 3;
  }
}

function printed(report: Report, { output, maxLength }: PrintOptions, attachment: string | undefined): string {
  switch (output) {
    case "json":
      return JSON.stringify(jsonOf(report), null, 2);
    case "markdown":
      return markdownOf(report, { maxLength, attachment }).trimEnd();
    case "text":
      return textOf(report, process.stdout.columns);
  }
}

async function readReport({ stack, refresh }: ReportOptions, signal: AbortSignal): Promise<Report> {
  try {
    const preview = await runPreview(stack, refresh, { notify: (line) => console.error(line), signal });
    return reportOf(digestOf(preview), { stack, failure: preview.failure });
  } catch (error) {
    if (error instanceof Problem) {
      const failure = `${error.message}\n${error.why}\n${error.remedy}`;
      return reportOf({ steps: [], diagnostics: [] }, { stack, failure });
    }
    throw error;
  }
}

/** Returns its error, so that the report is printed first. */
function attach(report: Report, file: string | undefined): Problem | undefined {
  try {
    if (file !== undefined) {
      writeFileSync(file, markdownOf(report));
    }
    return undefined;
  } catch (cause) {
    return new Problem(`The whole report can't be written to ${file}.`, {
      why: (cause as Error).message,
      remedy: "Name a file that can be written with --attach.",
      cause,
    });
  }
}
