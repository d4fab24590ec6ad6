export const dayInMilliseconds = 86_400_000;

/** The day of a moment in UTC, as all dates of members are: `2026-12-31`. Default: today. */
export const utcDay = (moment = new Date()): string => moment.toISOString().slice(0, 10);
