import { z } from "zod";
import { amount, choiceOf, text } from "../values/values.ts";

/** Condition on which a route opens. */
export interface ReadinessSettings {
  /**
   * `gate`: the route stays pending until the member's Service is fit. `wait`: the run waits for the Service, and fails
   * for that member after `timeoutSeconds`. `managed`: kubecamp makes the Service.
   */
  readonly mode: "gate" | "wait" | "managed";
  /** Whether the Service is enough (`service`), or ready pods must be behind it (`endpoints`). */
  readonly requires: "service" | "endpoints";
  /** Longest wait of a run, in seconds. */
  readonly timeoutSeconds: number;
  /** Port of the pods, by number or name, that a managed Service targets. */
  readonly targetPort: number | string;
}

export const defaultReadiness = {
  mode: "gate",
  requires: "service",
  timeoutSeconds: 300,
  targetPort: 8080,
} as const satisfies ReadinessSettings;

const portName = text.regex(
  /^(?=.*[a-z])(?!.*--)[a-z0-9]([-a-z0-9]{0,13}[a-z0-9])?$/,
  "must be a port's name: at most 15 of a-z, 0-9 and '-'",
);

/** Schemas of the condition on which a route opens, shared by stack and members. */
export const readiness = (meta: (description: string, key: keyof ReadinessSettings) => z.core.GlobalMeta) => ({
  mode: choiceOf(["gate", "wait", "managed"])
    .optional()
    .meta(
      meta(
        "`gate`: the route is pending until the Service is fit. `wait`: the run waits for it, then fails the member. `managed`: kubecamp creates the Service.",
        "mode",
      ),
    ),
  requires: choiceOf(["service", "endpoints"])
    .optional()
    .meta(meta("A fit Service (`service`), or also a ready pod behind it (`endpoints`).", "requires")),
  timeoutSeconds: amount(1, 3600, "seconds").optional().meta(meta("For `wait`, in seconds.", "timeoutSeconds")),
  targetPort: z
    .union([amount(1, 65_535, "ports"), portName], "must be the number or the name of a port")
    .optional()
    .meta(meta("For `managed`: the pods' port, by number or name.", "targetPort")),
});

export const readinessSchema = z.strictObject(
  readiness((description, key) => ({ description, default: defaultReadiness[key] })),
  "must be a map of when a route opens",
);

export const memberReadinessSchema = z.strictObject(
  readiness((description) => ({ description: `${description} Default: the stack's.` })),
  "must be a map of when the route opens",
);
