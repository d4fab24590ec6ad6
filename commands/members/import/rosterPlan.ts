import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import anyAscii from "any-ascii";
import { type Mistake, valueAt, valueText } from "../../../config/values/mistakes.ts";
import { type Assignment, assigned, type ListedEntry, typedValue } from "../edit/assignments.ts";
import { type Csv, cellMistakes, fold, type RosterRow, sharedCells } from "./csv.ts";
import { type Leavers, labelsIn, markedEntries, missingMembers } from "./missing.ts";

export interface RosterRules {
  /** The key of entries that a column identifies people by. */
  readonly match: ColumnOf;
  /** Columns that new names are made of; none for the matched one, up to the `@` of an address. */
  readonly name: readonly string[];
  /** Their place in new names, as `{email}-cs101`: then everybody gets an environment for this roster alone. */
  readonly pattern?: string;
  readonly take: readonly ColumnOf[];
  /** Values for everybody of the roster. */
  readonly set: readonly Assignment[];
  /** Values for those who have none. */
  readonly defaults: readonly Assignment[];
  readonly leavers: Leavers;
  /** Whether a run would take over the namespace of a new member's name. Default: no. */
  readonly adopts?: boolean;
  readonly today: string;
}

export interface ColumnOf {
  readonly path: readonly string[];
  readonly column: string;
}

export type RosterPlan = ReturnType<typeof rosterPlan>;
export type Person = RosterPlan["people"][number];

