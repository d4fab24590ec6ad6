import { CsvError, parse } from "csv-parse/sync";
import type { Mistake } from "../../../config/sources/mistakes.ts";

/** A line of a roster after its header. */
export interface Row {
  /** Line in the file, from 1; of a row of several lines, the last. */
  readonly line: number;
  /** By column, without blanks at the ends. */
  readonly cells: ReadonlyMap<string, string>;
}

export interface Csv {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  readonly mistakes: readonly Mistake[];
}

const delimiters = [",", ";", "\t"] as const;

/**
 * Reads a CSV file with a header. The header shows whether commas, semicolons or tabs separate cells, as spreadsheets
 * differ by country; a first line `sep=;`, as Excel writes it, says so too. Empty lines count for nothing.
 * @param file name of the file, for mistakes
 * @param text without byte order mark
 * @see https://www.rfc-editor.org/rfc/rfc4180
 */
export function readCsv(file: string, text: string): Csv {
  const [first = "", stated] = /^"?sep=([,;\t])"?\r?\n/i.exec(text) ?? [];
  const body = text.slice(first.length);
  const before = first === "" ? 0 : 1;
  let records: readonly Record[];
  try {
    records = recordsIn(body, stated ?? delimiterOf(body));
  } catch (error) {
    if (!(error instanceof CsvError)) {
      throw error;
    }
    return { columns: [], rows: [], mistakes: [{ file, path: "", message: `is no CSV: ${error.message}` }] };
  }
  const [header, ...others] = records.map(({ record, info }) => ({
    line: info.lines + before,
    cells: record.map((cell) => cell.normalize("NFC").trim()),
  }));
  if (header === undefined || header.cells.every((cell) => cell === "")) {
    return {
      columns: [],
      rows: [],
      mistakes: [{ file, path: "", message: "has no line with the names of its columns" }],
    };
  }
  const columns = header.cells;
  const mistakes: Mistake[] = [...twice(columns)].map(([name, places]) => ({
    file,
    line: header.line,
    path: "",
    message: `has several columns '${name}' (${places.join(", ")}); give each a name of its own`,
  }));
  const rows: Row[] = [];
  const lastLine = others.at(-1)?.line;
  for (const { line, cells } of others.filter(({ cells }) => cells.some((cell) => cell !== ""))) {
    // Spreadsheets leave out empty cells at the end, or add some.
    if (cells.slice(columns.length).some((cell) => cell !== "")) {
      const message = `has ${cells.length} cells, and the header ${columns.length}; put quotes around a cell with the separator in it`;
      mistakes.push({ file, line, path: "", message });
    }
    if (cells.length < columns.length && line === lastLine && !/[\r\n]$/.test(text)) {
      const message = `has ${cells.length} of ${columns.length} cells and no line end: the file may be cut off; if it is whole, end the line`;
      mistakes.push({ file, line, path: "", message });
    }
    rows.push({ line, cells: new Map(columns.map((name, at) => [name, cells[at] ?? ""])) });
  }
  return { columns: columns.filter((name) => name !== ""), rows, mistakes };
}

interface Record {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

const recordsIn = (text: string, delimiter: string): readonly Record[] =>
  parse(text, {
    delimiter,
    info: true,
    // Otherwise the first line end is the only one, and a line with another goes on in the next.
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    skip_empty_lines: true,
  }) as unknown as readonly Record[];

/** The separator that the header has most of, outside of quotes. */
function delimiterOf(text: string): string {
  const header = /^.*\S.*$/m.exec(text)?.[0].replaceAll(/"[^"]*"/g, "") ?? "";
  const counted = delimiters.map((delimiter) => ({ delimiter, count: header.split(delimiter).length }));
  return counted.reduce((a, b) => (b.count > a.count ? b : a)).delimiter;
}

/** Places of names that columns share, from 1. */
function twice(columns: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [at, name] of columns.entries()) {
    places.set(name, [...(places.get(name) ?? []), at + 1]);
  }
  return new Map([...places].filter(([name, at]) => name !== "" && at.length > 1));
}
