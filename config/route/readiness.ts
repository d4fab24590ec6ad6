import { z } from "zod";
import type { EntryOf } from "../values/issues.ts";
import { given } from "../values/maps.ts";
import { amount, choiceOf, text } from "../values/values.ts";

export const defaultReadiness = {
  mode: "gate",
  requires: "service",
  timeoutSeconds: 300,
  targetPort: 8080,
} as const;

const portName = text.regex(
  /^(?=.*[a-z])(?!.*--)[a-z0-9]([-a-z0-9]{0,13}[a-z0-9])?$/,
  "must be a port's name: at most 15 of a-z, 0-9 and '-'",
);

/** Schemas of the condition on which a route opens, shared by stack and members. */
const readiness = (meta: (description: string, key: keyof typeof defaultReadiness) => z.core.GlobalMeta) => ({
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

/** Condition on which a route opens. */
export type ReadinessSettings = Readonly<ReturnType<typeof readinessOf>>;

/** Each part from the last entry that has it. */
export const readinessOf = (ofStack: Entry = {}, ofMember: Entry = {}) => ({
  ...defaultReadiness,
  ...given(ofStack, ...readinessKeys),
  ...given(ofMember, ...readinessKeys),
});

type Entry = EntryOf<typeof readinessSchema>;

const readinessKeys = ["mode", "requires", "timeoutSeconds", "targetPort"] as const;
