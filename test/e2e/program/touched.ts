import { setTimeout } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { type Entries, entriesOf } from "../support/cluster/etcd.ts";
import { kindsOf, revisions } from "./inventory.ts";
import type { TestStack } from "./stack.ts";

/**
 * Names of all objects of the cluster that were made, written or deleted while something ran, in alphabetical order. Whether
 * there are any, etcd knows at once; to list all kinds costs ten times as much.
 */
export async function touchedBy({ sandbox }: TestStack, action: () => Promise<unknown>): Promise<string[]> {
  const kinds = await kindsOf(sandbox.read);
  const { revision, keys } = await atRest(() => entriesOf(sandbox));
  await action();
  if (isDeepStrictEqual((await entriesOf(sandbox)).keys, keys)) return [];
  const then = await revisions(sandbox, kinds, revision);
  const now = await revisions(sandbox, await kindsOf(sandbox.read));
  return [...new Set([...then.keys(), ...now.keys()])].filter((name) => then.get(name) !== now.get(name)).sort();
}

/** Waits until nothing changes: a controller's reaction to a test's last step must not look like an effect of the next one. */
async function atRest(read: () => Promise<Entries>): Promise<Entries> {
  let before = await read();
  for (;;) {
    await setTimeout(300);
    const now = await read();
    if (isDeepStrictEqual(before.keys, now.keys)) return now;
    before = now;
  }
}
