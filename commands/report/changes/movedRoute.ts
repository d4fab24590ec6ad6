import { isMap } from "../../../config/model/maps.ts";
import { routeParts } from "../../../plan/routes/drivers/drivers.ts";
import type { RouteChange, ShownDifference } from "../model.ts";
import type { Step } from "../steps.ts";
import { shownDifferences } from "./differences.ts";

/** What says where a path is, and who answers there: that it changes follows from another kind of route. */
const address = routeParts.filter(({ purpose }) => purpose !== "treatment").map(({ part }) => `route/${part}`);

/** What changes of a route that moves, beside host and path: how it is rewritten, or whether the certificate is checked. */
export function besideAddress(step: Step, { from, url }: RouteChange): ShownDifference[] {
  const found = shownDifferences(step).filter(({ what }) => what !== "URL");
  const [before, after] = [placeless(step.before, from), placeless(step.after, url)];
  const rest = new Set(shownDifferences({ ...step, before, after }).map(({ what }) => what));
  return found.filter(({ what }) => rest.has(what));
}

/** Whether a part of a route that moves comes or goes for another reason than that. */
export const isBesideDoor = ({ part }: Step) => !address.includes(part);

/** An object in which no text has its own address any more. */
function placeless(inputs: Step["before"], url: string | undefined): Step["before"] {
  if (url === undefined || !URL.canParse(url)) {
    return inputs;
  }
  const { host, pathname } = new URL(url);
  const path = pathname.replace(/\/$/, "");
  // As a regular expression has it.
  const hostPaths = [host, ...(path === "" ? [] : [path, path.replaceAll(".", "[.]")])];
  return without(inputs, hostPaths) as Step["before"];
}

function without(value: unknown, places: readonly string[]): unknown {
  if (Array.isArray(value)) {
    return value.map((one) => without(one, places));
  }
  if (isMap(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, without(inner, places)]));
  }
  return typeof value === "string" ? places.reduce((text, place) => text.replaceAll(place, ""), value) : value;
}
