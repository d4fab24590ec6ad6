import * as pulumi from "@pulumi/pulumi";
import type { Configuration } from "../settings.ts";
import { configurationOf, type ReadHomes } from "./load.ts";

/**
 * The configuration of the stack that this program runs for, with the members in their grace.
 * @throws RunError naming every mistake; nothing was changed by then
 * @see https://www.pulumi.com/docs/iac/concepts/config/
 */
export function loadConfiguration(readHomes: ReadHomes): Promise<Configuration> {
  // Keys of decrypted values. The SDK has them, but exports no access.
  const secretKeys = JSON.parse(process.env.PULUMI_CONFIG_SECRET_KEYS ?? "[]") as string[];
  const config = { values: pulumi.runtime.allConfig(), secretKeys };
  return configurationOf(config, pulumi.getStack(), pulumi.getRootDirectory(), readHomes);
}
