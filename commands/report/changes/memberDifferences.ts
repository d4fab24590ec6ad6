import { isDeepStrictEqual } from "node:util";
import { staffUntilAnnotation, starterAnnotation } from "../../../config/names/labels.ts";
import { isOfRoute } from "../../../config/names/logicalNames.ts";
import { isMap } from "../../../config/values/maps.ts";
import type { Fields } from "../../../objects/field.ts";
import { limitRangeFields } from "../../../objects/limitRange.ts";
import { namespaceFields, podsAtOnce } from "../../../objects/namespace.ts";
import { networkPolicyFields } from "../../../objects/networkPolicy.ts";
import { openedLater } from "../../../objects/rbac/role.ts";
import { bindingFields, subjectTexts } from "../../../objects/rbac/subjects.ts";
import { bucketHeadroom, resourceQuotaFields } from "../../../objects/resourceQuota.ts";
import { drivers, routeParts } from "../../../objects/route/drivers/drivers.ts";
import { type ShownDifference, shownDifferences } from "../../../objects/shown/differences.ts";
import { marksIn, maskedText } from "../../../objects/shown/values.ts";
import type { RouteChange } from "../model.ts";
import { objectName, type Step } from "../steps.ts";
import { bucketDifferences, isBucketStep, isMadeAnew } from "./buckets.ts";
import { doorName, doorParts, quotaWords } from "./memberParts.ts";
import { checkedFields, isAnotherRoute, loginChecks, loginFields, routeChecks } from "./routeChecks.ts";

/** Changes for a staying member, without the route's opening and closing, which `routes` report already. */
export function memberDifferences(steps: readonly Step[], routes: readonly RouteChange[]): ShownDifference[] {
  const [route] = routes;
  // Another goes on to serve the path, with treatments of its own.
  const second = route === undefined ? partsBeside(steps.filter(isDoorStep)) : [];
  const own = steps
    .filter((step) => step.part !== "" && (step.change !== "replaced" || isMadeAnew(step)))
    .sort((a, b) => (a.part < b.part ? -1 : 1));
  const isReportedByRoute = (step: Step) =>
    isOfRoute(step) &&
    step.change !== "changed" &&
    (route === undefined
      ? second.includes(step.part) && !isDoorStep(step)
      : route.change !== "moves" || address.includes(step.part));
  const differencesIn = (step: Step) =>
    isOfRoute(step) && step.change === "changed" && route?.change === "moves"
      ? besideAddress(step, route)
      : ofStep(step).filter(({ what }) => !(isOfRoute(step) && route !== undefined && what === "URL"));
  const logins =
    route === undefined || route.change === "moves"
      ? loginChecks(steps.filter(({ part }) => !second.includes(part)))
      : [];
  const another = isAnotherRoute(steps);
  const reportedElsewhere = [
    bucketHeadroom,
    ...(another ? checkedFields : []),
    ...loginFields(another || logins.length > 0),
  ];
  const all = [
    ...own
      .filter((step) => !isBucketStep(step) && !isReportedByRoute(step))
      .flatMap((step) => differencesIn(step).filter(({ what }) => !reportedElsewhere.includes(what))),
    ...bucketDifferences(own),
    ...routeChecks(steps),
    ...logins,
  ];
  return merged(reportedOnce(all)).sort((a, b) => rank(a) - rank(b));
}

/** Whether something comes to serve a path, or ends. */
const isDoorStep = ({ part, change }: Step) => doorParts.includes(part) && (change === "made" || change === "deleted");

/** All that a path served by these can consist of. */
const partsBeside = (doors: readonly Step[]): string[] =>
  drivers
    .filter(({ door }) => doors.some(({ part }) => part === `route/${door.part}`))
    .flatMap(({ parts }) => parts.map(({ part }) => `route/${part}`));

/** Order: the member's properties, limits, access; then fields without a name, by object. */
const ranks = [
  ...namesOf(namespaceFields),
  ...["role at home", "access at home", "role elsewhere", "quota", "held by"],
  ...[resourceQuotaFields, limitRangeFields].flatMap(namesOf),
  openedLater,
  ...[bindingFields, networkPolicyFields].flatMap(namesOf),
];
const rank = ({ what }: ShownDifference) => (ranks.indexOf(what) + ranks.length + 1) % (ranks.length + 1);

