/**
 * Environment of a run that writes the state once, at its end, instead of before and after each object. Needs Pulumi
 * CLI 3.104.
 */
export const atItsEnd: Readonly<Record<string, string>> = { PULUMI_SKIP_CHECKPOINTS: "true" };
