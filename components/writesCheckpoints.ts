import { getOrganization } from "@pulumi/pulumi";

/**
 * Whether Pulumi writes the whole state down before and after each object: its own backends do, a folder or a bucket, unless
 * the environment says otherwise. Pulumi Cloud keeps a journal.
 * @see https://www.pulumi.com/docs/iac/cli/environment-variables/
 */
export const writesCheckpoints = (env: NodeJS.ProcessEnv = process.env): boolean =>
  // What every organization of a backend without any is called.
  getOrganization() === "organization" && !["1", "true"].includes((env.PULUMI_SKIP_CHECKPOINTS ?? "").toLowerCase());
