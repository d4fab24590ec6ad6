import { counted } from "../../../config/values/sentences.ts";
import type { Report } from "../model.ts";
import { escaped, fenceFor, headings, row } from "./markdownText.ts";
import { type Section, sectionsOf } from "./sections.ts";
import { summaryOf } from "./summary.ts";

/** Limit of a comment, and the file with the whole report. */
interface Bounds {
  /** Characters as JavaScript counts them, which are never fewer than GitHub's count. Default: no limit. */
  readonly maxLength?: number | undefined;
  /** File with the whole report; undefined if none was requested. */
  readonly attachment?: string | undefined;
}

/**
 * A workflow finds its stack's comment by this marker. The name keeps only characters that can't end an HTML comment.
 */
const markerOf = (stack: string) => `<!-- kubecamp report: ${stack.replace(/[^\w.-]/g, "")} -->`;

/** Longer rows of a table are cut in a comment, except those on access. */
const longestRow = 1_000;

/**
 * A comment for a pull request.
 * @see
 * https://docs.github.com/get-started/writing-on-github/getting-started-with-writing-and-formatting-on-github/basic-writing-and-formatting-syntax#alerts
 */
export function markdownOf(report: Report, { maxLength = Number.POSITIVE_INFINITY, attachment }: Bounds = {}): string {
  const sections = sectionsOf(report);
  const all = sections.map((section) => ({ section, rows: rowsOf(section) }));
  const text = written(
    report,
    all,
    all.map(({ rows }) => rows.length),
    attachment,
  );
  return text.length <= maxLength ? text : shortened(report, sections, maxLength, attachment);
}

interface Part {
  readonly section: Section;
  readonly rows: readonly string[];
  /** Number of cells that are cut. Default: none. */
  readonly cut?: number;
}

/** Leaves out rows, the same number of each long table, until the rest fits. */
function shortened(report: Report, sections: readonly Section[], maxLength: number, attachment: string | undefined) {
  const parts = sections.map((section) => {
    const most = section.weight === "access" ? Number.POSITIVE_INFINITY : longestRow / (section.columns.length || 1);
    const isCut = (text: string) => text.length > most;
    return { section, rows: rowsOf(section, Math.floor(most)), cut: section.rows.flat().filter(isCut).length };
  });
  const longest = Math.max(...parts.map(({ rows }) => rows.length));
  let [access, others] = [longest, longest];
  for (;;) {
    const most = ({ weight }: Section) => (weight === "access" ? access : others);
    const taken = parts.map(({ section, rows }) => Math.min(rows.length, most(section)));
    const text = written(report, parts, taken, attachment);
    if (text.length <= maxLength || access === 0) {
      return text;
    }
    // Who gets access is left out last.
    [access, others] = others > 0 ? [access, Math.floor(others / 2)] : [Math.floor(access / 2), 0];
  }
}

/** @param taken number of rows of each part */
function written(
  report: Report,
  parts: readonly Part[],
  taken: readonly number[],
  attachment: string | undefined,
): string {
  return [
    markerOf(report.stack),
    `### kubecamp: stack ${escaped(report.stack)}`,
    "",
    `**${escaped(summaryOf(report))}**`,
    ...leftOutText(parts, taken, attachment),
    ...cutText(parts, attachment),
    ...parts.flatMap(({ section, rows }, at) => ["", ...rendered(section, rows.slice(0, taken[at]), rows)]),
    "",
  ].join("\n");
}

/** @param most characters in a cell */
function rowsOf({ columns, rows }: Section, most = Number.POSITIVE_INFINITY): string[] {
  const short = (text: string) =>
    text.length > most ? `${text.slice(0, most)}… (${counted(text.length - most, "more character")})` : text;
  return rows.map((cells) => (columns.length === 0 ? short(cells[0] ?? "") : row(cells.map(short))));
}

/** Alerts for the most important parts, a fold for details. */
function rendered(section: Section, rows: readonly string[], all: readonly string[]): string[] {
  const { title, weight, intro, columns } = section;
  const total = all.length;
  const note = `*${total - rows.length} of ${total} ${columns.length === 0 ? "lines" : "rows"} are left out here.*`;
  const unread = weight === "access" ? " **Read them before you approve this.**" : "";
  const missing = rows.length < total ? ["", `${note}${unread}`] : [];
  const words = intro.map(escaped);
  const listed = columns.length === 0 ? fenced(rows, fenceFor(all)) : [...headings(columns), ...rows];
  const shown = rows.length === 0 ? [] : listed;
  const body = [...(shown.length > 0 ? ["", ...shown] : []), ...missing];
  switch (weight) {
    case "access":
      return quoted(["[!IMPORTANT]", `**${escaped(title)}.** ${words.join(" ")}`, ...body]);
    case "danger":
      return quoted([
        "[!CAUTION]",
        `**${[escaped(title), ...words.slice(0, 1)].join(": ")}** ${words.slice(1).join(" ")}`.trimEnd(),
        ...body,
      ]);
    case "warning":
      return quoted(["[!WARNING]", `**${escaped(title)}.** ${words.join(" ")}`, ...body]);
    case "plain":
      return [`#### ${escaped(title)} (${total})`, ...(words.length > 0 ? ["", ...words] : []), ...body];
    case "more":
      return [
        `<details><summary>${escaped(title)}${columns.length === 0 ? "" : ` (${total})`}</summary>`,
        ...(words.length > 0 ? ["", ...words] : []),
        ...body,
        "",
        "</details>",
      ];
  }
}

const fenced = (rows: readonly string[], fence: string) => [`${fence}text`, ...rows, fence];

const quoted = (lines: readonly string[]) => lines.map((line) => (line === "" ? ">" : `> ${line}`));

function leftOutText(
  parts: readonly { readonly rows: readonly string[] }[],
  taken: readonly number[],
  attachment: string | undefined,
): string[] {
  const total = parts.reduce((sum, { rows }) => sum + rows.length, 0);
  const omitted = total - taken.reduce((sum, each) => sum + each, 0);
  if (omitted === 0) {
    return [];
  }
  return ["", `*${omitted} of ${total} rows have no room in a comment: ${escaped(whereIn(attachment))}.*`];
}

function cutText(parts: readonly Part[], attachment: string | undefined): string[] {
  const count = parts.reduce((sum, { cut = 0 }) => sum + cut, 0);
  return count === 0
    ? []
    : [
        "",
        `*${counted(count, "cell")} too long for a comment, and cut where it says '…': ${escaped(whereIn(attachment))}.*`,
      ];
}

const whereIn = (attachment: string | undefined) =>
  attachment === undefined ? "'--attach FILE' writes them all into a file" : `all of them are in ${attachment}`;
