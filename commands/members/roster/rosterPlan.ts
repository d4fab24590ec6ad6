import { isDeepStrictEqual } from "node:util";
import { type Mistake, valueAt, valueText } from "../../../config/sources/mistakes.ts";
import { type Assignment, assigned, typedValue } from "../edit/assignments.ts";
import type { Entry, ListEdit } from "../edit/listEdits.ts";
import type { Csv, Row } from "./csv.ts";
import { type Leavers, leaversOf, type Missing } from "./leavers.ts";
import { newNames, usualName } from "./names.ts";

/** How a roster becomes entries. */
export interface RosterRules {
  /** The key of entries that a column identifies people by. */
  readonly match: ColumnOf;
  /** Columns that new names are made of; none for the matched one, up to the `@` of an address. */
  readonly name: readonly string[];
  /** Keys with the values of columns. */
  readonly take: readonly ColumnOf[];
  /** Values for everybody of the roster. */
  readonly set: readonly Assignment[];
  /** Values for those who have none. */
  readonly defaults: readonly Assignment[];
  readonly leavers: Leavers;
  /** Whether a run would take over the namespace of a new member's name. Default: no. */
  readonly adopts?: boolean;
  /** The day in UTC, as `2026-12-31`. */
  readonly today: string;
}

export interface ColumnOf {
  readonly path: readonly string[];
  readonly column: string;
}

/** A person of the roster, with their entry as it is to be. */
export interface Person {
  readonly line: number;
  /** The matched column's cell. */
  readonly key: string;
  readonly before: Entry | undefined;
  readonly after: Entry;
}

export interface RosterPlan {
  readonly people: readonly Person[];
  readonly missing: Missing;
  readonly edit: ListEdit;
  /** If there are any, the rest is not to be used. */
  readonly mistakes: readonly Mistake[];
}

/**
 * Changes to a list by a roster. People who are in the list are found by the matched key, whatever their member's name.
 * @param file the roster's name, for mistakes
 * @param isReserved whether the cluster uses a name itself
 */
export function rosterPlan(
  file: string,
  { rows }: Csv,
  entries: readonly Entry[],
  rules: RosterRules,
  isReserved: (name: string) => boolean,
): RosterPlan {
  const { match } = rules;
  const isName = match.path.join() === "member";
  const subjects = rules.take.find(({ path }) => path.join() === "subject")?.column;
  const keyOf = (row: Row) => row.cells.get(match.column) ?? "";
  const mistakes: Mistake[] = [...cellMistakes(file, rows, rules), ...sharedKeys(file, rows, rules)];
  const report = (row: Row, message: string, path = match.column) =>
    mistakes.push({ file, line: row.line, path, message });
  const known = Map.groupBy(
    entries.flatMap((entry) => keysIn(entry, match.path).map((key) => ({ key, entry }))),
    ({ key }) => key,
  );
  const found = rows.map((row) => {
    const all = (known.get(fold(keyOf(row))) ?? []).map(({ entry }) => entry);
    if (all.length > 1 && keyOf(row) !== "") {
      const names = all.map((entry) => String(entry.member)).join(", ");
      report(row, `${valueText(keyOf(row))} is the ${match.path.join(".")} of several members: ${names}`);
    }
    return all[0];
  });
  const names = new Set(entries.map(({ member }) => member));
  const newcomers = rows.filter((_, at) => found[at] === undefined);
  const made = newNames(
    newcomers.map((row) => ({ key: keyOf(row), text: nameText(row, rules) })),
    (name) => names.has(name),
    isReserved,
  );
  const nameOf = new Map(newcomers.map((row, at) => [row, made[at]]));
  const people = rows.map((row, at): Person => {
    const before = found[at];
    if (before !== undefined) {
      return { line: row.line, key: keyOf(row), before, after: entryOf(row, before, rules) };
    }
    const member = nameOf.get(row);
    // Without a subject, members sign in by name: then it has to be the roster's word, and not one that was made of it.
    const signsInByName = isName && member === keyOf(row);
    const key = signsInByName ? [] : [{ path: isName ? ["subject"] : match.path, value: keyOf(row) }];
    const start = assigned({ member }, [...(isName && subjects !== undefined ? [] : key), ...adoption(rules)]);
    const after = entryOf(row, start, rules);
    if (after.subject === undefined && (!signsInByName || subjects !== undefined)) {
      const why = subjects === undefined ? "is of somebody new without a subject" : "is empty";
      const wayOut = subjects === undefined ? "; add --take subject=COLUMN" : "";
      report(row, `${why}, so that it is not known as whom '${member}' signs in${wayOut}`, subjects);
    }
    const usual = isName ? usualName(nameText(row, rules), keyOf(row), isReserved) : undefined;
    if (entries.some((entry) => entry.member === usual && entry.subject === undefined)) {
      const whose = `${valueText(keyOf(row))} may be '${usual}', who has no subject and signs in as '${usual}'`;
      report(row, `${whose}: set the subject of that member, then import again`);
    }
    return { line: row.line, key: keyOf(row), before, after };
  });
  const missing = leaversOf(entries, new Set(found), rules);
  const changed = [
    ...people.flatMap(({ before, after }) => (before === undefined ? [] : [{ before, after }])),
    ...missing.changes,
  ].filter(({ before, after }) => !isDeepStrictEqual(before, after));
  return {
    people,
    missing,
    mistakes: mistakes.sort((a, b) => (a.line ?? 0) - (b.line ?? 0)),
    edit: {
      changed: new Map(changed.map(({ after }) => [String(after.member), after])),
      added: people.flatMap(({ before, after }) => (before === undefined ? [after] : [])),
    },
  };
}

