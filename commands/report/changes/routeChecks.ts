import { isOfRoute } from "../../../config/names/logicalNames.ts";
import type { AskedLogin, Treatment } from "../../../config/route/controllers/controller.ts";
import { controllerPrefixes } from "../../../config/route/controllers.ts";
import { type NumberLimit, numberLimits, routeLimits } from "../../../config/route/limits.ts";
import { loginWords } from "../../../config/route/login.ts";
import { isMap } from "../../../config/values/maps.ts";
import { annotation, type Inputs } from "../../../objects/field.ts";
import { drivers } from "../../../objects/route/drivers/drivers.ts";
import { askedText, letInText } from "../../../objects/route/login.ts";
import type { ShownDifference } from "../../../objects/shown/differences.ts";
import { marksIn, maskedText } from "../../../objects/shown/values.ts";
import type { Step } from "../steps.ts";
import { doorParts } from "./memberParts.ts";

/** Differences in treatment between two kinds of routes or controllers: each kind sets it in other fields. */
export function routeChecks(steps: readonly Step[]): ShownDifference[] {
  const own = routeSteps(steps);
  if (!isAnotherRoute(steps)) {
    return [];
  }
  const { before, after } = treatments(own);
  const checks = [
    { what: "how its Service is reached", from: toService(before), to: toService(after) },
    { what: "prefix of the path", from: prefixOf(before), to: prefixOf(after) },
    ...numberLimits.map((key) => ({
      what: routeLimits[key].what,
      from: limitIn(before, key),
      to: limitIn(after, key),
    })),
  ];
  const gone = own.filter(({ change }) => change === "deleted").flatMap(({ kind, before }) => unreadIn(kind, before));
  return [...checks.filter(({ from, to }) => from !== to), ...gone];
}

/** Differences in the login before a path that stays open, by the same words for every controller. */
export function loginChecks(steps: readonly Step[]): ShownDifference[] {
  const { before, after } = treatments(routeSteps(steps));
  const checks = [
    { what: loginWords.asked, from: asked(before, "login", askedText), to: asked(after, "login", askedText) },
    {
      what: loginWords.letIn,
      from: asked(before, "allow", letInText) ?? "everyone",
      to: asked(after, "allow", letInText) ?? "everyone",
    },
  ];
  return checks.filter(({ from, to }) => from !== to);
}

/** A property of the login that the controller asks for; masked, since an address may hold a secret. */
const asked = (objects: readonly Treatment[], key: keyof AskedLogin, text: (url: string) => string | undefined) =>
  objects
    .flatMap((object) => drivers.flatMap(({ loginOf }) => loginOf(object)[key] ?? []))
    .flatMap((url) => maskedText(url) ?? [])
    .flatMap((url) => text(url) ?? [])
    .at(0);

/** Fields that `loginChecks` reports. @param isWhole whether the login comes, goes or changes its controller */
export const loginFields = (isWhole: boolean): readonly string[] =>
  isWhole ? [loginWords.asked, loginWords.headers, loginWords.signIn] : [loginWords.asked];

const treatments = (own: readonly Step[]) => ({
  before: own.flatMap(({ kind, change, before }) => (change === "made" ? [] : treatmentOf(kind, before))),
  after: own.flatMap(({ kind, change, after }) => (change === "deleted" ? [] : treatmentOf(kind, after))),
});

/** Fields that `routeChecks` reports for both kinds of routes, in the same words as a field of one object. */
export const checkedFields: readonly string[] = Object.values(routeLimits).map(({ what }) => what);

const routeSteps = (steps: readonly Step[]) => steps.filter((step) => isOfRoute(step) && !step.wasGone);

export function isAnotherRoute(steps: readonly Step[]): boolean {
  const all = routeSteps(steps).filter(({ part }) => doorParts.includes(part));
  const has = (change: Step["change"]) => all.some((step) => step.change === change);
  const classOf = ({ spec }: Inputs) => (isMap(spec) ? spec.ingressClassName : undefined);
  return (
    (has("made") && has("deleted")) ||
    all.some(
      ({ change, before, after }) =>
        change === "replaced" || (change === "changed" && classOf(before) !== classOf(after)),
    )
  );
}

const treatmentOf = (kind: string, inputs: Inputs): Treatment[] => [
  { kind, annotations: marksIn(inputs, "annotations"), spec: isMap(inputs.spec) ? inputs.spec : {} },
];

/** Whether the controller uses TLS to the member's Service, and for which name it checks the certificate. */
function toService(objects: readonly Treatment[]): string {
  const spoken = objects.flatMap((object) => drivers.flatMap(({ tlsOf }) => tlsOf(object) ?? []));
  const checked = spoken.find((tls) => tls !== "unchecked");
  if (checked !== undefined) {
    return `HTTPS, with the certificate checked for ${maskedText(checked.name) ?? "any name"}`;
  }
  return spoken.length > 0 ? "HTTPS, with no certificate checked" : "HTTP";
}

const prefixOf = (objects: readonly Treatment[]): string =>
  objects.some((object) => drivers.some(({ strips }) => strips(object))) ? "taken off" : "kept";

/** A limit with its unit; undefined if it is the controller's own. */
function limitIn(objects: readonly Treatment[], key: NumberLimit): string | undefined {
  const [figure] = objects.flatMap((object) => drivers.flatMap(({ limitsOf }) => limitsOf(object)[key] ?? []));
  return figure === undefined ? undefined : `${figure} ${routeLimits[key].unit}`;
}

const understood = drivers.flatMap(({ annotations }) => [...annotations.Ingress, ...annotations.Service]);

/** Further annotations of a deleted object that a controller read, such as a rate limit; they have no successor. */
function unreadIn(kind: string, inputs: Inputs): ShownDifference[] {
  return Object.entries(marksIn(inputs, "annotations"))
    .filter(([name]) => controllerPrefixes.some((prefix) => name.startsWith(prefix)) && !understood.includes(name))
    .map(([name, value]) => ({
      what: `${kind} ${annotation(name)}`,
      from: maskedText(value),
      to: undefined,
    }));
}
