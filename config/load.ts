import * as pulumi from "@pulumi/pulumi";
import { parseConfiguration } from "./configuration.ts";
import type { Mistake } from "./mistakes.ts";
import type { Configuration } from "./settings.ts";

/**
 * Reads the stack's configuration, everything under `kubecamp:` in `Pulumi.<stack>.yaml`.
 * @throws pulumi.RunError naming every mistake; nothing has been touched by then
 * @see https://www.pulumi.com/docs/iac/concepts/config/
 */
export function loadConfiguration(): Configuration {
  const stack = pulumi.getStack();
  const prefix = `${pulumi.getProject()}:`;
  const raw: Record<string, unknown> = {};
  const mistakes: Mistake[] = [];
  for (const [key, value] of Object.entries(pulumi.runtime.allConfig())) {
    if (key.startsWith(prefix)) {
      raw[key.slice(prefix.length)] = structured(value);
    } else if (key.startsWith("kubernetes:")) {
      // It would be for the default provider; whoever sets it believes that it chooses the cluster.
      mistakes.push({ path: key, message: "has no effect here; the cluster is chosen by context in kubecamp:cluster" });
    }
  }
  const parsed = parseConfiguration(stack, raw, new Date().toISOString().slice(0, 10));
  if ("configuration" in parsed && mistakes.length === 0) {
    return parsed.configuration;
  }
  mistakes.push(...("mistakes" in parsed ? parsed.mistakes : []));
  const lines = mistakes.map(({ path, message }) => `  ${path}: ${message}`);
  const count = lines.length === 1 ? "a mistake" : `${lines.length} mistakes`;
  throw new pulumi.RunError(
    `The configuration of stack '${stack}' has ${count}; nothing has been touched.\n${lines.join("\n")}\n` +
      `Mend Pulumi.${stack}.yaml and run again.`,
  );
}

/** Pulumi hands structured values over as JSON and plain ones as they are. */
function structured(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
