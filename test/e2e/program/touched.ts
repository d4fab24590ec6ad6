import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { V1ValidatingAdmissionPolicy } from "@kubernetes/client-node";
import { type Entries, entriesOf } from "../support/cluster/etcd.ts";
import { kindsOf, revisions } from "./inventory.ts";
import type { TestStack } from "./stack.ts";

/**
 * Names of all objects of the cluster that were made, written or deleted while something ran, in alphabetical order. Whether
 * there are any, etcd knows at once; to list all kinds costs ten times as much.
 */
export async function touchedBy({ sandbox }: TestStack, action: () => Promise<unknown>): Promise<string[]> {
  const kinds = await kindsOf(sandbox.read);
  await judged(sandbox);
  const { revision, keys } = await atRest(() => entriesOf(sandbox));
  await action();
  if (isDeepStrictEqual((await entriesOf(sandbox)).keys, keys)) {
    return [];
  }
  const then = await revisions(sandbox, kinds, revision);
  const now = await revisions(sandbox, await kindsOf(sandbox.read));
  return [...new Set([...then.keys(), ...now.keys()])].filter((name) => then.get(name) !== now.get(name)).sort();
}

/**
 * Waits for what a controller writes into each policy's status once it has checked the expressions, which takes seconds.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/#type-checking
 */
async function judged(sandbox: TestStack["sandbox"]): Promise<void> {
  for (const deadline = Date.now() + 60_000; ; await setTimeout(200)) {
    const policies = await sandbox.list<V1ValidatingAdmissionPolicy>("validatingadmissionpolicy");
    const open = policies.filter(({ metadata, status }) => status?.observedGeneration !== metadata?.generation);
    if (open.length === 0) {
      return;
    }
    assert.ok(Date.now() < deadline, `not checked: ${open.map(({ metadata }) => metadata?.name).join(", ")}`);
  }
}

/** Waits until nothing changes: a controller's reaction to a test's last step must not look like an effect of the next one. */
async function atRest(read: () => Promise<Entries>): Promise<Entries> {
  let before = await read();
  for (;;) {
    await setTimeout(300);
    const now = await read();
    if (isDeepStrictEqual(before.keys, now.keys)) {
      return now;
    }
    before = now;
  }
}
