import { quantityValue } from "../../../cluster/kinds/quantity.ts";
import type { MemberLimits } from "../../../config/model/members/limits.ts";
import type { MemberType } from "../../../config/model/members/memberTypes.ts";
import { mayRun } from "../../../config/model/members/standing.ts";
import { broken } from "../invariants.ts";
import type { Judge } from "../object.ts";
import { mapAt, shown } from "../values.ts";

const mebibyte = 1024 ** 2;

/** Upper bounds for a quota, in CPUs, bytes or pieces. */
const most: Readonly<Record<string, (limits: MemberLimits) => number>> = {
  "limits.cpu": ({ maxCpuMillicores }) => maxCpuMillicores / 1000,
  "limits.ephemeral-storage": ({ maxEphemeralStorageMiB }) => maxEphemeralStorageMiB * mebibyte,
  "limits.memory": ({ maxMemoryMiB }) => maxMemoryMiB * mebibyte,
  "requests.cpu": ({ maxCpuMillicores }) => maxCpuMillicores / 1000,
  "requests.memory": ({ maxMemoryMiB }) => maxMemoryMiB * mebibyte,
  persistentvolumeclaims: ({ persistentVolumeClaims }) => persistentVolumeClaims,
  pods: ({ pods }) => pods,
  "requests.storage": ({ persistentVolumeClaims, maxPersistentVolumeClaimMiB }) =>
    persistentVolumeClaims * maxPersistentVolumeClaimMiB * mebibyte,
  "services.loadbalancers": () => 0,
  "services.nodeports": () => 0,
};

/** Bounds for what a type's devices and StorageClasses are counted as. */
const ofClasses = ({ devices = {}, storage = {} }: MemberType): Readonly<Record<string, number>> =>
  Object.fromEntries([
    ...Object.entries(devices).map(([name, number]) => [
      name.includes("/") ? `requests.${name}` : `${name}.deviceclass.resource.k8s.io/devices`,
      number,
    ]),
    ...Object.entries(storage).map(([name, size]) => [
      `${name}.storageclass.storage.k8s.io/requests.storage`,
      size * mebibyte,
    ]),
  ]);

/** Bounds for a suspended or expired member of any type: nothing of theirs starts. */
const none = { pods: 0, "count/jobs.batch": 0 };

/**
 * A quota must hold each of these resources, at or below its bound.
 * @see https://kubernetes.io/docs/concepts/policy/resource-quotas/
 */
export const quota: Judge = ({ kind, args, member }) => {
  if (kind !== "ResourceQuota" || member === undefined) {
    return [];
  }
  const { hard, ...others } = mapAt(args, "spec");
  const wanted = Object.entries(member.type.quota ? most : {}).map(([key, of]) => [key, of(member.limits)] as const);
  const classes = member.type.quota ? ofClasses(member.type) : {};
  const held = { ...Object.fromEntries(wanted), ...classes, ...(mayRun(member) ? {} : none) };
  return [
    ...Object.entries(held).flatMap(([key, figure]) => {
      const value = mapAt(hard)[key];
      const amount = typeof value === "string" ? quantityValue(value) : undefined;
      return amount !== undefined && amount <= figure * (1 + Number.EPSILON)
        ? []
        : [broken("quota", `spec.hard['${key}']`, `is ${shown(value)}, and may be ${figure} at most`)];
    }),
    ...Object.keys(others).map((key) => broken("quota", `spec.${key}`, "keeps it from covering everything")),
  ];
};
