import { minutesOf, mostMinutes } from "../../config/values/minutes.ts";
import { Problem } from "./problem.ts";

/**
 * Minutes of a time such as `1h30m`, for `--for`.
 * @param otherwise what to do for a longer time
 * @throws Problem when it is none, or too long
 */
export function minutesIn(text: string, otherwise: string): number {
  const minutes = minutesOf(text);
  if (minutes === undefined || minutes > mostMinutes) {
    throw new Problem(`'--for ${text}' is no valid time.`, {
      why:
        minutes === undefined ? "It must be hours and minutes, such as 2h, 45m or 1h30m." : "It is longer than a day.",
      remedy: `Choose at most 24h; for longer, ${otherwise}. Nothing was changed.`,
    });
  }
  return minutes;
}
