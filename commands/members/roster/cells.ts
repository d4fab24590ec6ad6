import { type Mistake, valueText } from "../../../config/values/mistakes.ts";
import type { Row } from "./csv.ts";

/** Addresses are the same to people in capitals and in small letters. */
export const fold = (key: string): string => key.normalize("NFC").toLowerCase();

/** A spreadsheet would run a formula that comes back to it. */
const wrong = [
  [/^([=+@]|-.*[(!|])/, "looks like a formula; save the sheet with values only"],
  [/^#(N\/?[AV]|DIV\/0!|[A-Z]+[!?])$/i, "is what a spreadsheet writes where a formula fails"],
  [/^-?\d([.,]\d+)?E[-+]\d+$/i, "is a number that a spreadsheet has cut short; format the column as text"],
] as const;

/** @param columns those that are used; people are matched by the first */
export function cellMistakes(file: string, rows: readonly Row[], columns: readonly string[]): Mistake[] {
  const [matched] = columns;
  return rows.flatMap(({ line, cells }) =>
    [...new Set(columns)].flatMap((path): Mistake[] => {
      const cell = cells.get(path) ?? "";
      if (cell === "") {
        return path === matched ? [{ file, line, path, message: "is empty: nobody can be matched" }] : [];
      }
      const why = wrong.find(([what]) => what.test(cell))?.[1];
      return why === undefined ? [] : [{ file, line, path, message: `${valueText(cell)} ${why}` }];
    }),
  );
}

/** Mistakes: cells of a column that stand in an earlier line, too. */
export function sharedCells(file: string, rows: readonly Row[], path: string): Mistake[] {
  const filled = rows.filter(({ cells }) => cells.get(path) !== "");
  const byCell = Map.groupBy(filled, ({ cells }) => fold(cells.get(path) ?? ""));
  return [...byCell.values()].flatMap(([first, ...others]) =>
    others.map(({ line, cells }): Mistake => {
      const message = `${valueText(cells.get(path))} is on line ${first?.line} already; each person has one line`;
      return { file, line, path, message };
    }),
  );
}
