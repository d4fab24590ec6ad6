import { hash } from "node:crypto";
import type { ShardSettings } from "../model/settings.ts";
import { mostShards } from "../schema/values.ts";
import { projectConfig, readStackFile } from "../sources/files.ts";
import { withInherited } from "../sources/inherited.ts";

/**
 * Which of so many shards a member belongs to, from 0: the one whose digest with the name is the highest. It is the same
 * for ever and on every machine; one more shard takes its share from all others, and nobody moves between those.
 * @param count at least 1
 * @see https://en.wikipedia.org/wiki/Rendezvous_hashing
 */
export function shardOf(member: string, count: number): number {
  let [highest, chosen] = ["", 0];
  for (let shard = 0; shard < count; shard += 1) {
    const digest = hash("sha256", `${shard}/${member}`);
    [highest, chosen] = digest > highest ? [digest, shard] : [highest, chosen];
  }
  return chosen;
}

/** The stack that a member of a split list belongs to: the family's own where there are no shards any more. */
export const homeStackOf = (member: string, { family, count }: ShardSettings): string =>
  count === 0 ? family : shardName(family, shardOf(member, count));

export const shardName = (family: string, shard: number) => `${family}-${shard}`;

/** Names of the stacks that a list is split over. */
export const shardNames = ({ family, count }: ShardSettings): string[] =>
  count === 0 ? [family] : Array.from({ length: count }, (_, shard) => shardName(family, shard));

/** Which shard of a family a stack is by its name, whether there are so many or not; undefined if it is none. */
export function shardIn(stack: string, family: string): number | undefined {
  const [, number] = stack.startsWith(`${family}-`)
    ? (/^(0|[1-9]\d?)$/.exec(stack.slice(family.length + 1)) ?? [])
    : [];
  return number === undefined || Number(number) >= mostShards ? undefined : Number(number);
}

/** Whether a stack is of a family: the undivided one, or any shard of it, also one that is no longer needed. */
export const isOfFamily = (stack: string, { family }: Pick<ShardSettings, "family">): boolean =>
  stack === family || shardIn(stack, family) !== undefined;

/**
 * The stacks that a name stands for: the shards of a list that is split, or the stack itself. Others of the family, which
 * are no longer needed, may still have members: `movesOf` tells who moves out of which.
 * @param folder the project's, with `Pulumi.yaml`
 */
export function stacksOf(folder: string, stack: string): string[] {
  const own = readStackFile(folder, stack);
  const { shards, shardOf: family } = own === undefined ? {} : withInherited(own, projectConfig(folder)).raw;
  // What is no number of shards is a mistake, which a run of the stack itself tells.
  const isSplit = family === undefined && typeof shards === "number" && shards > 0 && shards <= mostShards;
  return isSplit && Number.isInteger(shards) ? shardNames({ family: stack, count: shards }) : [stack];
}

/** Tells the stacks that a name stands for among those of a cluster: where a list is split, its family's. */
export function isMeant(folder: string, stack: string): (other: string | undefined) => boolean {
  const isSplit = !stacksOf(folder, stack).includes(stack);
  return (other) => other === stack || (isSplit && other !== undefined && isOfFamily(other, { family: stack }));
}
