import { writeFileSync } from "node:fs";
import { basename } from "node:path";
import { Problem } from "../common/problem.ts";
import type { Report } from "./model.ts";
import { jsonOf } from "./print/json.ts";
import { markdownOf } from "./print/markdown.ts";
import { type Failure, metBy } from "./print/summary.ts";
import { textOf } from "./print/text.ts";

export interface PrintOptions {
  readonly output: "text" | "markdown" | "json";
  readonly failOn: readonly Failure[];
  readonly attach?: string;
  readonly maxLength: number;
}

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
