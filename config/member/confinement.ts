import { z } from "zod";
import type { Valid } from "../values/issues.ts";
import { plainMistake, type RawMistake, valueMistake } from "../values/mistakes.ts";
import { amount, choiceOf, dnsSubdomain, labelKey, labels, labelText, optional, size, text } from "../values/values.ts";
import { isQuotaDeclared } from "./limits.ts";
import type { MemberTypeEntry } from "./member.ts";
import type { Candidate, RulesContext } from "./rules.ts";
import { isKubernetesOwn } from "./types.ts";

/** A quota's key has at most 253 characters before its '/', with `.deviceclass.resource.k8s.io` among them. */
const longestName = 225;

const domain = "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
const device = new RegExp(
  `^(?!requests\\.|.*kubernetes\\.io/)(?=[^/]{1,${longestName}}(/|$))${domain}(/[A-Za-z0-9]([-\\w.]{0,61}[A-Za-z0-9])?)?$`,
);

/** An extended resource or a DRA DeviceClass. */
export const deviceName = text.regex(
  device,
  "can't be a device: name an extended resource such as nvidia.com/gpu, or a DeviceClass such as gpu.nvidia.com",
);

export const storageClassName = dnsSubdomain.max(longestName, `must have at most ${longestName} characters`);

const toleration = z.strictObject(
  {
    key: labelKey("a taint's key"),
    operator: optional(choiceOf(["Equal", "Exists"]), "Default: `Equal`."),
    value: labelText.optional(),
    effect: choiceOf(["NoSchedule", "PreferNoSchedule", "NoExecute"]).optional(),
  },
  "must be a map with key, operator, value and effect",
);

/** Traits of a type or a member that hold what their pods and claims use, and where they run. */
export const confinement = (meta: (description: string, otherwise: string) => z.core.GlobalMeta) => ({
  devices: z
    .record(deviceName, amount(0, 1_000_000, "devices"), "must be a map of devices with their numbers")
    .optional()
    .meta({
      ...meta(
        "Quota of devices, by extended resource or DRA DeviceClass; pods can have no others. See [labs.md](../run/labs.md).",
        "any devices, uncounted",
      ),
      examples: [{ "nvidia.com/gpu": 1 }],
    }),
  storage: z
    .record(storageClassName, size, "must be a map of StorageClasses with their sizes")
    .optional()
    .meta({
      ...meta(
        "Quota of storage by StorageClass, such as `20Gi`; claims can have no other class. The largest is also the default of `maxPVCSizeMiB`.",
        "any class",
      ),
      examples: [{ fast: "20Gi", bulk: 0 }],
    }),
  runtimeClasses: z
    .strictObject(
      {
        allowed: z
          .array(dnsSubdomain, "must be a list of RuntimeClasses")
          .meta({ description: "RuntimeClasses that pods may have; an empty list allows none." }),
        default: optional(dnsSubdomain, "RuntimeClass of pods that name none. Default: such pods are refused."),
      },
      "must be a map with allowed and default",
    )
    .optional()
    .meta({
      ...meta("RuntimeClasses of pods.", "any"),
      examples: [{ allowed: ["gvisor"], default: "gvisor" }],
    }),
  pool: z
    .strictObject(
      {
        nodeSelector: labels
          .refine((value) => Object.keys(value).length > 0, "must have a label")
          .meta({ description: "Labels of the pool's nodes." }),
        tolerations: z
          .array(toleration, "must be a list of tolerations")
          .min(1, "must have one: without a taint on the pool's nodes, everybody's pods run there")
          .meta({
            description:
              "Taints of the pool's nodes, against others' pods: `key`, `operator` (`Equal` or `Exists`), `value`, `effect`.",
          }),
      },
      "must be a map with nodeSelector and tolerations",
    )
    .optional()
    .meta({
      ...meta("Nodes for these pods only.", "nodes of no pool"),
      examples: [
        {
          nodeSelector: { pool: "gpu" },
          tolerations: [{ key: "dedicated", value: "gpu", effect: "NoSchedule" }],
        },
      ],
    }),
  userNamespaces: choiceOf(["required"])
    .optional()
    .meta({
      ...meta(
        "`required`: each pod has its own user namespace (`hostUsers: false`), which nodes must support.",
        "pods may",
      ),
      examples: ["required"],
    }),
});

