import { isDeepStrictEqual } from "node:util";
import { valueAt } from "../../../config/values/mistakes.ts";
import { type Assignment, assigned, type ListedEntry } from "../edit/assignments.ts";

/** Treatment of members who came with the roster and are missing from it. Nobody is ever removed. */
export type Leavers =
  | { readonly kind: "list" }
  | { readonly kind: "suspend" }
  /** @property on their last day, as `2026-12-31` */
  | { readonly kind: "expire"; readonly on: string };

export type Missing = ReturnType<typeof missingMembers>;

interface Rules {
  readonly set: readonly Assignment[];
  readonly leavers: Leavers;
  readonly today: string;
}

/** Marks of members who came with a roster: the labels that `--set` gives, with the type. Nothing else marks them. */
export function rosterMarks(set: readonly Assignment[]): readonly Assignment[] {
  const labels = labelsIn(set);
  return labels.length === 0 ? [] : [...labels, ...set.filter(({ path }) => path.join() === "type")];
}

export const labelsIn = (set: readonly Assignment[]) => set.filter(({ path: [key] }) => key === "labels");

/** Entries that have all of these values; none where there are none. */
export function markedEntries(entries: readonly ListedEntry[], marks: readonly Assignment[]): readonly ListedEntry[] {
  return entries.filter(
    (entry) => marks.length > 0 && marks.every(({ path, value }) => isDeepStrictEqual(valueAt(entry, path), value)),
  );
}

/** @param present entries of people who are in the roster */
export function missingMembers(
  entries: readonly ListedEntry[],
  present: ReadonlySet<ListedEntry | undefined>,
  { set, leavers, today }: Rules,
) {
  const here = markedEntries(entries, rosterMarks(set)).filter((entry) => !hasLeft(entry, leavers, today));
  const gone = here.filter((entry) => !present.has(entry));
  return {
    // Those who have not left yet.
    imported: here.length,
    names: gone.map(({ member }) => String(member)),
    changes: gone.map((before) => ({ before, after: assigned(before, endOf(leavers)) })),
  };
}

/** Whether a member is suspended or expired, or will be by the day that leavers would get. */
function hasLeft({ suspended, expires }: ListedEntry, leavers: Leavers, today: string): boolean {
  const isOver =
    typeof expires === "string" && (expires < today || (leavers.kind === "expire" && expires <= leavers.on));
  return suspended === true || isOver;
}

function endOf(leavers: Leavers): Assignment[] {
  switch (leavers.kind) {
    case "list":
      return [];
    case "suspend":
      return [{ path: ["suspended"], value: true }];
    case "expire":
      return [{ path: ["expires"], value: leavers.on }];
  }
}

/** Whether more are missing than may be. @param most undefined for a tenth of those who came */
export const isShrunk = ({ imported, names }: Missing, most: number | undefined): boolean =>
  most === undefined ? names.length * 10 > imported : names.length > most;
