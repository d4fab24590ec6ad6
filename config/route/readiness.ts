import { z } from "zod";
import type { EntryOf } from "../values/issues.ts";
import { given } from "../values/maps.ts";
import { amount, choiceOf, inherited, optional, text } from "../values/values.ts";

const defaultReadiness = {
  mode: "gate",
  requires: "service",
  timeoutSeconds: 300,
  targetPort: 8080,
} as const;

const portName = text.regex(
  /^(?=.*[a-z])(?!.*--)[a-z0-9]([-a-z0-9]{0,13}[a-z0-9])?$/,
  "must be a port's name: at most 15 of a-z, 0-9 and '-'",
);

const readiness = {
  mode: optional(
    choiceOf(["gate", "wait", "managed"]),
    "`gate`: the route is pending until the Service is fit. `wait`: the run waits for it, then fails the member. `managed`: kubecamp creates the Service.",
    { default: defaultReadiness.mode },
  ),
  requires: optional(
    choiceOf(["service", "endpoints"]),
    "A fit Service (`service`), or also a ready pod behind it (`endpoints`).",
    { default: defaultReadiness.requires },
  ),
  timeoutSeconds: optional(amount(1, 3600, "seconds"), "For `wait`, in seconds.", {
    default: defaultReadiness.timeoutSeconds,
  }),
  targetPort: optional(
    z.union([amount(1, 65_535, "ports"), portName], "must be the number or the name of a port"),
    "For `managed`: the pods' port, by number or name.",
    { default: defaultReadiness.targetPort },
  ),
};

export const readinessSchema = z.strictObject(readiness, "must be a map of when a route opens");

export const memberReadinessSchema = z.strictObject(
  inherited(readiness, "the stack's"),
  "must be a map of when the route opens",
);

export type ReadinessSettings = Readonly<ReturnType<typeof readinessOf>>;

export const readinessOf = (ofStack: Entry = {}, ofMember: Entry = {}) => ({
  ...defaultReadiness,
  ...given(ofStack, ...readinessKeys),
  ...given(ofMember, ...readinessKeys),
});

type Entry = EntryOf<typeof readinessSchema>;

const readinessKeys = Object.keys(readiness) as (keyof typeof readiness)[];
