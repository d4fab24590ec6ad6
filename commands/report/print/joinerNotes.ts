import { builtInMemberTypes } from "../../../config/model/settings/defaults.ts";
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
} from "../../../naming/labels.ts";
import { networkNotes } from "../../../plan/objects/networkPolicy.ts";
import { bucketNotes } from "../changes/buckets.ts";
import { marksIn, maskedText, masking } from "../changes/values.ts";
import type { Step } from "../steps.ts";

/** Differences of a new member from their type's defaults, and further permissions. */
export function joinerNotes(steps: readonly Step[]): string[] {
  const home = steps.find(({ part }) => part === "namespace")?.after;
  const isolation = steps.find(({ kind, change }) => kind === "NetworkPolicy" && change === "made")?.after;
  return [
    ...(home === undefined ? [] : typeNotes(home)),
    ...(isolation === undefined ? [] : networkNotes(masking(isolation.spec) as Step["after"])),
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
  const podSecurity = label("pod-security.kubernetes.io/enforce");
  const classes = annotation(priorityClassesAnnotation) ?? "";
  const images = annotation(imagesAnnotation);
  return [
    ...(role === undefined || role === type?.home ? [] : [`role at home ${role}`]),
    ...(others === undefined || others === type?.others ? [] : [`view of others ${others}`]),
    ...(podSecurity === undefined || podSecurity === type?.podSecurity ? [] : [`Pod Security ${podSecurity}`]),
    ...confinementNotes(annotation),
    ...(classes === "" ? [] : [`PriorityClasses ${classes.replaceAll(",", ", ")}`]),
    ...(images === undefined ? [] : [`images ${images.replaceAll("\n", ", ") || "none"}`]),
  ];
}

/** The quota has how much there is of each device and class; without any, there is nothing in it. */
function confinementNotes(annotation: (name: string) => string | undefined): string[] {
  const note = (name: string, what: string) => {
    const value = annotation(name);
    return value === undefined ? [] : [`${what} ${value.replaceAll(",", ", ") || "none"}`];
  };
  const none = (name: string, what: string) => (annotation(name) === "" ? [`no ${what}`] : []);
  return [
    ...none(devicesAnnotation, "devices"),
    ...none(storageClassesAnnotation, "storage of any class"),
    ...note(runtimeClassesAnnotation, "RuntimeClasses"),
    ...note(poolAnnotation, "pool"),
    ...note(userNamespacesAnnotation, "user namespaces"),
  ];
}
