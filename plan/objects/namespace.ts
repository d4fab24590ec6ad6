import { givenTitle } from "../../config/model/members/givenKinds.ts";
import type { Member } from "../../config/model/members/member.ts";
import type { MemberType } from "../../config/model/members/memberTypes.ts";
import { isFilledIn } from "../../config/model/members/memberTypes.ts";
import { poolName } from "../../config/model/members/pool.ts";
import type { Settings } from "../../config/model/settings/settings.ts";
import { imageRules } from "../../config/rules/imageRules.ts";
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
} from "../../naming/labels.ts";
import { namespaceName } from "../../naming/names.ts";
import { sleepText } from "../decisions/sleep.ts";
import { goneAtOnce, notAwaited } from "./deletion.ts";

/** Pinned, so that an upgrade of the cluster never changes what a member may run. */
export const podSecurityVersion = "v1.36";

/** Pods that one object may ask for, at least, without a quota. */
export const mostPodsWithoutQuota = 1000;

/**
 * A member's namespace: with the Pod Security Standard of its type, the values that admission policies read, and those that
 * lists of members show.
 * @see https://kubernetes.io/docs/concepts/security/pod-security-admission/
 */
export function namespace(member: Member, settings: Settings) {
  return {
    metadata: {
      name: namespaceName(member),
      annotations: {
        ...goneAtOnce,
        // Also its deletion: a namespace that hangs would hold up everybody's run.
        ...notAwaited,
        ...annotationsOf(member),
        ...sleepOf(member),
        ...objectsOf(member),
        ...bucketsOf(member, settings),
        ...archiveOf(settings),
      },
      labels: {
        ...memberLabels(member, settings),
        [typeLabel]: member.type.name,
        [traitsLabel]: traitsText(member.type),
        [standingLabel]: member.standing,
        ...(member.expires === undefined ? {} : { [expiresLabel]: member.expires }),
        ...(member.leaves === undefined ? {} : { [leavesLabel]: member.leaves }),
        ...(member.route === undefined ? { [routeLabel]: "none" } : {}),
        ...(member.protect ? { [protectedLabel]: "true" } : {}),
        ...(isFilledIn(member.type) ? { [fillsInLabel]: "true" } : {}),
        "pod-security.kubernetes.io/enforce": member.type.podSecurity,
        "pod-security.kubernetes.io/enforce-version": podSecurityVersion,
        "pod-security.kubernetes.io/warn": "restricted",
        "pod-security.kubernetes.io/warn-version": podSecurityVersion,
      },
    },
  };
}

/** Shows that there are still buckets when the settings no longer name their server. */
function bucketsOf({ buckets = [] }: Member, { storage }: Settings): Readonly<Record<string, string>> {
  return storage?.kind === "s3" && buckets.length > 0
    ? { [bucketsAnnotation]: buckets.map(({ bucketName }) => bucketName).join(",") }
    : {};
}

/** Lists of members show it. */
const sleepOf = (member: Member): Readonly<Record<string, string>> =>
  member.sleep === undefined ? {} : { [sleepAnnotation]: sleepText(member) };

/** A member who comes back loses the mark of an archive, which is out of date from then on. */
const archiveOf = ({ offboarding: { archive } }: Settings): Readonly<Record<string, string>> =>
  archive === undefined ? {} : { [archiveAnnotation]: "" };

/** Objects that the member is given: admission keeps their names for the platform, whoever asks for them first. */
function objectsOf({ objects = [] }: Member): Readonly<Record<string, string>> {
  const reserved = objects.filter(({ isTheirs }) => !isTheirs);
  return reserved.length === 0
    ? {}
    : { [objectsAnnotation]: reserved.map(({ kind, name }) => givenTitle(kind, name)).join(",") };
}

/** Values that admission policies read. An empty list of PriorityClasses is written too, so that nobody else sets one. */
function annotationsOf({ images, type, limits }: Member): Readonly<Record<string, string>> {
  const rules = images && imageRules(images);
  return {
    ...(images === undefined ? {} : { [imagesAnnotation]: images.join("\n") }),
    ...(rules === undefined ? {} : { [imageRulesAnnotation]: rules }),
    [priorityClassesAnnotation]: type.priorityClasses.join(","),
    [maxPodsAnnotation]: String(type.quota ? limits.pods : Math.max(limits.pods, mostPodsWithoutQuota)),
    ...allowedNames(devicesAnnotation, type.devices),
    ...allowedNames(storageClassesAnnotation, type.storage),
    ...ofRuntimes(type),
    ...(type.pool === undefined ? {} : { [poolAnnotation]: poolName(type.pool) }),
    ...(type.userNamespaces === undefined ? {} : { [userNamespacesAnnotation]: type.userNamespaces }),
  };
}

function ofRuntimes({ runtimeClasses }: MemberType): Readonly<Record<string, string>> {
  const { allowed, default: usual } = runtimeClasses ?? {};
  return {
    ...(allowed === undefined ? {} : { [runtimeClassesAnnotation]: allowed.join(",") }),
    ...(usual === undefined ? {} : { [defaultRuntimeClassAnnotation]: usual }),
  };
}

/** Names with an amount, in an annotation that is there even if there are none. */
const allowedNames = (annotation: string, amounts: Readonly<Record<string, number>> | undefined) =>
  amounts === undefined
    ? {}
    : {
        [annotation]: Object.keys(amounts)
          .filter((name) => amounts[name] !== 0)
          .join(","),
      };