function namesOf(fields: Fields): string[] {
  return Object.values(fields).map(({ what }) => what);
}

/** Parts of which another says it. */
const silent = ["staff-role", "ci-account", "ci-token-role"];

function ofStep(step: Step): ShownDifference[] {
  const { part, change, isKept, before, after } = step;
  const [place = "", which = ""] = part.split("/");
  if (change === "changed") {
    return isKept && shownDifferences(step).length === 0
      ? [{ what: objectName(step), to: "applied again" }]
      : shownDifferences(step);
  }
  if (silent.includes(place)) {
    return [];
  }
  if (doorParts.includes(part)) {
    return [{ what: "also serves the path", [change === "made" ? "to" : "from"]: doorName(step) }];
  }
  const inputs = change === "made" ? after : before;
  const left = isKept && change === "deleted" ? "kubecamp's, and now the member's own" : undefined;
  const named: Readonly<Record<string, readonly [what: string, text: string]>> = {
    quota: ["quota", quotaWords(step).join(", ") || "pods 0"],
    role: ["role at home", which],
    binding: ["access at home", which],
    starter: ["starter app", left ?? (maskedText(marksIn(inputs, "annotations")[starterAnnotation]) || "there")],
    staff: ["staff", [which, ...leaseLines(inputs)].join("; ")],
    ci: ["CI jobs", subjectTexts(inputs.subjects).join(", ")],
    "ci-token": ["tokens for CI jobs", "on request, for an hour"],
    others: ["role elsewhere", which],
  };
  const [what, text] = named[place] ?? [objectName(step), left ?? "there"];
  return [{ what, [change === "made" ? "to" : "from"]: text }];
}

/** Ends of access, such as `group oidc:ta-cs101 until 2026-12-20, exam week`. */
function leaseLines(inputs: Step["after"]): string[] {
  const text = maskedText(marksIn(inputs, "annotations")[staffUntilAnnotation]);
  return text === undefined ? [] : text.split("\n");
}

/** Drops changes that follow from others, such as a new quota's from its limits. */
function reportedOnce(all: readonly ShownDifference[]): ShownDifference[] {
  const says = (...names: readonly string[]) => all.some(({ what }) => names.includes(what));
  return all.filter(
    ({ what }) =>
      !(
        (what === "held by" && says("quota")) ||
        (what === podsAtOnce && says("quota", "pods")) ||
        (what === openedLater && says("standing"))
      ),
  );
}

/** Joins a deletion and a creation of the same thing into one change, and drops repetitions in several objects. */
function merged(all: readonly ShownDifference[]): ShownDifference[] {
  const isHalf = ({ from, to, added }: ShownDifference) =>
    (from === undefined) !== (to === undefined) && added === undefined;
  const paired = all.map((one): ShownDifference => {
    const isOther = (each: ShownDifference) =>
      each.what === one.what && isHalf(each) && (each.from === undefined) !== (one.from === undefined);
    const other = isHalf(one) ? all.find(isOther) : undefined;
    return other === undefined ? one : { what: one.what, from: one.from ?? other.from, to: one.to ?? other.to };
  });
  const roleChanges = new Set(
    paired.filter(({ what }) => what === "role at home").map(({ from, to }) => `${from}>${to}`),
  );
  return (
    paired
      .filter((one, at) => paired.findIndex((other) => isDeepStrictEqual(plain(one), plain(other))) === at)
      // The binding follows the role.
      .filter(({ what, from, to }) => what !== "access at home" || !roleChanges.has(`${from}>${to}`))
  );
}

const plain = ({ what, from, to, added, removed }: ShownDifference) => [what, from, to, added, removed];

/** Parts with a route's address and backend: another kind of route always changes them. */
const address = routeParts.filter(({ purpose }) => purpose !== "treatment").map(({ part }) => `route/${part}`);

/** Changes of a moving route beyond its host and path, such as rewriting or certificate checks. */
function besideAddress(step: Step, { from, url }: RouteChange): ShownDifference[] {
  const found = shownDifferences(step).filter(({ what }) => what !== "URL");
  const [before, after] = [placeless(step.before, from), placeless(step.after, url)];
  const rest = new Set(shownDifferences({ ...step, before, after }).map(({ what }) => what));
  return found.filter(({ what }) => rest.has(what));
}

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
