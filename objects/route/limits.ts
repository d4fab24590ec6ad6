import type { NumberLimit } from "../../config/route/limits.ts";
import type { RouteLimits } from "../../config/route/route.ts";

/** A limit as a text, such as `100m`; undefined without one. */
export const writtenLimit = (figure: number | undefined, unit: string) =>
  figure === undefined ? undefined : `${figure}${unit}`;

/** A limit that a text states, such as `100m`; none if the text is another. */
export function readLimit(key: NumberLimit, text: unknown, unit: string): RouteLimits {
  const [, figure] = new RegExp(`^(\\d+)${unit}$`).exec(String(text)) ?? [];
  return figure === undefined ? {} : { [key]: Number(figure) };
}
