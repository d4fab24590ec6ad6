import { quantityValue } from "../../../cluster/kinds/quantity.ts";
import type { MemberLimits } from "../../../config/model/limits.ts";
import { broken } from "../invariants.ts";
import type { Judge } from "../object.ts";
import { mapAt, shown } from "../values.ts";

const mebibyte = 1024 ** 2;

/** The most that a quota may hold of each, in CPUs, bytes or pieces. */
const most: Readonly<Record<string, (limits: MemberLimits) => number>> = {
  "limits.cpu": ({ maxCpuMillicores }) => maxCpuMillicores / 1000,
  "limits.ephemeral-storage": ({ maxEphemeralStorageMiB }) => maxEphemeralStorageMiB * mebibyte,
  "limits.memory": ({ maxMemoryMiB }) => maxMemoryMiB * mebibyte,
  persistentvolumeclaims: ({ persistentVolumeClaims }) => persistentVolumeClaims,
  pods: ({ pods }) => pods,
  "requests.storage": ({ persistentVolumeClaims, maxPersistentVolumeClaimMiB }) =>
    persistentVolumeClaims * maxPersistentVolumeClaimMiB * mebibyte,
  "services.loadbalancers": () => 0,
  "services.nodeports": () => 0,
};

/** What it must hold while its member is suspended or expired, whatever their type: nothing of theirs begins. */
const none = { pods: 0, "count/jobs.batch": 0 };

/**
 * What a quota must hold, and no more than that of it.
 * @see https://kubernetes.io/docs/concepts/policy/resource-quotas/
 */
export const quota: Judge = ({ kind, args, member }) => {
  if (kind !== "ResourceQuota" || member === undefined) {
    return [];
  }
  const { hard, ...others } = mapAt(args, "spec");
  const wanted = Object.entries(member.type.quota ? most : {}).map(([key, of]) => [key, of(member.limits)] as const);
  const held = { ...Object.fromEntries(wanted), ...(member.standing === "active" ? {} : none) };
  return [
    ...Object.entries(held).flatMap(([key, figure]) => {
      const value = mapAt(hard)[key];
      const amount = typeof value === "string" ? quantityValue(value) : undefined;
      return amount !== undefined && amount <= figure * (1 + Number.EPSILON)
        ? []
        : [broken("quota", `spec.hard['${key}']`, `is ${shown(value)}, and may be ${figure} at most`)];
    }),
    ...Object.keys(others).map((key) => broken("quota", `spec.${key}`, "keeps it from holding everything")),
  ];
};
