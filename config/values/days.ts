import { z } from "zod";

export const dayInMilliseconds = 86_400_000;

/** The day of a moment in UTC, as all dates of members are: `2026-12-31`. Default: today. */
export const utcDay = (moment = new Date()): string => moment.toISOString().slice(0, 10);

/** Pulumi passes an unquoted date on in the second form. `dayOf` also checks the calendar: 2026-02-30 is no date. */
const dateForms = /^(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))( 00:00:00 \+0000 UTC)?$/;

export const date = z
  .string("must be a date, such as 2026-12-31")
  .refine((value) => dayOf(value) !== undefined, {
    error: ({ input }) =>
      dateForms.test(String(input)) ? "is no day of the calendar" : "must be a date, such as 2026-12-31",
  })
  .meta({ pattern: dateForms.source });

/** The day of a text in one of these forms, as `2026-12-31`; undefined if it is no date. */
export function dayOf(value: string): string | undefined {
  const day = dateForms.exec(value)?.[1];
  const time = day === undefined ? Number.NaN : Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(time) || utcDay(new Date(time)) !== day ? undefined : day;
}

/** The day so many days after another one, in UTC, as `2026-12-31`. */
export function dayAfter(day: string, days: number): string {
  const time = new Date(`${day}T00:00:00Z`);
  time.setUTCDate(time.getUTCDate() + days);
  return utcDay(time);
}

/** To the minute: Pulumi makes something else of an unquoted time with seconds. */
const timeForm = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;

const endRule = "must be a day, such as 2026-12-20, or a time to the minute with its zone, such as 2026-12-20T18:00Z";

/** A last day in UTC, or the time of an end. */
export const end = z
  .string(endRule)
  .refine((value) => untilOf(value) !== undefined, {
    error: ({ input }) =>
      [dateForms, timeForm].some((form) => form.test(String(input))) ? "is no day of the calendar" : endRule,
  })
  .meta({ pattern: `${dateForms.source}|${timeForm.source}` });

/** An end as `2026-12-20`, or in UTC as `2026-12-20T18:00Z`; undefined if it is none. */
export function untilOf(value: string): string | undefined {
  const [, day] = timeForm.exec(value) ?? [];
  if (day === undefined) {
    return dayOf(value);
  }
  return dayOf(day) === undefined ? undefined : minuteText(new Date(value));
}

export const minuteText = (moment: Date): string => `${moment.toISOString().slice(0, 16)}Z`;

/** The first moment after `until`, a day or a time as `untilOf` gives them. */
export const endOf = (until: string): Date => new Date(until.includes("T") ? until : `${dayAfter(until, 1)}T00:00:00Z`);
