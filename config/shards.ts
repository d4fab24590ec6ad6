import { hash } from "node:crypto";
import { type RawMistake, valueMistake } from "./values/mistakes.ts";
import { mostShards } from "./values/values.ts";

/** Stacks that one list of members is split over: `prod-0`, `prod-1` and so on. */
export interface ShardSettings {
  /** Prefix of their names, and the stack whose file has the settings and members: `prod`. */
  readonly family: string;
  /** How many shards; 0 to move everyone back into the undivided stack. */
  readonly count: number;
}

/**
 * The shard that a member belongs to, from 0: the one whose digest with the name is highest. The result is the same on
 * every machine. A new shard takes members from all others, and nobody moves between those.
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

/** The stack that a member of a sharded list belongs to; the family's own stack if there are no shards. */
export const homeStackOf = (member: string, { family, count }: ShardSettings): string =>
  count === 0 ? family : shardName(family, shardOf(member, count));

export const shardName = (family: string, shard: number) => `${family}-${shard}`;

/** Names of the stacks that a list is split over. */
export const shardNames = ({ family, count }: ShardSettings): string[] =>
  count === 0 ? [family] : Array.from({ length: count }, (_, shard) => shardName(family, shard));

/** Number of the shard that a stack's name means, even beyond the current count; undefined if it means none. */
export function shardIn(stack: string, family: string): number | undefined {
  const [, number] = stack.startsWith(`${family}-`)
    ? (/^(0|[1-9]\d?)$/.exec(stack.slice(family.length + 1)) ?? [])
    : [];
  return number === undefined || Number(number) >= mostShards ? undefined : Number(number);
}

/** Whether a stack belongs to a family: the undivided stack, or any shard, even one that is no longer needed. */
export const isOfFamily = (stack: string, { family }: Pick<ShardSettings, "family">): boolean =>
  stack === family || shardIn(stack, family) !== undefined;

/** The stack's name must be a valid label value: every object has it in a label. */
export function stackFindings(stack: string): RawMistake[] {
  const fits = stack.length <= 63 && /^[a-z0-9]([-a-z0-9_.]*[a-z0-9])?$/i.test(stack);
  const rule = "can't be a label's value: at most 63 of a-z, 0-9, '-', '_' and '.', and no mark at either end";
  return fits ? [] : [valueMistake(["stack"], stack, rule)];
}
