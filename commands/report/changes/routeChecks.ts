import { isMap } from "../../../config/model/maps.ts";
import { isOfRoute } from "../../../naming/logicalNames.ts";
import type { Treatment } from "../../../plan/routes/drivers/driver.ts";
import { drivers } from "../../../plan/routes/drivers/drivers.ts";
import { limitWords } from "../../../plan/routes/drivers/limits.ts";
import { loginText, loginWords } from "../../../plan/routes/login.ts";
import type { ShownDifference } from "../model.ts";
import type { Step } from "../steps.ts";
import { doorParts } from "./memberParts.ts";
import { type Inputs, marksIn, maskedText, propertyPath } from "./values.ts";

/**
 * Differences in treatment between two kinds of routes or controllers. Each kind sets it in other fields, and a deleted
 * object takes its settings along.
 */
export function routeChecks(steps: readonly Step[]): ShownDifference[] {
  const own = routeSteps(steps);
  if (!isAnotherRoute(steps)) {
    return [];
  }
  const before = own.flatMap(({ kind, change, before }) => (change === "made" ? [] : treatmentOf(kind, before)));
  const after = own.flatMap(({ kind, change, after }) => (change === "deleted" ? [] : treatmentOf(kind, after)));
  const checks = [
    { what: "how its Service is reached", from: toService(before), to: toService(after) },
    { what: "prefix of the path", from: prefixOf(before), to: prefixOf(after) },
    { what: loginWords.asked, from: loginBefore(before), to: loginBefore(after) },
    ...limits.map((key) => ({
      what: limitWords[key],
      from: limitIn(before, key),
      to: limitIn(after, key),
    })),
  ];
  const gone = own.filter(({ change }) => change === "deleted").flatMap(({ kind, before }) => unreadIn(kind, before));
  return [...checks.filter(({ from, to }) => from !== to), ...gone];
}

/** Fields that `routeChecks` reports for both kinds of routes, in the same words as a field of one object. */
export const checkedFields: readonly string[] = [...Object.values(limitWords), loginWords.asked, loginWords.headers];

const routeSteps = (steps: readonly Step[]) => steps.filter((step) => isOfRoute(step) && !step.wasGone);

/** Whether a route becomes one of another kind or controller. */
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

/** The login that the controller asks for, and for whom; masked, since an address may hold a secret. */
function loginBefore(objects: readonly Treatment[]): string | undefined {
  const asked = objects.flatMap((object) => drivers.flatMap(({ loginOf }) => loginOf(object) ?? []));
  return loginText(asked.flatMap((url) => maskedText(url) ?? []));
}

const limits = ["bodyMiB", "timeoutSeconds"] as const;

/** A limit with its unit; undefined if it is the controller's own. */
function limitIn(objects: readonly Treatment[], key: (typeof limits)[number]): string | undefined {
  const [figure] = objects.flatMap((object) => drivers.flatMap(({ limitsOf }) => limitsOf(object)[key] ?? []));
  return figure === undefined ? undefined : key === "bodyMiB" ? `${figure} MiB` : `${figure} s`;
}

const prefixes = drivers.flatMap((one) => one.prefixes);
/** Annotations that `routeChecks` reports in words. */
const understood = drivers.flatMap(({ annotations }) => [...annotations.Ingress, ...annotations.Service]);

/**
 * Further annotations of a deleted object that a controller read, such as a login or a rate limit; they have no
 * successor.
 */
function unreadIn(kind: string, inputs: Inputs): ShownDifference[] {
  return Object.entries(marksIn(inputs, "annotations"))
    .filter(([name]) => prefixes.some((prefix) => name.startsWith(prefix)) && !understood.includes(name))
    .map(([name, value]) => ({
      what: `${kind} ${propertyPath(["metadata", "annotations", name])}`,
      from: maskedText(value),
      to: undefined,
    }));
}