/** Changes to a list by a roster. People in the list are found by the matched key, whatever their member's name. */
export function rosterPlan(
  csv: Csv,
  entries: readonly ListedEntry[],
  rules: RosterRules,
  isReserved: (name: string) => boolean,
) {
  const { file, rows } = csv;
  const { match, name, take } = rules;
  const { found, ambiguous } = foundEntries(csv, entries, rules);
  const taken = new Set(entries.map(({ member }) => member));
  const newcomers = rows.filter((row) => !found.has(row));
  const names = newNames(
    newcomers.map((row) => ({ key: keyOf(row, match), text: nameText(row, rules) })),
    (wanted) => taken.has(wanted),
    isReserved,
  );
  const nameOf = new Map(newcomers.map((row, at) => [row, names[at] ?? ""]));
  const people = rows.map((row) => {
    const before = found.get(row);
    const start = before ?? newEntry(row, nameOf.get(row) ?? "", rules);
    return { line: row.line, key: keyOf(row, match), before, after: entryOf(row, start, rules) };
  });
  const unknownSubject = subjectMistakes(entries, rules, isReserved);
  const unknown = rows.flatMap((row, at) =>
    found.has(row) ? [] : unknownSubject(row, people[at]?.after ?? {}).map((one) => ({ file, line: row.line, ...one })),
  );
  const used = [match.column, ...name, ...take.map(({ column }) => column)];
  const mistakes = [...cellMistakes(csv, used), ...sharedCells(csv, match.column), ...ambiguous, ...unknown];
  const missing = missingMembers(entries, new Set(found.values()), rules);
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

const keyOf = ({ cells }: RosterRow, { column }: ColumnOf): string => cells.get(column) ?? "";

/** A person with several environments has that with the labels of `--set`; with a pattern, no other counts. */
function foundEntries({ file, rows }: Csv, entries: readonly ListedEntry[], { match, set, pattern }: RosterRules) {
  const marked = new Set(markedEntries(entries, labelsIn(set)));
  const known = Map.groupBy(
    (pattern === undefined ? entries : [...marked]).flatMap((entry) =>
      keysIn(entry, match.path).map((key) => ({ key, entry })),
    ),
    ({ key }) => key,
  );
  const found = new Map<RosterRow, ListedEntry>();
  const ambiguous: Mistake[] = [];
  for (const row of rows) {
    const key = keyOf(row, match);
    const theirs = (known.get(fold(key)) ?? []).map(({ entry }) => entry);
    const own = theirs.filter((entry) => marked.has(entry));
    const all = own.length === 0 ? theirs : own;
    if (all[0] !== undefined) {
      found.set(row, all[0]);
    }
    if (all.length > 1 && key !== "") {
      const names = all.map((entry) => String(entry.member)).join(", ");
      const message = `${valueText(key)} is the ${match.path.join(".")} of several members: ${names}; tell them apart by a label in --set`;
      ambiguous.push({ file, line: row.line, path: match.column, message });
    }
  }
  return { found, ambiguous };
}

/** Keeps runs from taking over a namespace for a new member: a name in a roster does not prove that it is theirs. */
export const adoption = ({ adopts = false, set, take, defaults }: RosterRules): Assignment[] =>
  adopts && ![...set, ...take, ...defaults].some(({ path }) => path.join() === "adopt")
    ? [{ path: ["adopt"], value: false }]
    : [];

/** Values of a key by which a roster may name a member. People sign in by their subject, or else by their name. */
function keysIn(entry: ListedEntry, path: readonly string[]): string[] {
  const { member, subject = member } = entry;
  const keys = { member: [member, subject], subject: [subject] }[path.join()] ?? [valueAt(entry, path) ?? ""];
  return [...new Set(keys.map((key) => fold(String(key))))];
}

/** Whether names are matched, and the column that subjects are taken from. */
const signInOf = ({ match, take }: RosterRules) => ({
  isName: match.path.join() === "member",
  subjects: take.find(({ path }) => path.join() === "subject")?.column,
});

/** A new member's entry before options add to it. The login is the subject if it is not the name itself. */
function newEntry(row: RosterRow, member: string, rules: RosterRules): ListedEntry {
  const key = keyOf(row, rules.match);
  const { isName, subjects } = signInOf(rules);
  const isAlone = isName && (member === key || subjects !== undefined);
  const path = isName ? ["subject"] : rules.match.path;
  return assigned({ member }, [...(isAlone ? [] : [{ path, value: key }]), ...adoption(rules)]);
}

/** Mistakes: new members whose login is not known. Members without a subject sign in by their name. */
function subjectMistakes(entries: readonly ListedEntry[], rules: RosterRules, isReserved: (name: string) => boolean) {
  const { isName, subjects } = signInOf(rules);
  const { column } = rules.match;
  const taken = new Set(entries.flatMap(({ member, subject }) => (subject === undefined ? [member] : [])));
  return (row: RosterRow, { member, subject }: ListedEntry): Pick<Mistake, "path" | "message">[] => {
    const key = keyOf(row, rules.match);
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

function entryOf(row: RosterRow, start: ListedEntry, { take, set, defaults, today }: RosterRules): ListedEntry {
  const taken = take.flatMap(({ path, column }) => {
    const cell = row.cells.get(column) ?? "";
    return cell === "" ? [] : [{ path, value: typedValue(path, cell, today) }];
  });
  const withColumns = assigned(start, taken);
  const lacking = defaults.filter(({ path }) => valueAt(withColumns, path) === undefined);
  return assigned(assigned(withColumns, lacking), set);
}

function nameText(row: RosterRow, { match, name, pattern }: RosterRules): string {
  const cell = (column: string) => row.cells.get(column) ?? "";
  if (pattern !== undefined) {
    return pattern.replaceAll(placeholder, (_, column: string) => beforeAt(cell(column)));
  }
  const text = name.map(cell).join(" ").trim();
  return text === "" ? beforeAt(keyOf(row, match)) : text;
}

/** A column in a pattern for names. */
export const placeholder = /\{([^{}]+)\}/g;

/** The part of an address before the `@`; other texts stay whole. */
const beforeAt = (text: string) => text.replace(/(?<=.)@.*$/, "");

/** The longest name of a member, as the schema has it. */
const longest = 59;
const hashLength = 6;

/**
 * Members' names for new people, in their order. A name that is taken, or that several of them would have, ends in a
 * hash of the key: it depends on nobody's place in the roster, and is the same in the next try.
 */
export function newNames(
  people: readonly { readonly key: string; readonly text: string }[],
  isTaken: (name: string) => boolean,
  isReserved: (name: string) => boolean,
): string[] {
  const plain = people.map(({ key, text }) => usualName(text, key, isReserved));
  const alike = Map.groupBy(plain, (name) => name);
  return people.map(({ key }, at) => {
    const name = plain[at] ?? "";
    return alike.get(name)?.length === 1 && !isTaken(name)
      ? name
      : `${cut(name, longest - hashLength - 1)}-${hash(key, hashLength)}`;
  });
}

/** The name that a person has unless it is taken. */
function usualName(text: string, key: string, isReserved: (name: string) => boolean): string {
  const name = memberName(text, key);
  return isReserved(name) ? cut(`m-${name}`, longest) : name;
}

/**
 * A member's name from a text in any script: a DNS label that begins with a letter. Han characters are read one way in
 * Chinese and another in Japanese, so that a text with them gives a hash, as one without any letter does.
 */
export function memberName(text: string, key: string): string {
  const ascii = /\p{Script=Han}/u.test(text) ? "" : anyAscii(text.normalize("NFC"));
  const label = ascii
    .toLowerCase()
    .replaceAll(/['`]/g, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  if (label === "") {
    return `m-${hash(key, hashLength + 2)}`;
  }
  return cut(/^[a-z]/.test(label) ? label : `m-${label}`, longest);
}

const cut = (name: string, length: number) => name.slice(0, length).replace(/-+$/, "");

const hash = (key: string, length: number) => createHash("sha256").update(fold(key)).digest("hex").slice(0, length);
