import { isMap } from "../../../config/model/maps.ts";
import { routeParts } from "../../../plan/routes/drivers/drivers.ts";
import type { RouteChange, ShownDifference } from "../model.ts";
import type { Step } from "../steps.ts";
import { shownDifferences } from "./differences.ts";

/** Parts with a route's address and backend: another kind of route always changes them. */
const address = routeParts.filter(({ purpose }) => purpose !== "treatment").map(({ part }) => `route/${part}`);

/** Changes of a moving route beyond its host and path, such as rewriting or certificate checks. */
export function besideAddress(step: Step, { from, url }: RouteChange): ShownDifference[] {
  const found = shownDifferences(step).filter(({ what }) => what !== "URL");
  const [before, after] = [placeless(step.before, from), placeless(step.after, url)];
  const rest = new Set(shownDifferences({ ...step, before, after }).map(({ what }) => what));
  return found.filter(({ what }) => rest.has(what));
}

/** Whether a part of a moving route comes or goes for another reason than the move. */
export const isBesideDoor = ({ part }: Step) => !address.includes(part);

/** Removes an object's own address from all its texts. */
function placeless(inputs: Step["before"], url: string | undefined): Step["before"] {
  if (url === undefined || !URL.canParse(url)) {
    return inputs;
  }
  const { host, pathname } = new URL(url);
  const path = pathname.replace(/\/$/, "");
  // Also as a regular expression.
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
