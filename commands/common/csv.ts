/** Cells of a row by column. `null` is an empty cell. */
export type Cells = Readonly<Record<string, string | number | boolean | null>>;

/**
 * A CSV file (RFC 4180) with a header, for a spreadsheet. Rows may lack columns of other rows. The end of the last line is
 * that which `console.log` adds.
 */
export function csvText(rows: readonly Cells[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? null))];
  return `${lines.map((cells) => cells.map(cellText).join(",")).join("\r\n")}\r`;
}

/**
 * A spreadsheet would run a text as a formula that begins like one.
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
function cellText(value: Cells[string]): string {
  const text = typeof value === "string" && /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : String(value ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
