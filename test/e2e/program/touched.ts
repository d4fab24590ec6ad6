import { setTimeout } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { type Entries, entriesOf } from "../support/cluster/etcd.ts";
import { kindsOf, writtenObjects } from "./inventory.ts";
import type { TestStack } from "./stack.ts";

/**
 * Names of all objects of the cluster that were made, written or deleted while something ran, in alphabetical order. A new
 * `status` alone does not count: no run writes any. Whether anything differs, etcd knows at once; to list all kinds costs ten
 * times as much.
 */
export async function touchedBy(
  { sandbox }: Pick<TestStack, "sandbox">,
  action: () => Promise<unknown>,
): Promise<string[]> {
  const kinds = await kindsOf(sandbox.read);
  const { revision, keys } = await atRest(() => entriesOf(sandbox));
  await action();
  if (isDeepStrictEqual((await entriesOf(sandbox)).keys, keys)) {
    return [];
  }
  const then = await writtenObjects(sandbox, kinds, revision);
  const now = await writtenObjects(sandbox, await kindsOf(sandbox.read));
  return [...new Set([...then.keys(), ...now.keys()])]
    .filter((name) => !isDeepStrictEqual(then.get(name), now.get(name)))
    .sort();
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
