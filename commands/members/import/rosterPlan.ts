import { isDeepStrictEqual } from "node:util";
import { type Mistake, valueAt, valueText } from "../../../config/values/mistakes.ts";
import { type Assignment, assigned, typedValue } from "../edit/assignments.ts";
import type { Entry, ListEdit } from "../edit/splices.ts";
import { type Csv, cellMistakes, fold, type Row, sharedCells } from "./csv.ts";
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
  const keyOf = (row: Row) => row.cells.get(match.column) ?? "";
  const used = [match.column, ...rules.name, ...rules.take.map(({ column }) => column)];
  const mistakes = [...cellMistakes(file, rows, used), ...sharedCells(file, rows, match.column)];
  const unknownSubject = subjectMistakes(entries, rules, isReserved);
  const known = Map.groupBy(
    entries.flatMap((entry) => keysIn(entry, match.path).map((key) => ({ key, entry }))),
    ({ key }) => key,
  );
  const found = rows.map((row) => {
    const all = (known.get(fold(keyOf(row))) ?? []).map(({ entry }) => entry);
    if (all.length > 1 && keyOf(row) !== "") {
      const names = all.map((entry) => String(entry.member)).join(", ");
      const message = `${valueText(keyOf(row))} is the ${match.path.join(".")} of several members: ${names}`;
      mistakes.push({ file, line: row.line, path: match.column, message });
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
    const after = entryOf(row, before ?? newEntry(row, nameOf.get(row) ?? "", rules), rules);
    if (before === undefined) {
      mistakes.push(...unknownSubject(row, after).map((mistake) => ({ file, line: row.line, ...mistake })));
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

/** What a roster may call a member by: the value of a key. People sign in by their subject, or else by their name. */
function keysIn(entry: Entry, path: readonly string[]): string[] {
  const { member, subject = member } = entry;
  const keys = { member: [member, subject], subject: [subject] }[path.join()] ?? [valueAt(entry, path) ?? ""];
  return [...new Set(keys.map((key) => fold(String(key))))];
}

/** Whether names are matched, and the column that subjects are taken from. */
const signInOf = ({ match, take }: RosterRules) => ({
  isName: match.path.join() === "member",
  subjects: take.find(({ path }) => path.join() === "subject")?.column,
});

/** A new member's entry without what the options add. Whose name is not the login itself has that as subject. */
function newEntry({ cells }: Row, member: string, rules: RosterRules): Entry {
  const key = cells.get(rules.match.column) ?? "";
  const { isName, subjects } = signInOf(rules);
  const isAlone = isName && (member === key || subjects !== undefined);
  const path = isName ? ["subject"] : rules.match.path;
  return assigned({ member }, [...(isAlone ? [] : [{ path, value: key }]), ...adoption(rules)]);
}

/** Mistakes of new members of whom it is not known as whom they sign in: without a subject, it is by name. */
function subjectMistakes(entries: readonly Entry[], rules: RosterRules, isReserved: (name: string) => boolean) {
  const { isName, subjects } = signInOf(rules);
  const { column } = rules.match;
  const taken = new Set(entries.flatMap(({ member, subject }) => (subject === undefined ? [member] : [])));
  return (row: Row, { member, subject }: Entry): Pick<Mistake, "path" | "message">[] => {
    const key = row.cells.get(column) ?? "";
    const usual = usualName(nameText(row, rules), key, isReserved);
    const isUnknown = subject === undefined && (subjects !== undefined || !isName);
    const why = subjects === undefined ? "is of somebody new without a subject" : "is empty";
    const wayOut = subjects === undefined ? "; add --take subject=COLUMN" : "";
    const message = `${why}, so that it is not known as whom '${member}' signs in${wayOut}`;
    const whose = `${valueText(key)} may be '${usual}', who has no subject and signs in as '${usual}'`;
    return [
      ...(isUnknown ? [{ path: subjects ?? column, message }] : []),
      ...(isName && taken.has(usual)
        ? [{ path: column, message: `${whose}: set the subject of that member, then import again` }]
        : []),
    ];
  };
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
  // The part of an address before the `@`; other texts stay whole.
  return text === "" ? key.replace(/(?<=.)@.*$/, "") : text;
}
