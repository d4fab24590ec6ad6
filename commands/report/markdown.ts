import { fill } from "./bounded.ts";
import { escaped, fenceFor, headings, row } from "./markdownText.ts";
import type { Report } from "./model.ts";
import { type Section, sectionsOf } from "./sections.ts";
import { summaryOf } from "./summary.ts";

/** How much a comment may hold, and where the rest is. */
export interface Bounds {
  /** Characters as JavaScript counts them, which are never fewer than GitHub counts. Default: no limit. */
  readonly maxLength?: number | undefined;
  /** The file that has the whole report; undefined where nobody has asked for one. */
  readonly attachment?: string | undefined;
}

/** By which a workflow finds the comment of its stack again. A stack's name has nothing in it that would end a comment. */
export const markerOf = (stack: string | undefined) =>
  `<!-- kubecamp report: ${(stack ?? "").replace(/[^\w.-]/g, "")} -->`;

/** A line of a table that is longer is cut in a comment. */
const longestRow = 1_000;

/**
 * A comment for a pull request.
 * @see https://docs.github.com/get-started/writing-on-github/getting-started-with-writing-and-formatting-on-github/basic-writing-and-formatting-syntax#alerts
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
}

function shortened(report: Report, sections: readonly Section[], maxLength: number, attachment: string | undefined) {
  const parts = sections.map((section) => ({ section, rows: rowsOf(section, longestRow) }));
  const bare = written(
    report,
    parts,
    parts.map(() => 0),
    attachment,
  );
  const taken = fill(
    parts.map(lengthsOf),
    maxLength - bare.length,
    sections.map(({ weight }) => weight === "danger"),
  );
  return written(report, parts, taken, attachment);
}

/** @param taken how many rows of each part */
function written(
  report: Report,
  parts: readonly Part[],
  taken: readonly number[],
  attachment: string | undefined,
): string {
  return [
    markerOf(report.stack),
    `### kubecamp: ${report.stack === undefined ? "preview" : `stack ${escaped(report.stack)}`}`,
    "",
    `**${escaped(summaryOf(report))}**`,
    ...leftOutText(parts, taken, attachment),
    ...parts.flatMap(({ section, rows }, at) => ["", ...rendered(section, rows.slice(0, taken[at]), rows)]),
    "",
  ].join("\n");
}

function rowsOf({ columns, rows }: Section, longest = Number.POSITIVE_INFINITY): string[] {
  return rows.map((cells) => {
    const most = Math.floor(longest / cells.length);
    const short = cells.map((text) => (text.length > most ? `${text.slice(0, most)}…` : text));
    return columns.length === 0 ? (short[0] ?? "") : row(short);
  });
}

/** The first row brings the head of its table along. */
function lengthsOf({ section, rows }: Part): number[] {
  const [one, none] = [1, 0].map((taken) => rendered(section, rows.slice(0, taken), rows).join("\n").length);
  return rows.map((each, at) => (at === 0 ? (one ?? 0) - (none ?? 0) : each.length + 1 + prefixOf(section).length));
}

const prefixOf = ({ weight }: Pick<Section, "weight">) => (weight === "danger" || weight === "warning" ? "> " : "");

/** Alerts for what matters most, a fold for what is merely more. */
function rendered(section: Section, rows: readonly string[], all: readonly string[]): string[] {
  const { title, weight, intro, columns } = section;
  const total = all.length;
  const missing =
    rows.length < total
      ? ["", `*${total - rows.length} of ${total} ${columns.length === 0 ? "lines" : "rows"} are left out here.*`]
      : [];
  const words = intro.map(escaped);
  const listed = columns.length === 0 ? fenced(rows, fenceFor(all)) : [...headings(columns), ...rows];
  const shown = rows.length === 0 ? [] : listed;
  const body = [...(shown.length > 0 ? ["", ...shown] : []), ...missing];
  switch (weight) {
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
  const left = total - taken.reduce((sum, each) => sum + each, 0);
  if (left === 0) {
    return [];
  }
  const where =
    attachment === undefined ? "'--attach FILE' writes them all into a file" : `all of them are in ${attachment}`;
  return ["", `*${left} of ${total} rows have no room in a comment: ${escaped(where)}.*`];
}
