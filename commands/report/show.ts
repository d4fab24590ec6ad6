import { writeFileSync } from "node:fs";
import { basename } from "node:path";
import { text as textFrom } from "node:stream/consumers";
import { Interrupted, Problem } from "../common/problem.ts";
import { readNamed } from "../common/readNamed.ts";
import { reportOf } from "./build.ts";
import { type Digest, readDigest } from "./digest.ts";
import type { Report } from "./model.ts";
import { digestOf, runPreview } from "./preview.ts";
import { jsonOf } from "./print/json.ts";
import { markdownOf } from "./print/markdown.ts";
import { type Failure, metBy } from "./print/summary.ts";
import { textOf } from "./print/text.ts";

interface ReportOptions extends PrintOptions {
  readonly stack?: string;
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
 * Prints a preview's report. A failed preview is printed as far as it got, and so is the reason why there is none: a
 * comment on a pull request must not keep outdated content. The exit code is then 1.
 * @param file with a preview's output, `-` for stdin; undefined to run one
 * @throws Problem when the attachment can't be written
 */
export async function showReport(file: string | undefined, options: ReportOptions, signal: AbortSignal): Promise<void> {
  printReport(await readReport(file, options, signal), options);
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

const nothing: Digest = { steps: [], diagnostics: [] };

async function readReport(file: string | undefined, options: ReportOptions, signal: AbortSignal): Promise<Report> {
  try {
    return await (file === undefined ? previewed(options, signal) : readFrom(file, options, signal));
  } catch (error) {
    if (error instanceof Problem) {
      const failure = `${error.message}\n${error.why}\n${error.remedy}`;
      return reportOf(nothing, { stack: options.stack, failure });
    }
    throw error;
  }
}

async function previewed({ stack = "", refresh }: ReportOptions, signal: AbortSignal): Promise<Report> {
  const preview = await runPreview(stack, refresh, { notify: (line) => console.error(line), signal });
  return reportOf(digestOf(preview), { stack, failure: preview.failure });
}

async function readFrom(file: string, { stack }: ReportOptions, signal: AbortSignal): Promise<Report> {
  const text = file === "-" ? await stdin(signal) : read(file);
  return reportOf(readDigest(text, file === "-" ? "stdin" : file), { stack });
}

async function stdin(signal: AbortSignal): Promise<string> {
  if (process.stdin.isTTY) {
    console.error("Reading what 'pulumi preview --json' printed from stdin; Ctrl-D ends it…");
  }
  const interrupted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(new Interrupted()), { once: true });
  });
  try {
    return await Promise.race([textFrom(process.stdin), interrupted]);
  } finally {
    process.stdin.destroy();
  }
}

const read = (file: string) =>
  readNamed(
    file,
    `${file} can't be read.`,
    "Name the file that 'pulumi preview --json' was written to, or '-' for stdin.",
  );

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
