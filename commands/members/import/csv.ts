import { CsvError, parse } from "csv-parse/sync";
import { type Mistake, valueText } from "../../../config/values/mistakes.ts";

export interface RosterRow {
  /** Line in the file, from 1; of a row of several lines, the last. */
  readonly line: number;
  /** By column, without blanks at the ends. */
  readonly cells: ReadonlyMap<string, string>;
}

export interface Csv {
  readonly file: string;
  /** Names in the header, `columnName` of each. */
  readonly columns: readonly string[];
  readonly text: string;
  readonly rows: readonly RosterRow[];
  readonly mistakes: readonly Mistake[];
}

/** A column's name as people see it, with plain blanks and nothing unseen. */
export const columnName = (text: string): string =>
  text
    .normalize("NFC")
    .replaceAll(/\p{Cf}/gu, "")
    .replaceAll(/\s+/g, " ")
    .trim();

const delimiters = [",", ";", "\t"] as const;

/**
 * Reads a CSV file with a header. The header shows whether commas, semicolons or tabs separate cells, as spreadsheets
 * differ by country; a first line `sep=;`, as Excel writes it, says so too. Empty lines count for nothing.
 * @param text without byte order mark
 * @see https://www.rfc-editor.org/rfc/rfc4180
 */
export function readCsv(file: string, text: string): Csv {
  const [first = "", stated] = /^"?sep=([,;\t])"?\r?\n/i.exec(text) ?? [];
  const body = text.slice(first.length);
  const delimiter = stated ?? delimiterOf(body);
  const unreadable = (columns: readonly string[], message: string): Csv => ({
    ...{ file, text, columns, rows: [], mistakes: [{ file, path: "", message }] },
  });
  let records: readonly CsvRecord[];
  try {
    records = recordsIn(body, delimiter);
  } catch (error) {
    if (!(error instanceof CsvError)) {
      throw error;
    }
    const columns = cellsOf(firstLine(body), delimiter).filter((name) => name !== "");
    return unreadable(columns, `is no CSV: ${error.message}`);
  }
  const all = records.map(({ record, info }) => ({
    line: info.lines + (first === "" ? 0 : 1),
    cells: record.map((cell) => cell.normalize("NFC").trim()),
  }));
  const [header, ...others] = all.filter(({ cells }) => cells.some((cell) => cell !== ""));
  if (header === undefined) {
    return unreadable([], "has no line with the names of its columns");
  }
  const columns = header.cells.map(columnName);
  const lastLine = /[\r\n]$/.test(text) ? undefined : all.at(-1)?.line;
  const mistakes = others.flatMap(({ line, cells }) =>
    lengthMistakes(cells, columns.length, { isCut: line === lastLine }).map((message) => ({
      ...{ file, line, path: "", message },
    })),
  );
  const rows = others.map(({ line, cells }) => ({
    line,
    cells: new Map(columns.map((name, at) => [name, cells[at] ?? ""])),
  }));
  return { file, columns: columns.filter((name) => name !== ""), text, rows, mistakes };
}

/** Spreadsheets leave out empty cells at the end, or add some. @param isCut whether the file ends within the line */
function lengthMistakes(cells: readonly string[], columns: number, { isCut }: { readonly isCut: boolean }): string[] {
  const isLonger = cells.slice(columns).some((cell) => cell !== "");
  return [
    ...(isLonger
      ? [`has ${cells.length} cells, and the header ${columns}; put quotes around a cell with the separator in it`]
      : []),
    ...(isCut && cells.length < columns
      ? [
          `has ${cells.length} of ${columns} cells and no line end: the file may be cut off; if it is whole, end the line`,
        ]
      : []),
  ];
}

interface CsvRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

const recordsIn = (text: string, delimiter: string): readonly CsvRecord[] =>
  parse(text, {
    delimiter,
    info: true,
    // Otherwise the first line end is the only one, and a line with another goes on in the next.
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    skip_empty_lines: true,
  }) as unknown as readonly CsvRecord[];

const firstLine = (text: string): string => /^.*\S.*$/m.exec(text)?.[0] ?? "";

const cellsOf = (line: string, delimiter: string): string[] =>
  line.split(delimiter).map((cell) => columnName(cell.trim().replaceAll(/^"|"$/g, "")));

/** The separator that the header has most of, outside of quotes. */
function delimiterOf(text: string): string {
  const header = firstLine(text).replaceAll(/"[^"]*"/g, "");
  const counted = delimiters.map((delimiter) => ({ delimiter, count: header.split(delimiter).length }));
  return counted.reduce((a, b) => (b.count > a.count ? b : a)).delimiter;
}

/** The line below the first one that has all of these columns, from 1: a title may stand above it. */
export function headerBelow({ text }: Csv, wanted: readonly string[]): number | undefined {
  const lines = text.split(/\r\n|\n|\r/, mostTitles);
  const has = (line: string, delimiter: string) => {
    const cells = cellsOf(line, delimiter);
    return wanted.every((column) => cells.includes(column));
  };
  const at = lines.findIndex((line, index) => index > 0 && delimiters.some((delimiter) => has(line, delimiter)));
  return at === -1 ? undefined : at + 1;
}

const mostTitles = 20;

/** A value to compare people by: addresses in capitals and in small letters are the same to people. */
export const fold = (key: string): string => key.normalize("NFC").toLowerCase();

/** Spreadsheets run a formula that comes back to them. */
const wrongCells = [
  [/^([=+@]|-.*[(!|])/, "looks like a formula; save the sheet with values only"],
  [/^#(N\/?[AV]|DIV\/0!|[A-Z]+[!?])$/i, "is what a spreadsheet writes where a formula fails"],
  [/^-?\d([.,]\d+)?E[-+]\d+$/i, "is a number that a spreadsheet has cut short; format the column as text"],
] as const;

/** @param columns those that are used; people are matched by the first */
export function cellMistakes({ file, rows }: Csv, columns: readonly string[]): Mistake[] {
  const [matched] = columns;
  return rows.flatMap(({ line, cells }) =>
    [...new Set(columns)].flatMap((path): Mistake[] => {
      const cell = cells.get(path) ?? "";
      if (cell === "") {
        return path === matched ? [{ file, line, path, message: "is empty: nobody can be matched" }] : [];
      }
      const why = wrongCells.find(([form]) => form.test(cell))?.[1];
      return why === undefined ? [] : [{ file, line, path, message: `${valueText(cell)} ${why}` }];
    }),
  );
}

export function sharedCells({ file, rows }: Csv, path: string): Mistake[] {
  const filled = rows.filter(({ cells }) => cells.get(path) !== "");
  const byCell = Map.groupBy(filled, ({ cells }) => fold(cells.get(path) ?? ""));
  return [...byCell.values()].flatMap(([first, ...others]) =>
    others.map(({ line, cells }): Mistake => {
      const message = `${valueText(cells.get(path))} is on line ${first?.line} already; each person has one line`;
      return { file, line, path, message };
    }),
  );
}
