import type { RouteLimits } from "../../config/route/route.ts";

/** Names of limits in the report. */
export const limitWords = {
  bodyMiB: "largest request",
  timeoutSeconds: "time to answer",
  websockets: "WebSockets for",
};

/** A limit that a text states, such as `100m`; none if the text is another. */
export function readLimit(key: "bodyMiB" | "timeoutSeconds", text: unknown, unit: string): RouteLimits {
  const [, figure] = new RegExp(`^(\\d+)${unit}$`).exec(String(text)) ?? [];
  return figure === undefined ? {} : { [key]: Number(figure) };
}