/** What new members have so that no run takes over a namespace: a name in a roster is nobody's word that it is theirs. */
export const adoption = ({ adopts = false, set, take, defaults }: RosterRules): Assignment[] =>
  adopts && ![...set, ...take, ...defaults].some(({ path }) => path.join() === "adopt")
    ? [{ path: ["adopt"], value: false }]
    : [];

/** Addresses are the same to people in capitals and in small letters. */
const fold = (key: string) => key.normalize("NFC").toLowerCase();

/** What a roster may call a member by: the value of a key. People sign in by their subject, or else by their name. */
function keysIn(entry: Entry, path: readonly string[]): string[] {
  const { member, subject = member } = entry;
  const keys = { member: [member, subject], subject: [subject] }[path.join()] ?? [valueAt(entry, path) ?? ""];
  return [...new Set(keys.map((key) => fold(String(key))))];
}

function entryOf(row: Row, start: Entry, { take, set, defaults, today }: RosterRules): Entry {
  const taken = take.flatMap(({ path, column }) => {
    const cell = row.cells.get(column) ?? "";
    return cell === "" ? [] : [{ path, value: typedValue(path, cell, today) }];
  });
  const withColumns = assigned(start, taken);
  const lacking = defaults.filter(({ path }) => valueAt(withColumns, path) === undefined);
  return assigned(assigned(withColumns, lacking), set);
}

function nameText(row: Row, { match, name }: RosterRules): string {
  const text = name
    .map((column) => row.cells.get(column) ?? "")
    .join(" ")
    .trim();
  const key = row.cells.get(match.column) ?? "";
  return text === "" ? withoutDomain(key) : text;
}

/** The part of an address before the `@`; other texts stay whole. */
const withoutDomain = (key: string) => key.replace(/(?<=.)@.*$/, "");

/** Mistakes in cells that are used: empty ones, cut numbers, and formulas. A spreadsheet would run a formula that comes back to it. */
function cellMistakes(file: string, rows: readonly Row[], { match, name, take }: RosterRules): Mistake[] {
  const used = new Set([match.column, ...name, ...take.map(({ column }) => column)]);
  return rows.flatMap(({ line, cells }) =>
    [...used].flatMap((column): Mistake[] => {
      const cell = cells.get(column) ?? "";
      const message =
        cell === "" && column === match.column
          ? "is empty: nobody can be matched"
          : /^([=+@]|-.*[(!|])/.test(cell)
            ? `${valueText(cell)} looks like a formula; save the sheet with values only`
            : /^#(N\/?[AV]|DIV\/0!|[A-Z]+[!?])$/i.test(cell)
              ? `${valueText(cell)} is what a spreadsheet writes where a formula fails`
              : /^-?\d([.,]\d+)?E[-+]\d+$/i.test(cell)
                ? `${valueText(cell)} is a number that a spreadsheet has cut short; format the column as text`
                : undefined;
      return message === undefined ? [] : [{ file, line, path: column, message }];
    }),
  );
}

function sharedKeys(file: string, rows: readonly Row[], { match: { column } }: RosterRules): Mistake[] {
  const byKey = Map.groupBy(
    rows.filter(({ cells }) => cells.get(column) !== ""),
    ({ cells }) => fold(cells.get(column) ?? ""),
  );
  return [...byKey.values()].flatMap(([first, ...others]) =>
    others.map(({ line, cells }): Mistake => {
      const message = `${valueText(cells.get(column))} is on line ${first?.line} already; each person has one line`;
      return { file, line, path: column, message };
    }),
  );
}
