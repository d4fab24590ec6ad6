import type { StackResult } from "../../../../commands/up/upStack.ts";

/** A stack's result: empty, except for the given fields. */
export const resultOf = (stack: string, more: Partial<StackResult> = {}): StackResult => ({
  stack,
  plan: { kind: "nothing" },
  outcome: "unchanged",
  reason: undefined,
  changes: [],
  members: [],
  warnings: [],
  notices: [],
  remarks: [],
  ...more,
});
