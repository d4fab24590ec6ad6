import { isDeepStrictEqual } from "node:util";
import { isMap } from "../../../config/values/maps.ts";
import { mistakeLine, valueText } from "../../../config/values/mistakes.ts";
import { table } from "../../common/table.ts";
import type { Entry } from "./splices.ts";

/** How a member's entry differs from before. */
export interface Difference {
  readonly member: string;
  readonly action: "add" | "change" | "remove";
  /** Empty for `remove`. */
  readonly fields: readonly FieldDifference[];
}

interface FieldDifference {
  /** Such as `labels.course`. */
  readonly field: string;
  /** Undefined if the entry did not have it. */
  readonly before: unknown;
  /** Undefined if the entry no longer has it. */
  readonly after: unknown;
}

/** Differences between a member's entries; undefined if there are none. @param before undefined for a new member */
export function difference(
  member: string,
  before: Entry | undefined,
  after: Entry | undefined,
): Difference | undefined {
  if (after === undefined) {
    return before === undefined ? undefined : { member, action: "remove", fields: [] };
  }
  const { member: _, ...fields } = after;
  if (before === undefined) {
    return { member, action: "add", fields: fieldDifferences({}, fields) };
  }
  const changed = fieldDifferences(before, after);
  return changed.length === 0 ? undefined : { member, action: "change", fields: changed };
}

function fieldDifferences(before: Entry, after: Entry, prefix = ""): FieldDifference[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key): FieldDifference[] => {
    const [old, now] = [before[key], after[key]];
    if (isDeepStrictEqual(old, now)) {
      return [];
    }
    const field = `${prefix}${key}`;
    const areMaps = (isMap(old) || old === undefined) && (isMap(now) || now === undefined);
    const inner = areMaps && (old ?? now) !== undefined ? fieldDifferences(mapOf(old), mapOf(now), `${field}.`) : [];
    return inner.length > 0 ? inner : [{ field, before: old, after: now }];
  });
}

const mapOf = (value: unknown): Entry => (isMap(value) ? value : {});

/**
 * A line for each difference: `change  bob  maxCPUm 500 → 800`.
 * @param width columns of the terminal; undefined for a pipe
 */
export const differencesText = (differences: readonly Difference[], width?: number): string =>
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

/** A difference for `-o json`. */
export function differenceJson({ member, action, fields }: Difference) {
  return {
    member,
    action,
    fields: fields.map(({ field, before, after }) => ({ field, before: before ?? null, after: after ?? null })),
  };
}
