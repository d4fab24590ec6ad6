import type { StackResult } from "../../../../commands/up/upStack.ts";

/** What became of a stack: nothing, but for what is given. */
export const resultOf = (stack: string, more: Partial<StackResult> = {}): StackResult => ({
  stack,
  plan: { kind: "nothing" },
  outcome: "unchanged",
  reason: undefined,
  changes: [],
  members: [],
  warnings: [],
  ...more,
});
