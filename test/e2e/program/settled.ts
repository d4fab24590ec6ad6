import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { TestSandbox } from "../support/sandbox.ts";

export const ingressNamespace = "ingress-nginx";

/**
 * Waits for what the controllers put into each namespace, and until what a suite before this one has deleted is gone, so
 * that a test can count what it made itself.
 */
export async function settled({ read }: TestSandbox): Promise<void> {
  const namespaces = ["default", "kube-node-lease", "kube-public", "kube-system", ingressNamespace];
  const wanted = namespaces.flatMap((namespace) => [
    `ServiceAccountList ${namespace}/default`,
    `ConfigMapList ${namespace}/kube-root-ca.crt`,
  ]);
  // The controllers try what has failed again in ever longer pauses.
  const deadline = Date.now() + 180_000;
  for (;;) {
    const answers = await Promise.all(
      ["namespaces", "serviceaccounts", "configmaps"].map((kind) => read(`/api/v1/${kind}`)),
    );
    const [spaces, ...others] = answers.map((answer) => JSON.parse(answer) as ObjectList);
    const ending = (spaces?.items ?? []).filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
    const there = others.flatMap(namesIn);
    const missing = wanted.filter((name) => !there.includes(name));
    if (missing.length === 0 && ending.length === 0) {
      return;
    }
    const late = missing.join(", ");
    // The controller says what is left in one, and which finalizers it waits for.
    const gone = ending.map(({ metadata, status }) => `${metadata.name} ${JSON.stringify(status)}`).join(", ");
    assert.ok(Date.now() < deadline, `not there: ${late}; not gone: ${gone}`);
    await sleep(100);
  }
}

interface ObjectList {
  readonly kind: string;
  readonly items: readonly {
    readonly metadata: { readonly name: string; readonly namespace: string; readonly deletionTimestamp?: string };
    readonly status?: unknown;
  }[];
}

function namesIn({ kind, items }: ObjectList): string[] {
  return items.map(({ metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`);
}
