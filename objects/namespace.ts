import { imageRules } from "../config/images.ts";
import { labelsOnCluster } from "../config/labels.ts";
import { isFilledIn, poolName } from "../config/member/confinement.ts";
import type { Member } from "../config/member/member.ts";
import {
  archiveAnnotation,
  bucketsAnnotation,
  defaultRuntimeClassAnnotation,
  devicesAnnotation,
  expiresLabel,
  fillsInLabel,
  imageRulesAnnotation,
  imagesAnnotation,
  leavesLabel,
  maxPodsAnnotation,
  memberLabelPrefix,
  memberLabels,
  objectsAnnotation,
  poolAnnotation,
  priorityClassesAnnotation,
  protectedLabel,
  routeLabel,
  runtimeClassesAnnotation,
  sleepAnnotation,
  standingLabel,
  storageClassesAnnotation,
  traitsLabel,
  traitsText,
  typeLabel,
  userNamespacesAnnotation,
} from "../config/names/labels.ts";
import { namespaceName } from "../config/names/names.ts";
import { routeText } from "../config/names/routeNeeds.ts";
import { givenTitle } from "../config/objects/givenKinds.ts";
import { sleepText } from "../config/schedule.ts";
import type { Settings } from "../config/settings.ts";
import { defined } from "../config/values/maps.ts";
import { goneAtOnce, notAwaited } from "./deletion.ts";
import { annotation, count, type Field, type Fields, label, ownMark, split } from "./field.ts";
import { bucketHeadroom } from "./resourceQuota.ts";

/** Pinned, so that an upgrade of the cluster never changes what a member may run. */
export const podSecurityVersion = "v1.36";

/** Pods that one object may ask for, at least, without a quota. */
export const mostPodsWithoutQuota = 1000;

/** With the Pod Security Standard of the type, what admission policies read, and what lists of members show. */
export function namespace(member: Member, settings: Settings) {
  const { type } = member;
  return {
    metadata: {
      name: namespaceName(member),
      annotations: {
        ...goneAtOnce,
        // Also its deletion: a namespace that hangs would hold up everybody's run.
        ...notAwaited,
        ...annotationsOf(member, settings),
      },
      labels: {
        ...labelsOnCluster(member, settings),
        ...memberLabels(member, settings),
        ...defined({
          [typeLabel]: type.name,
          [traitsLabel]: traitsText(type),
          [standingLabel]: member.standing,
          [expiresLabel]: member.expires,
          [leavesLabel]: member.leaves,
          [routeLabel]: routeText(member, settings),
          [protectedLabel]: member.protect ? "true" : undefined,
          [fillsInLabel]: isFilledIn(type) ? "true" : undefined,
        }),
        "pod-security.kubernetes.io/enforce": type.podSecurity,
        "pod-security.kubernetes.io/enforce-version": podSecurityVersion,
        "pod-security.kubernetes.io/warn": "restricted",
        "pod-security.kubernetes.io/warn-version": podSecurityVersion,
      },
    },
  };
}

/** An empty list of PriorityClasses is written too, so that nobody else sets one. */
function annotationsOf(member: Member, { storage, offboarding }: Settings) {
  const { images, type, limits, objects = [], buckets = [] } = member;
  const reserved = objects.filter(({ isTheirs }) => !isTheirs);
  return defined({
    [imagesAnnotation]: images?.join("\n"),
    [imageRulesAnnotation]: images && imageRules(images),
    [priorityClassesAnnotation]: type.priorityClasses.join(","),
    [maxPodsAnnotation]: String(type.quota ? limits.pods : Math.max(limits.pods, mostPodsWithoutQuota)),
    [devicesAnnotation]: type.devices && namesIn(type.devices),
    [storageClassesAnnotation]: type.storage && namesIn(type.storage),
    [runtimeClassesAnnotation]: type.runtimeClasses?.allowed.join(","),
    [defaultRuntimeClassAnnotation]: type.runtimeClasses?.default,
    [poolAnnotation]: type.pool && poolName(type.pool),
    [userNamespacesAnnotation]: type.userNamespaces,
    [sleepAnnotation]: member.sleep && sleepText(member),
    // Admission keeps the names of what the member is given for the platform, whoever asks for them first.
    [objectsAnnotation]: listed(reserved.map(({ kind, name }) => givenTitle(kind, name))),
    // Shows that there are still buckets when the settings no longer name their server.
    [bucketsAnnotation]: storage?.kind === "s3" ? listed(buckets.map(({ bucketName }) => bucketName)) : undefined,
    // A member who comes back loses the mark of an archive, which is out of date from then on.
    [archiveAnnotation]: offboarding.archive && "",
  });
}

