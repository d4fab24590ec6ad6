import { writeFileSync } from "node:fs";
import { basename } from "node:path";
import { printable } from "../../config/values/mistakes.ts";
import { withPages } from "../../config/values/pages.ts";
import type { ShownDifference } from "../../objects/shown/differences.ts";
import { orProblem } from "../common/problem.ts";
import { folded, table } from "../common/table.ts";
import type { Report } from "./build.ts";
import { markdownOf } from "./print/markdown.ts";
import { type ReportSection, sectionsOf } from "./print/sections.ts";
import { alarmsIn, type Failure, metBy, summaryOf } from "./print/summary.ts";

export interface PrintOptions {
  readonly output: "text" | "markdown" | "json";
  readonly failOn: readonly Failure[];
  readonly attach?: string;
  readonly maxLength: number;
}

export function printReport(report: Report, { output, failOn, attach, maxLength }: PrintOptions): void {
  let problem: unknown;
  try {
    const [what, remedy] = [
      `The whole report can't be written to ${attach}.`,
      "Name a file that can be written with --attach.",
    ];
    orProblem(what, remedy, () => attach !== undefined && writeFileSync(attach, markdownOf(report)));
  } catch (error) {
    // The report is printed first.
    problem = error;
  }
  const attachment = problem === undefined && attach !== undefined ? basename(attach) : undefined;
  const text = {
    json: () => JSON.stringify(jsonOf(report), null, 2),
    markdown: () => withPages(markdownOf(report, { maxLength, attachment }).trimEnd()),
    text: () => withPages(textOf(report, process.stdout.columns)),
  };
  console.log(text[output]());
  if (problem !== undefined) {
    throw problem;
  }
  const met = metBy(report, failOn);
  if (report.failed) {
    console.error("There is no preview, or it failed: see the errors in the report.");
    process.exitCode = 1;
  } else if (met.length > 0) {
    console.error(`--fail-on found: ${met.join(", ")}.`);
    process.exitCode = 3;
  }
}

/** A report for `-o json`; see docs/run/report.md for its keys. */
export function jsonOf(report: Report) {
  return {
    report: "kubecamp",
    version: 1,
    stack: report.stack,
    failed: report.failed,
    summary: summaryOf(report),
    found: alarmsIn(report),
    errors: report.errors,
    access: report.access.map(({ member, where, who }) => ({ member: member || null, where, who })),
    takenOver: named(report.takenOver, "member", "objects"),
    replacements: report.replacements.map(objectJson),
    leaving: report.leaving.map((one) => ({ ...one, lost: one.lost ?? null })),
    buckets: report.buckets,
    joining: report.joining.map((one) => ({ ...one, quota: one.quota ?? null, url: one.url ?? null })),
    changing: report.changing.map(({ member, differences }) => ({
      member,
      differences: differences.map(differenceJson),
    })),
    routes: report.routes.map((one) => ({ ...one, from: one.from ?? null, reason: one.reason || null })),
    pending: named(report.pending, "member", "reason"),
    putBack: named(report.putBack, "object", "note"),
    shared: report.shared.map(objectJson),
    recorded: report.recorded,
    leftBehind: named(report.stranded, "member", "what"),
    offline: named(report.offline, "what", "why"),
    unchecked: named(report.unchecked, "what", "why"),
    budgets: named(report.budgets, "budget", "quotas"),
    quotas: named(report.quotas, "member", "used"),
    warnings: report.warnings,
    findings: report.findings,
  };
}

function objectJson({ object, change, differences, member }: Report["shared"][number]) {
  return { object, member: member ?? null, change, differences: differences.map(differenceJson) };
}

function differenceJson({ what, from, to, added = [], removed = [] }: ShownDifference) {
  return { what, from: from ?? null, to: to ?? null, added, removed };
}

function named<Name extends string, Text extends string>(
  all: readonly { readonly name: string; readonly text: string }[],
  name: Name,
  text: Text,
) {
  return all.map((one) => ({ [name]: one.name, [text]: one.text }) as Record<Name | Text, string>);
}

export function textOf(report: Report, width: number | undefined): string {
  const title = `Stack ${report.stack}: ${summaryOf(report)}`;
  return [...folded(title, width), ...sectionsOf(report).flatMap((section) => ["", ...sectionLines(section, width)])]
    .map(printable)
    .join("\n");
}

function sectionLines({ title, weight, intro, columns, rows }: ReportSection, width: number | undefined): string[] {
  const loud = weight === "danger" ? `!! ${title.toUpperCase()}` : title.toUpperCase();
  const body =
    columns.length === 0
      ? rows.flatMap(([line = ""]) => folded(line, width))
      : table([heading(columns), ...rows.flatMap(lines)], { width, wrapLast: true }).split("\n");
  return [loud, ...intro.flatMap((text) => folded(text, width)), ...body];
}

/** Columns that a terminal has room for. */
const room = 3;

const heading = (columns: readonly string[]): string[] =>
  [...columns.slice(0, room - 1), ...(columns.length < room ? [] : [columns.slice(room - 1).join(", ")])].map((cell) =>
    cell.toUpperCase(),
  );

/** Cells of further columns go below the last that there is room for. */
function lines(cells: readonly string[]): string[][] {
  const last = Math.min(cells.length, room) - 1;
  const below = cells.slice(last).filter((text) => text !== "");
  const texts = below.length === 0 ? [""] : below.flatMap((text) => text.split("\n"));
  return texts.map((text, at) => [...cells.slice(0, last).map((cell) => (at === 0 ? cell : "")), text]);
}
