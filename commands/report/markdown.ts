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
  const title = `### kubecamp: ${report.stack === undefined ? "preview" : `stack ${escaped(report.stack)}`}`;
  const head = [markerOf(report.stack), title, "", `**${escaped(summaryOf(report))}**`];
  const bounded = Number.isFinite(maxLength);
  const parts = sectionsOf(report).map((section) => ({
    section,
    rows: rowsOf(section, bounded ? longestRow : undefined),
  }));
  const whole = (taken: readonly number[]) =>
    [
      ...head,
      ...leftOutText(parts, taken, attachment),
      ...parts.flatMap(({ section, rows }, at) => ["", ...rendered(section, rows.slice(0, taken[at]), rows.length)]),
      "",
    ].join("\n");
  const lengths = parts.map(({ section, rows }) => rows.map((each) => each.length + 1 + prefixOf(section).length));
  const room = maxLength - whole(parts.map(() => 0)).length;
  return whole(
    fill(
      lengths,
      room,
      parts.map(({ section }) => section.weight === "danger"),
    ),
  );
}

function rowsOf({ columns, rows }: Section, longest = Number.POSITIVE_INFINITY): string[] {
  return rows.map((cells) => {
    const most = Math.floor(longest / cells.length);
    const short = cells.map((text) => (text.length > most ? `${text.slice(0, most)}…` : text));
    return columns.length === 0 ? (short[0] ?? "") : row(short);
  });
}

const prefixOf = ({ weight }: Pick<Section, "weight">) => (weight === "danger" || weight === "warning" ? "> " : "");

/** Alerts for what matters most, a fold for what is merely more. */
function rendered(section: Section, rows: readonly string[], total: number): string[] {
  const { title, weight, intro, columns } = section;
  const missing =
    rows.length < total
      ? ["", `*${total - rows.length} of ${total} ${columns.length === 0 ? "lines" : "rows"} are left out here.*`]
      : [];
  const words = intro.map(escaped);
  const fence = fenceFor(rows);
  const shown =
    rows.length === 0 ? [] : columns.length === 0 ? [`${fence}text`, ...rows, fence] : [...headings(columns), ...rows];
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
