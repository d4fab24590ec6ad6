import { builtInMemberTypes } from "../../../config/member/types.ts";
import {
  devicesAnnotation,
  expiresLabel,
  imagesAnnotation,
  poolAnnotation,
  priorityClassesAnnotation,
  runtimeClassesAnnotation,
  standingLabel,
  storageClassesAnnotation,
  traitsLabel,
  typeLabel,
  urlAnnotation,
  userNamespacesAnnotation,
} from "../../../config/names/labels.ts";
import { memberOf } from "../../../config/names/urns.ts";
import type { Inputs } from "../../../objects/field.ts";
import { networkNotes } from "../../../objects/networkPolicy.ts";
import { deviceWord, storageWord } from "../../../objects/quotaClasses.ts";
import { userNames } from "../../../objects/rbac/subjects.ts";
import { doors } from "../../../objects/route/drivers/drivers.ts";
import { shownDifferences } from "../../../objects/shown/differences.ts";
import { marksIn, maskedText, masking } from "../../../objects/shown/values.ts";
import type { DigestStep } from "../digest.ts";
import type { RouteChange } from "../model.ts";
import type { Step } from "../steps.ts";
import { bucketNotes } from "./buckets.ts";

const builtIn: Readonly<Record<string, (typeof builtInMemberTypes)["admin" | "user" | "guest-user"]>> =
  builtInMemberTypes;

/** Differences of a new member from their type's defaults. Those of a stack's own types are unknown here, so all is shown. */
function typeNotes(home: Step["after"]): string[] {
  const label = (name: string) => maskedText(marksIn(home, "labels")[name]);
  const annotation = (name: string) => maskedText(marksIn(home, "annotations")[name]);
  const type = builtIn[label(typeLabel) ?? ""];
  const [role, others] = label(traitsLabel)?.split(".") ?? [];
  const note = (what: string, value: string | undefined, usual?: string) =>
    value === undefined || value === usual ? [] : [`${what} ${value.replaceAll(/[,\n]/g, ", ") || "none"}`];
  // The quota has how much there is of each device and class; without any, there is nothing in it.
  const none = (what: string, value: string | undefined) => (value === "" ? [`no ${what}`] : []);
  return [
    ...note("role at home", role, type?.home),
    ...note("role elsewhere", others, type?.others),
    ...note("Pod Security", label("pod-security.kubernetes.io/enforce"), type?.podSecurity),
    ...none("devices", annotation(devicesAnnotation)),
    ...none("storage of any class", annotation(storageClassesAnnotation)),
    ...note("RuntimeClasses", annotation(runtimeClassesAnnotation)),
    ...note("pool", annotation(poolAnnotation)),
    ...note("user namespaces", annotation(userNamespacesAnnotation)),
    ...note("PriorityClasses", annotation(priorityClassesAnnotation), ""),
    ...note("images", annotation(imagesAnnotation)),
  ];
}

export const doorParts = doors.map(({ part }) => `route/${part}`);

/** Members whose path something goes on to serve. */
export const openMembers = (steps: readonly DigestStep[]): ReadonlySet<string | undefined> =>
  new Set(
    steps
      .filter(({ op, urn }) => ["same", "update"].includes(op) && doorParts.some((part) => urn.endsWith(`/${part}`)))
      .map(({ urn }) => memberOf(urn)),
  );

