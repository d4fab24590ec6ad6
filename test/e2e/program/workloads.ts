import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import type { TestStack } from "./stack.ts";

/** Makes what a member would run: a Deployment whose containers have the limits, or those of the LimitRange. */
export async function deploy(
  stack: TestStack,
  namespace: string,
  replicas: number,
  limits: Readonly<Record<string, string>> = {},
): Promise<void> {
  const labels = { app: "web" };
  await apply(stack, {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "web", image: "web", resources: { limits } }] },
      },
    },
  });
  await rolledOut(stack, namespace);
}

/** Waits until a Deployment has all its pods. */
export async function rolledOut(stack: TestStack, namespace: string): Promise<void> {
  await stack.kubectl("rollout", "status", "deployment/web", "-n", namespace, "--timeout=90s");
}

export async function apply(stack: TestStack, ...items: readonly object[]): Promise<void> {
  const input = JSON.stringify({ apiVersion: "v1", kind: "List", items });
  const { exitCode, stderr } = await stack.sandbox.kubectl(["apply", "-f", "-"], { input });
  assert.equal(exitCode, 0, stderr);
}

/** UIDs of the pods in a namespace that have not finished. */
export async function livingPods(stack: TestStack, namespace: string): Promise<string[]> {
  const unfinished = "--field-selector=status.phase!=Succeeded,status.phase!=Failed";
  const uids = await stack.kubectl(
    "get",
    "pods",
    "-n",
    namespace,
    unfinished,
    "-o",
    "jsonpath={.items[*].metadata.uid}",
  );
  return uids
    .split(" ")
    .filter((uid) => uid !== "")
    .sort();
}

/** Waits for what the controllers bring about; the suite's timeout says when that is never. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) {
    await setTimeout(200);
  }
}