const listed = (names: readonly string[]) => (names.length === 0 ? undefined : names.join(","));

/** Names with an amount. */
const namesIn = (amounts: Readonly<Record<string, number>>) =>
  Object.keys(amounts)
    .filter((name) => amounts[name] !== 0)
    .join(",");

export const podsAtOnce = "pods that one object may ask for";

/** Names that may be used; an annotation without any is one that allows none. */
const namesText = (value = "any") => (value === "" ? "none at all" : value.replaceAll(",", ", "));

/** The field whose new value says enough in a report: suspended, expired, asleep or active. */
export const standingField = "standing";

export const namespaceFields: Fields = {
  [label(typeLabel)]: { what: "type" },
  [label(standingLabel)]: { what: standingField },
  [label(expiresLabel)]: { what: "last day" },
  [annotation(sleepAnnotation)]: { what: "sleep" },
  [label(leavesLabel)]: { what: "removed on" },
  [label(routeLabel)]: {
    what: "public path",
    text: (value = "yes") => value.replace(/^(\d+)\./, "port $1, requires "),
  },
  [label(protectedLabel)]: { what: "protected", text: (value) => (value === "true" ? "yes" : "no") },
  [label("pod-security.kubernetes.io/enforce")]: { what: "Pod Security" },
  [label("pod-security.kubernetes.io/enforce-version")]: { what: "Pod Security's version" },
  [label("pod-security.kubernetes.io/warn")]: { what: "Pod Security, warned of" },
  [label("pod-security.kubernetes.io/warn-version")]: { what: "Pod Security's version, warned of" },
  [annotation(imagesAnnotation)]: split("images", "\n"),
  [annotation(imageRulesAnnotation)]: { what: "rules of images" },
  [annotation(priorityClassesAnnotation)]: split("PriorityClasses", ","),
  [annotation(devicesAnnotation)]: { what: "devices that pods may ask for", text: namesText },
  [annotation(storageClassesAnnotation)]: { what: "StorageClasses of claims", text: namesText },
  [annotation(runtimeClassesAnnotation)]: { what: "RuntimeClasses of pods", text: namesText },
  [annotation(defaultRuntimeClassAnnotation)]: { what: "default RuntimeClass" },
  [annotation(poolAnnotation)]: { what: "pool" },
  [annotation(userNamespacesAnnotation)]: { what: "user namespaces" },
  [annotation(objectsAnnotation)]: split("objects of the platform", ","),
  // Follows from the quota, which is reported itself.
  [annotation(maxPodsAnnotation)]: count(podsAtOnce),
  // Follows from the buckets, which are reported themselves.
  [annotation(bucketsAnnotation)]: { what: bucketHeadroom },
  [annotation(archiveAnnotation)]: ownMark,
  [label(fillsInLabel)]: ownMark,
};

const memberLabelPath = label(`${memberLabelPrefix}KEY`).split("KEY");

/** The field of a member's own label on their Namespace, such as `label course`. */
export function memberLabelField(path: string): Field | undefined {
  const [before = "", after = ""] = memberLabelPath;
  return path.startsWith(before) ? { what: `label ${path.slice(before.length, -after.length)}` } : undefined;
}

export function namedTraits(text: unknown): Readonly<Record<string, string | undefined>> {
  const [home, others, held] = typeof text === "string" ? text.split(".") : [];
  return {
    "role at home": home,
    "role elsewhere": others === "none" ? undefined : others,
    "held by": held === "free" ? "no quota" : held,
  };
}
