import { getOrganization } from "@pulumi/pulumi";

/**
 * Whether Pulumi writes the whole state before and after each object. Its DIY backends (a folder or a bucket) do,
 * unless the environment turns that off; Pulumi Cloud keeps a journal.
 * @see https://www.pulumi.com/docs/iac/cli/environment-variables/
 */
export const writesCheckpoints = (env: NodeJS.ProcessEnv = process.env): boolean =>
  // Pulumi's name for the organization in a backend that has none.
  getOrganization() === "organization" && !["1", "true"].includes((env.PULUMI_SKIP_CHECKPOINTS ?? "").toLowerCase());