export function joinerOf(member: string, steps: readonly Step[]) {
  const home = steps.find(({ part }) => part === "namespace")?.after;
  const quota = steps.find(({ part, change }) => part === "quota" && change === "made");
  const isolation = steps.find(({ kind, change }) => kind === "NetworkPolicy" && change === "made")?.after;
  const bindings = steps.filter(({ part }) => /^(binding|others)\//.test(part));
  const standing = labelOf(home, standingLabel) ?? "active";
  const expires = labelOf(home, expiresLabel);
  return {
    member,
    type: labelOf(home, typeLabel) ?? "?",
    subjects: [
      ...new Set(
        bindings.flatMap((step) =>
          shownDifferences(step)
            .filter(({ what }) => what === userNames)
            .flatMap(({ added = [] }) => added),
        ),
      ),
    ],
    quota: quota === undefined ? undefined : quotaWords(quota),
    notes: [
      ...(standing === "active" ? [] : [standing]),
      ...(expires === undefined ? [] : [`last day ${expires}`]),
      ...(steps.some(({ part, change }) => part === "starter/deployment" && change === "made")
        ? ["a starter app"]
        : []),
      ...(home === undefined ? [] : typeNotes(home)),
      ...(isolation === undefined ? [] : networkNotes(masking(isolation.spec))),
      ...bucketNotes(steps),
    ],
    url: steps
      .filter(({ part, change }) => doorParts.includes(part) && change === "made")
      .map(({ after }) => urlOf(after))[0],
  };
}

/** Figures that people ask for first. */
const figures = ["CPU", "memory", "pods", "PVCs", "storage of all PVCs"];

export function quotaWords(step: Step): string[] {
  const all = shownDifferences(step);
  const isOfClass = (what: string) => what.startsWith(deviceWord) || what.startsWith(storageWord);
  const classes = all
    .map(({ what }) => what)
    .filter(isOfClass)
    .sort();
  const words = [...figures, ...classes].flatMap((name) =>
    all.flatMap(({ what, from, to }) => (what === name ? [`${what} ${to ?? from}`] : [])),
  );
  return [...new Set(words)];
}

/** @param lost losses on the cluster in the program's words, if it reported any */
export function leaverOf(member: string, steps: readonly Step[], lost: string | undefined) {
  const home = steps.find(({ part }) => part === "namespace");
  const deleted = steps.filter(
    ({ change, part, type, isKept }) =>
      change === "deleted" && part !== "" && type.startsWith("kubernetes:") && !isKept,
  );
  return {
    member,
    type: labelOf(home?.before, typeLabel) ?? "?",
    namespaceDeleted: home?.change === "deleted",
    lost,
    objects: deleted.length,
  };
}

/** @param why reason for a route that closes */
export function routeChangesOf(
  member: string,
  steps: readonly Step[],
  { why, isOpenElsewhere }: { readonly why: string | undefined; readonly isOpenElsewhere: boolean },
): RouteChange[] {
  const parts = steps.filter(({ part, wasGone }) => doorParts.includes(part) && !wasGone);
  const opened = parts.find(({ change }) => change === "made");
  const closed = parts.find(({ change }) => change === "deleted");
  const moved = parts.find(({ change, before, after }) => change === "changed" && urlOf(before) !== urlOf(after));
  const from = urlOf((moved ?? closed)?.before ?? {});
  const url = urlOf((moved ?? opened)?.after ?? {});
  if (isOpenElsewhere && moved === undefined) {
    return [];
  }
  if (moved !== undefined || (opened !== undefined && closed !== undefined)) {
    const doors = [opened, closed].map((step) => (step === undefined ? "" : doorName(step)));
    const reason = moved === undefined ? doors.join(" instead of ") : "";
    return [{ member, change: "moves", url: url ?? "?", from: from ?? "?", reason }];
  }
  if (opened !== undefined) {
    return [{ member, change: "opens", url: url ?? "?", reason: "" }];
  }
  return closed === undefined ? [] : [{ member, change: "closes", url: from ?? "?", reason: why ?? closedBy(steps) }];
}

/** A suspended member's closed route has no warning of its own. */
function closedBy(steps: readonly Step[]): string {
  const standing = labelOf(steps.find(({ part }) => part === "namespace")?.after, standingLabel);
  return standing === undefined || standing === "active" ? "" : standing;
}

/** What has a path, such as `Ingress of class traefik`. */
export function doorName({ kind, before, after }: Step): string {
  const { ingressClassName } = Object((Object.keys(after).length > 0 ? after : before).spec);
  return typeof ingressClassName === "string" ? `${kind} of class ${ingressClassName}` : kind;
}

const urlOf = (object: Inputs) => maskedText(marksIn(object, "annotations")[urlAnnotation]);

const labelOf = (object: Inputs | undefined, name: string) => maskedText(marksIn(object ?? {}, "labels")[name]);
