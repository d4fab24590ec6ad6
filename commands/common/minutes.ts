import { Problem } from "./problem.ts";

const longest = 24 * 60;

/**
 * Minutes of a time such as `1h30m`, for `--for`.
 * @param otherwise what to do for a longer time
 * @throws Problem when it is none, or too long
 */
export function minutesIn(text: string, otherwise: string): number {
  const [, hours, minutes] = /^(?:(\d{1,4})h)?(?:(\d{1,4})m)?$/.exec(text) ?? [];
  const sum = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  if (!(sum > 0 && sum <= longest)) {
    throw new Problem(`'--for ${text}' is no valid time.`, {
      why: sum > longest ? "It is longer than a day." : "It must be hours and minutes, such as 2h, 45m or 1h30m.",
      remedy: `Choose at most 24h; for longer, ${otherwise}. Nothing was changed.`,
    });
  }
  return sum;
}
