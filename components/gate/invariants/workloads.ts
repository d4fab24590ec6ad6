import { isDeepStrictEqual } from "node:util";
import type { BucketKind } from "../../../cluster/kinds/bucketKinds.ts";
import { quantityValue } from "../../../cluster/kinds/quantity.ts";
import type { Member } from "../../../config/model/members/member.ts";
import type { Settings } from "../../../config/model/settings/settings.ts";
import { namespaceName, serviceName } from "../../../naming/names.ts";
import { ignoredBucketFields } from "../../../plan/decisions/buckets/names.ts";
import { theirFields } from "../../../plan/decisions/givenAway.ts";
import { ignoredStarterFields, isOfStarter } from "../../../plan/decisions/starter/names.ts";
import { unreadCopyFields } from "../../../plan/decisions/takenObjects.ts";
import { broken, mustHold, type Violation } from "../invariants.ts";
import type { GateObject, Judge } from "../object.ts";
import type { Registration } from "../registration.ts";
import { listOf, mapAt, shown } from "../values.ts";
import { givenOf } from "./givenObjects.ts";

const must = mustHold("own-pods");

/**
 * Whether an object belongs to a starter app or a bucket, and is registered to stay as it is. Nothing of it is then
 * written, whatever its inputs. Admission judges the requests of others for it.
 */
export function isLeftAlone(object: GateObject, { ignored }: Pick<Registration, "ignored">): boolean {
  const { kind, name, namespace, member } = object;
  if (member === undefined || namespace !== namespaceName(member)) {
    return false;
  }
  const isTheirs =
    kind === "Service" ? name === serviceName(member) : isOfStarter({ kind: kind as "Deployment", name });
  const isBuckets = (member.buckets ?? []).some((bucket) => bucket.name === name);
  const given = givenOf(object);
  return (
    (given?.isTheirs === true && isDeepStrictEqual(ignored, theirFields)) ||
    (given?.copyOf !== undefined && isDeepStrictEqual(ignored, unreadCopyFields)) ||
    (isTheirs && isDeepStrictEqual(ignored, ignoredStarterFields[kind as "Service"])) ||
    (isBuckets && isDeepStrictEqual(ignored, ignoredBucketFields[kind as BucketKind]))
  );
}

/** Permitted fields of kubecamp's own pods; any other could be a way out of them. */
const podFields = ["automountServiceAccountToken", "containers", "securityContext", "volumes"];
const volumeFields = ["name", "configMap", "emptyDir"];

/** @see https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted */
export const ownPods: Judge = (object, { settings }) => {
  const { kind, args, member } = object;
  if (kind !== "Deployment" || member === undefined || givenOf(object) !== undefined) {
    return [];
  }
  const at = "spec.template.spec";
  const pod = mapAt(args, "spec", "template", "spec");
  const { runtimeClasses, pool, userNamespaces } = member.type;
  const known = [...podFields, "runtimeClassName", "nodeSelector", "tolerations", "hostUsers"];
  const unknown = Object.keys(pod).filter((key) => !known.includes(key));
  const { runAsNonRoot, seccompProfile } = mapAt(pod, "securityContext");
  const containers = listOf(pod.containers);
  return [
    ...unknown.map((key) => broken("own-pods", `${at}.${key}`, "is not needed by a starter app")),
    ...must(pod.automountServiceAccountToken === false, `${at}.automountServiceAccountToken`, "is not false"),
    ...must(
      runtimeClasses === undefined || runtimeClasses.allowed.length === 0
        ? pod.runtimeClassName === undefined
        : runtimeClasses.allowed.includes(String(pod.runtimeClassName)),
      `${at}.runtimeClassName`,
      `is ${shown(pod.runtimeClassName)}, which type '${member.type.name}' may not have`,
    ),
    ...must(
      isDeepStrictEqual([pod.nodeSelector, pod.tolerations], [pool?.nodeSelector, pool?.tolerations]),
      `${at}.nodeSelector`,
      `${shown(pod.nodeSelector)} with its tolerations is not the pool of type '${member.type.name}'`,
    ),
    ...must(
      pod.hostUsers === (userNamespaces === undefined ? undefined : false),
      `${at}.hostUsers`,
      `is ${shown(pod.hostUsers)}, which type '${member.type.name}' does not have`,
    ),
    ...must(runAsNonRoot === true, `${at}.securityContext.runAsNonRoot`, "is not true"),
    ...must(
      isDeepStrictEqual(seccompProfile, { type: "RuntimeDefault" }),
      `${at}.securityContext.seccompProfile`,
      `is ${shown(seccompProfile)} instead of RuntimeDefault`,
    ),
    ...listOf(pod.volumes).flatMap((volume, index) =>
      must(
        Object.keys(mapAt(volume)).every((key) => volumeFields.includes(key)),
        `${at}.volumes[${index}]`,
        `${shown(volume)} is more than pages and space to write`,
      ),
    ),
    ...containers.flatMap((container, index) => ofContainer(mapAt(container), `${at}.containers[${index}]`, settings)),
    ...withinQuota(mapAt(args, "spec").replicas, containers, member),
  ];
};

type Container = Readonly<Record<string, unknown>>;

function ofContainer(container: Container, at: string, { starter }: Settings): Violation[] {
  const context = mapAt(container, "securityContext");
  const { drop, add } = mapAt(context, "capabilities");
  const strange = Object.keys(context).filter(
    (key) => !["allowPrivilegeEscalation", "capabilities", "readOnlyRootFilesystem"].includes(key),
  );
  const added = listOf(add).filter((capability) => capability !== "NET_BIND_SERVICE");
  return [
    ...must(container.image === starter.image, `${at}.image`, `is ${shown(container.image)}, not ${starter.image}`),
    ...must(
      context.allowPrivilegeEscalation === false,
      `${at}.securityContext.allowPrivilegeEscalation`,
      "is not false",
    ),
    ...must(context.readOnlyRootFilesystem === true, `${at}.securityContext.readOnlyRootFilesystem`, "is not true"),
    ...must(listOf(drop).includes("ALL"), `${at}.securityContext.capabilities.drop`, "does not have ALL"),
    ...must(added.length === 0, `${at}.securityContext.capabilities.add`, `has ${added.map(shown).join(", ")}`),
    ...strange.map((key) => broken("own-pods", `${at}.securityContext.${key}`, "is not needed by a starter app")),
  ];
}

const mebibyte = 1024 ** 2;

/** Checks the sum over all pods. A container without a limit fails: it would get the LimitRange's default. */
function withinQuota(replicas: unknown, containers: readonly unknown[], { type, limits }: Member): Violation[] {
  const sums = { cpu: limits.maxCpuMillicores / 1000, memory: limits.maxMemoryMiB * mebibyte };
  return Object.entries(type.quota ? sums : {}).flatMap(([resource, most]) => {
    const each = containers.map((container) => mapAt(container, "resources", "limits")[resource]);
    const values = each.map((value) => (typeof value === "string" ? quantityValue(value) : undefined));
    const sum = values.reduce<number>((total, value) => total + (value ?? Number.NaN), 0) * Number(replicas);
    return must(
      sum <= most * (1 + Number.EPSILON),
      "spec.replicas",
      `${shown(replicas)} pods of ${resource} ${each.map(shown).join(" and ")} are more than the quota holds`,
    );
  });
}
