import { hash } from "node:crypto";
import type { Rule } from "./rule.ts";
import type { SettingsEntry } from "./settings.ts";
import type { Valid } from "./values/issues.ts";
import { when } from "./values/maps.ts";
import { valueMistake } from "./values/mistakes.ts";
import { amount, optional, text } from "./values/values.ts";

export const mostShards = 64;

export const shardsSchema = optional(
  amount(0, mostShards, "shards"),
  "Number of stacks (`<stack>-0` and so on) that share the members; 0 moves them back into one. Default: not split. See [shards.md](../run/shards.md).",
  { examples: [8] },
);

export const shardOfSchema = optional(
  text,
  "The only setting in a shard's file: the stack with the other settings. `kubecamp shards files` writes it.",
  { examples: ["prod"] },
);

/** @returns undefined for a stack with a list of its own */
export const shardsOf = (
  stack: string,
  { shards: count, shardOf: family = stack }: Pick<Valid<SettingsEntry>, "shards" | "shardOf">,
) => (count === undefined ? undefined : { family, count });

/** Stacks that the list of the stack `family` is split over, as `prod-0`; a count of 0 moves everyone back into it. */
export type ShardSettings = Readonly<NonNullable<ReturnType<typeof shardsOf>>>;

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

export const stackRule: Rule = ({ settings: { stack } }) => {
  const fits = stack.length <= 63 && /^[a-z0-9]([-a-z0-9_.]*[a-z0-9])?$/i.test(stack);
  const why = "can't be a label's value: at most 63 of a-z, 0-9, '-', '_' and '.', and no mark at either end";
  return when(!fits, valueMistake(["stack"], stack, why));
};
