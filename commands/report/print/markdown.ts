import { counted } from "../../../config/values/sentences.ts";
import type { Report } from "../build.ts";
import { type ReportSection, sectionsOf } from "./sections.ts";
import { summaryOf } from "./summary.ts";

interface Bounds {
  /** Characters as JavaScript counts them, which are never fewer than GitHub's count. Default: no limit. */
  readonly maxLength?: number | undefined;
  readonly attachment?: string | undefined;
}

/** A workflow finds its stack's comment by this marker. No character of the name can end an HTML comment. */
const markerOf = (stack: string) => `<!-- kubecamp report: ${stack.replace(/[^\w.-]/g, "")} -->`;

/** Longer rows of a table are cut in a comment, except those on access. */
const longestRow = 1_000;

/**
 * A comment for a pull request.
 * @see
 * https://docs.github.com/get-started/writing-on-github/getting-started-with-writing-and-formatting-on-github/basic-writing-and-formatting-syntax#alerts
 */
export function markdownOf(report: Report, { maxLength = Number.POSITIVE_INFINITY, attachment }: Bounds = {}): string {
  const rest =
    attachment === undefined ? "'--attach FILE' writes them all into a file" : `all of them are in ${attachment}`;
  const sections = sectionsOf(report);
  const write = (parts: readonly Part[]) => written(report, parts, escaped(rest));
  const whole = write(sections.map((section) => partOf(section)));
  return whole.length <= maxLength ? whole : shortened(sections, maxLength, write);
}

/** A section with its rows as lines, of which so many are taken, and so many cells are cut. */
type Part = ReturnType<typeof partOf>;

function partOf(section: ReportSection, most = Number.POSITIVE_INFINITY) {
  const isCut = (text: string) => text.length > most;
  const short = (text: string) =>
    isCut(text) ? `${text.slice(0, most)}… (${counted(text.length - most, "more character")})` : text;
  const rows = section.rows.map((cells) =>
    section.columns.length === 0 ? short(cells[0] ?? "") : row(cells.map(short)),
  );
  return { section, rows, taken: rows.length, cut: section.rows.flat().filter(isCut).length };
}

/** Leaves out rows, the same number of each long table, until the rest fits. */
function shortened(sections: readonly ReportSection[], maxLength: number, write: (parts: readonly Part[]) => string) {
  const parts = sections.map((section) =>
    section.weight === "access"
      ? partOf(section)
      : partOf(section, Math.floor(longestRow / (section.columns.length || 1))),
  );
  const longest = Math.max(...parts.map(({ rows }) => rows.length));
  let [access, others] = [longest, longest];
  for (;;) {
    const most = ({ weight }: ReportSection) => (weight === "access" ? access : others);
    const text = write(parts.map((part) => ({ ...part, taken: Math.min(part.rows.length, most(part.section)) })));
    if (text.length <= maxLength || access === 0) {
      return text;
    }
    // Rows on access are left out last.
    [access, others] = others > 0 ? [access, Math.floor(others / 2)] : [Math.floor(access / 2), 0];
  }
}

function written(report: Report, parts: readonly Part[], rest: string): string {
  const total = parts.reduce((sum, { rows }) => sum + rows.length, 0);
  const left = total - parts.reduce((sum, { taken }) => sum + taken, 0);
  const cut = parts.reduce((sum, part) => sum + part.cut, 0);
  return [
    markerOf(report.stack),
    `### kubecamp: stack ${escaped(report.stack)}`,
    "",
    `**${escaped(summaryOf(report))}**`,
    ...(left === 0 ? [] : ["", `*${left} of ${total} rows have no room in a comment: ${rest}.*`]),
    ...(cut === 0 ? [] : ["", `*${counted(cut, "cell")} too long for a comment, and cut where it says '…': ${rest}.*`]),
    ...parts.flatMap((part) => ["", ...rendered(part)]),
    "",
  ].join("\n");
}

/** Alerts for the most important parts, a fold for details. */
function rendered({ section, rows: all, taken }: Part): string[] {
  const { title, weight, intro, columns } = section;
  const rows = all.slice(0, taken);
  const total = all.length;
  const note = `*${total - taken} of ${total} ${columns.length === 0 ? "lines" : "rows"} are left out here.*`;
  const unread = weight === "access" ? " **Read them before you approve this.**" : "";
  const missing = taken < total ? ["", `${note}${unread}`] : [];
  const words = intro.map(escaped);
  const listed = columns.length === 0 ? fenced(rows, fenceFor(all)) : [...headings(columns), ...rows];
  const body = [...(rows.length > 0 ? ["", ...listed] : []), ...missing];
  const below = [...(words.length > 0 ? ["", ...words] : []), ...body];
  switch (weight) {
    case "access":
    case "warning": {
      const alert = weight === "access" ? "[!IMPORTANT]" : "[!WARNING]";
      return quoted([alert, `**${escaped(title)}.** ${words.join(" ")}`, ...body]);
    }
    case "danger": {
      const [heading, more] = [[escaped(title), ...words.slice(0, 1)].join(": "), words.slice(1).join(" ")];
      return quoted(["[!CAUTION]", `**${heading}** ${more}`.trimEnd(), ...body]);
    }
    case "plain":
      return [`#### ${escaped(title)} (${total})`, ...below];
    case "more": {
      const count = columns.length === 0 ? "" : ` (${total})`;
      return [`<details><summary>${escaped(title)}${count}</summary>`, ...below, "", "</details>"];
    }
  }
}

const fenced = (rows: readonly string[], fence: string) => [`${fence}text`, ...rows, fence];

const quoted = (lines: readonly string[]) => lines.map((line) => (line === "" ? ">" : `> ${line}`));

/**
 * Escapes text for GitHub's Markdown. A mention or a reference would notify people or link to something unrelated: a
 * zero-width space after its sign prevents that.
 * @see https://github.github.com/gfm/#backslash-escapes
 */
export function escaped(text: string): string {
  return (
    text
      .replace(/[\\`*_{}[\]<>~$&]/g, "\\$&")
      .replace(/(?<!\w)[@＠](?=\w)|#(?=\w)|\bGH-(?=\d)/gi, "$&&#8203;")
      // A backslash has another meaning in tables than in text.
      .replaceAll("|", "&#124;")
      // An address in a name that a member has chosen, such as a PersistentVolumeClaim's, must not become a link.
      .replace(/\bwww(?=\.)/gi, "$&&#8203;")
      .replace(/\r\n?|\n/g, "<br>")
  );
}

/** Matches an address made of plain URL characters only, which becomes a link. */
const address = /(?<!\S)(https:\/\/[-\w.]+(?:\/[-\w./]*)?)(?!\S)/;

export function cell(text: string): string {
  return text
    .split(address)
    .map((part, at) => (at % 2 === 1 ? `<${part}>` : escaped(part)))
    .join("");
}

const row = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;

const headings = (columns: readonly string[]) => [
  `| ${columns.join(" | ")} |`,
  `|${columns.map(() => "---").join("|")}|`,
];

export function fenceFor(lines: readonly string[]): string {
  const runs = lines.flatMap((line) => [...line.matchAll(/`+/g)].map(([run]) => run.length));
  const longest = runs.reduce((most, each) => Math.max(most, each), 0);
  return "`".repeat(Math.max(3, longest + 1));
}
