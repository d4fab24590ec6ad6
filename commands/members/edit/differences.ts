import { isDeepStrictEqual } from "node:util";
import { isMap } from "../../../config/values/maps.ts";
import { mistakeLine, valueText } from "../../../config/values/mistakes.ts";
import { table } from "../../common/table.ts";
import type { ListedEntry } from "./assignments.ts";

export interface EntryDifference {
  readonly member: string;
  readonly action: "add" | "change" | "remove";
  readonly fields: readonly FieldDifference[];
}

interface FieldDifference {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Differences between a member's entries; undefined if there are none. @param before undefined for a new member */
export function entryDifference(
  member: string,
  before: ListedEntry | undefined,
  after: ListedEntry | undefined,
): EntryDifference | undefined {
  if (after === undefined) {
    return before && { member, action: "remove", fields: [] };
  }
  const fields = fieldDifferences(before ?? { member: after.member }, after);
  if (before === undefined) {
    return { member, action: "add", fields };
  }
  return fields.length === 0 ? undefined : { member, action: "change", fields };
}

function fieldDifferences(before: ListedEntry, after: ListedEntry, prefix = ""): FieldDifference[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key): FieldDifference[] => {
    const [old, now] = [before[key], after[key]];
    if (isDeepStrictEqual(old, now)) {
      return [];
    }
    const field = `${prefix}${key}`;
    const areMaps = [old, now].every((value) => isMap(value) || value === undefined);
    const inner = areMaps ? fieldDifferences(mapOf(old), mapOf(now), `${field}.`) : [];
    return inner.length > 0 ? inner : [{ field, before: old, after: now }];
  });
}

const mapOf = (value: unknown): ListedEntry => (isMap(value) ? value : {});

/** A line for each difference: `change  bob  maxCPUm 500 → 800`. */
export const entryDifferencesText = (differences: readonly EntryDifference[], width?: number): string =>
  table(
    differences.map(({ member, action, fields }) => [action, member, fieldsText(fields)]),
    { width, wrapLast: true },
  );

export const fieldsText = (fields: readonly FieldDifference[]): string => fields.map(fieldText).join(", ");

function fieldText({ field, before, after }: FieldDifference): string {
  if (before === undefined) {
    return `${field} ${shown(after)}`;
  }
  return after === undefined ? `${field} ${shown(before)} taken out` : `${field} ${shown(before)} → ${shown(after)}`;
}

/** A value without quotes where it is a plain word. Control characters would move the cursor. */
function shown(value: unknown): string {
  const text = typeof value === "string" && /^[^\s"',→]{1,60}$/.test(value) ? value : valueText(value);
  return mistakeLine({ path: "", message: text });
}

export const entryDifferenceJson = ({ member, action, fields }: EntryDifference) => ({
  member,
  action,
  fields: fields.map(({ field, before = null, after = null }) => ({ field, before, after })),
});
