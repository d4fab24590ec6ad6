import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { TestStack } from "./stack.ts";

/** Takes away the lock that a killed run has left, as `pulumi cancel` does, without a process for it. */
export async function unlock({ sandbox, name }: TestStack): Promise<void> {
  const locks = join(sandbox.sandbox.pulumiState, ".pulumi/locks/organization/kubecamp", name);
  await rm(locks, { recursive: true, force: true });
}
