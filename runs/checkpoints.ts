/** Writes the state once, at the run's end, instead of before and after each object. Needs Pulumi CLI 3.104. */
export const atItsEnd: Readonly<Record<string, string>> = { PULUMI_SKIP_CHECKPOINTS: "true" };
