import type { z } from "zod";
import { amount, flag, optional } from "../values/values.ts";

/** Limits on requests. A controller that has one says so in its `by`, and sets it in `limiting`. */
export const routeLimits = {
  bodyMiB: {
    setting: optional(
      amount(1, 1_048_576, "MiB"),
      "Largest body of a request, in MiB. Default: the controller's, such as 1 MiB.",
      { examples: [100] },
    ),
    what: "largest request",
    unit: "MiB",
    /** Why an HTTPRoute can't have it. @see https://gateway-api.sigs.k8s.io/api-types/httproute/ */
    atGateway: "can't be set in an HTTPRoute; leave it out, and limit requests at the Gateway",
  },
  timeoutSeconds: {
    setting: optional(
      amount(1, 86_400, "seconds"),
      "How long the Service may take to answer, in seconds. Default: the controller's, such as 60.",
      { examples: [300] },
    ),
    what: "time to answer",
    unit: "s",
    atGateway: undefined,
  },
  websockets: {
    setting: optional(flag, "Whether WebSockets get through. Default: as the controller does."),
    what: "WebSockets for",
    atGateway: "can't be set in an HTTPRoute; leave it out: the Gateway decides, by the Service's appProtocol",
  },
} as const;

type Limits = typeof routeLimits;

export type LimitKey = keyof Limits;

export const limitKeys = Object.keys(routeLimits) as LimitKey[];

export type NumberLimit = { [Key in LimitKey]: Limits[Key] extends { unit: string } ? Key : never }[LimitKey];

export const numberLimits = limitKeys.filter((key): key is NumberLimit => "unit" in routeLimits[key]);

export const limitSettings = Object.fromEntries(limitKeys.map((key) => [key, routeLimits[key].setting])) as {
  [Key in LimitKey]: Limits[Key]["setting"];
};

/** Limits on requests; each by default the controller's own. */
export type RouteLimits = { readonly [Key in LimitKey]?: NonNullable<z.output<Limits[Key]["setting"]>> };

/** A limit as a text, such as `100m`; undefined without one. */
export const writtenLimit = (figure: number | undefined, unit: string) =>
  figure === undefined ? undefined : `${figure}${unit}`;

/** A limit that a text states, such as `100m`; none if the text is another. */
export function readLimit(key: NumberLimit, text: unknown, unit: string): RouteLimits {
  const [, figure] = new RegExp(`^(\\d+)${unit}$`).exec(String(text)) ?? [];
  return figure === undefined ? {} : { [key]: Number(figure) };
}
