import type { Configuration, ShardSettings } from "../../config/model/settings/settings.ts";
import { Problem } from "../common/problem.ts";

/**
 * Shard settings of a stack with a split list.
 * @throws Problem when the list is not split, or the stack is a shard itself
 */
export function shardsOf({ settings }: Pick<Configuration, "settings">): ShardSettings {
  const { stack, shards } = settings;
  if (shards === undefined) {
    throw new Problem(`The members of stack '${stack}' are not split over shards.`, {
      why: `Pulumi.${stack}.yaml has no kubecamp:shards.`,
      remedy: "Set it to the number of shards; docs/run/shards.md explains when.",
    });
  }
  if (shards.family !== stack) {
    throw new Problem(`Stack '${stack}' is a shard itself.`, {
      why: `It is one of those of stack '${shards.family}', which has the settings and the members.`,
      remedy: `Run it with --stack ${shards.family}.`,
    });
  }
  return shards;
}
