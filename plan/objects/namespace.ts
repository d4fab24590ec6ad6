import type { Member, Settings } from "../../config/model/settings.ts";
import { imageRules } from "../../config/rules/imageRules.ts";
import {
  bucketsAnnotation,
  expiresLabel,
  imageRulesAnnotation,
  imagesAnnotation,
  maxPodsAnnotation,
  memberLabels,
  priorityClassesAnnotation,
  protectedLabel,
  routeLabel,
  standingLabel,
  traitsLabel,
  traitsText,
  typeLabel,
} from "../../naming/labels.ts";
import { namespaceName } from "../../naming/names.ts";
import { goneAtOnce } from "./deletion.ts";

/** Pinned, so that an upgrade of the cluster never changes what a member may run from one day to the next. */
const podSecurityVersion = "v1.36";

/** How many pods one object may ask for at least, where no quota says how many there may be. */
export const mostPodsWithoutQuota = 1000;

/**
 * A member's namespace, with the Pod Security Standard that its type has, what its admission policies go by, and what
 * lists of members show.
 * @see https://kubernetes.io/docs/concepts/security/pod-security-admission/
 */
export function namespace(member: Member, settings: Settings) {
  return {
    metadata: {
      name: namespaceName(member),
      annotations: { ...goneAtOnce, ...annotationsOf(member), ...bucketsOf(member, settings) },
      labels: {
        ...memberLabels(member, settings),
        [typeLabel]: member.type.name,
        [traitsLabel]: traitsText(member.type),
        [standingLabel]: member.standing,
        ...(member.expires === undefined ? {} : { [expiresLabel]: member.expires }),
        ...(member.route === undefined ? { [routeLabel]: "none" } : {}),
        ...(member.protect ? { [protectedLabel]: "true" } : {}),
        "pod-security.kubernetes.io/enforce": member.type.podSecurity,
        "pod-security.kubernetes.io/enforce-version": podSecurityVersion,
        "pod-security.kubernetes.io/warn": "restricted",
        "pod-security.kubernetes.io/warn-version": podSecurityVersion,
      },
    },
  };
}

/** By which it is known that there are buckets still, when the settings name their server no more. */
function bucketsOf({ buckets = [] }: Member, { storage }: Settings): Readonly<Record<string, string>> {
  return storage?.kind === "s3" && buckets.length > 0
    ? { [bucketsAnnotation]: buckets.map(({ bucketName }) => bucketName).join(",") }
    : {};
}

/** What its admission policies read. That there are no PriorityClasses is said too, so that nobody else says otherwise. */
function annotationsOf({ images, type, limits }: Member): Readonly<Record<string, string>> {
  const rules = images && imageRules(images);
  return {
    ...(images === undefined ? {} : { [imagesAnnotation]: images.join("\n") }),
    ...(rules === undefined ? {} : { [imageRulesAnnotation]: rules }),
    [priorityClassesAnnotation]: type.priorityClasses.join(","),
    [maxPodsAnnotation]: String(type.quota ? limits.pods : Math.max(limits.pods, mostPodsWithoutQuota)),
  };
}
