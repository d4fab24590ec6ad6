import { z } from "zod";
import { amount, choiceOf, dnsSubdomain, labelKey, labels, labelText, optional, size, text } from "../values/values.ts";

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

export const toleration = z.strictObject(
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
