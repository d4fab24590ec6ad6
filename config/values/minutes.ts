/** Most minutes of a time that people give: for longer, a day is meant. */
export const mostMinutes = 24 * 60;

/** Minutes of a time such as `1h30m`; undefined for another text, and for none at all. */
export function minutesOf(text: string): number | undefined {
  const [, hours, minutes] = /^(?:(\d{1,4})h)?(?:(\d{1,4})m)?$/.exec(text) ?? [];
  return Number(hours ?? 0) * 60 + Number(minutes ?? 0) || undefined;
}

/** Such as `1h30m`. */
export const minutesText = (minutes: number): string =>
  [`${Math.floor(minutes / 60)}h`, `${minutes % 60}m`].filter((part) => !part.startsWith("0")).join("");
