import { builtInMemberTypes } from "../../../config/member/types.ts";
import {
  devicesAnnotation,
  imagesAnnotation,
  poolAnnotation,
  priorityClassesAnnotation,
  runtimeClassesAnnotation,
  storageClassesAnnotation,
  traitsLabel,
  typeLabel,
  userNamespacesAnnotation,
} from "../../../config/names/labels.ts";
import { networkNotes } from "../../../objects/networkPolicy.ts";
import { bucketNotes } from "../changes/buckets.ts";
import { marksIn, maskedText, masking } from "../changes/values.ts";
import type { Step } from "../steps.ts";

/** Differences of a new member from their type's defaults, and further permissions. */
export function joinerNotes(steps: readonly Step[]): string[] {
  const home = steps.find(({ part }) => part === "namespace")?.after;
  const isolation = steps.find(({ kind, change }) => kind === "NetworkPolicy" && change === "made")?.after;
  return [
    ...(home === undefined ? [] : typeNotes(home)),
    ...(isolation === undefined ? [] : networkNotes(masking(isolation.spec))),
    ...bucketNotes(steps),
  ];
}

const builtIn: Readonly<Record<string, (typeof builtInMemberTypes)["admin" | "user" | "guest-user"]>> =
  builtInMemberTypes;

/** The defaults of a stack's own types are unknown here, so everything is shown. */
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
    ...note("view of others", others, type?.others),
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
