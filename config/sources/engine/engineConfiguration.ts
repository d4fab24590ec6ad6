import * as pulumi from "@pulumi/pulumi";
import type { Configuration } from "../../model/settings.ts";
import { configurationOf } from "../load.ts";

/**
 * The configuration of the stack that this program runs for.
 * @throws RunError naming every mistake; nothing has been touched by then
 * @see https://www.pulumi.com/docs/iac/concepts/config/
 */
export function loadConfiguration(): Configuration {
  const config = { values: pulumi.runtime.allConfig(), secretKeys: secretKeys() };
  return configurationOf(config, pulumi.getStack(), pulumi.getRootDirectory());
}

/** Keys of decrypted values. The SDK has them, but exports no access. */
function secretKeys(): readonly string[] {
  return JSON.parse(process.env.PULUMI_CONFIG_SECRET_KEYS ?? "[]") as string[];
}