/** Traits that a quota counts. */
const counted = ["devices", "storage"] as const;

/**
 * Mistakes of types, and of members who differ from theirs: devices and StorageClasses without a quota to count them, and
 * a default that is not allowed, and taints that keep nobody off.
 */
export function confinementFindings(candidates: readonly Candidate[], context: RulesContext): RawMistake[] {
  const { entry, types } = context;
  const ofTypes = Object.entries(entry.memberTypes ?? {}).flatMap(([name, type]) =>
    types.get(name)?.quota === false ? uncounted(["memberTypes", name], type) : [],
  );
  const ofMembers = candidates.flatMap((candidate) => {
    const { index, entry: member, wrong } = candidate;
    const type = types.get(member.type ?? "");
    if (type === undefined || wrong.has("quota") || isQuotaDeclared(candidate, context)) {
      return [];
    }
    const at = ["members", index];
    const inherited = type.quota && counted.some((key) => member[key] === undefined && type[key] !== undefined);
    return [...uncounted(at, member), ...(inherited ? [plainMistake([...at, "quota"], ofTheType(type))] : [])];
  });
  const entries = [
    ...Object.entries(entry.memberTypes ?? {}).map(([name, type]) => ({ at: ["memberTypes", name], entry: type })),
    ...candidates.map(({ index, entry: member }) => ({ at: ["members", index], entry: member })),
  ];
  return [
    ...ofTypes,
    ...ofMembers,
    ...entries.flatMap(({ at, entry: each }) => [...strangeDefault(at, each), ...strangePool(at, each)]),
  ];
}

function strangePool(
  at: readonly PropertyKey[],
  { pool = {} }: Pick<Valid<MemberTypeEntry>, "pool"> = {},
): RawMistake[] {
  const { tolerations = [] } = pool;
  const path = [...at, "pool", "tolerations"];
  const single = tolerations.flatMap((toleration, index): RawMistake[] => {
    const { key = "", operator, value } = toleration ?? {};
    const own = isKubernetesOwn(key) || key === "CriticalAddonsOnly";
    return [
      ...(own
        ? [valueMistake([...path, index, "key"], key, "is Kubernetes' own; name a taint of the pool's nodes")]
        : []),
      ...(operator === "Exists" && value !== undefined
        ? [valueMistake([...path, index, "value"], value, "has no effect with operator: Exists; leave one of them out")]
        : []),
    ];
  });
  const isOpen = tolerations.length > 0 && tolerations.every((each) => each?.effect === "PreferNoSchedule");
  return [
    ...single,
    ...(isOpen
      ? [plainMistake(path, "must have one with the effect NoSchedule or NoExecute, which keeps others' pods off")]
      : []),
  ];
}

function strangeDefault(
  at: readonly PropertyKey[],
  { runtimeClasses = {} }: Pick<Valid<MemberTypeEntry>, "runtimeClasses"> = {},
): RawMistake[] {
  const { allowed, default: name } = runtimeClasses;
  return name === undefined || allowed === undefined || allowed.includes(name)
    ? []
    : [valueMistake([...at, "runtimeClasses", "default"], name, "is not in allowed; add it there")];
}

const uncounted = (at: readonly PropertyKey[], entry: { readonly [K in (typeof counted)[number]]?: unknown } = {}) =>
  counted.flatMap((key) =>
    entry[key] === undefined
      ? []
      : [plainMistake([...at, key], "needs a quota, which counts it; set quota: true, or leave it out")],
  );

const ofTheType = ({ name }: { readonly name: string }) =>
  `must be true: the devices or StorageClasses of type '${name}' need a quota, which counts them`;
