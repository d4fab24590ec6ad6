import type { Member } from "../../config/model/members/member.ts";
import type { Settings } from "../../config/model/settings/settings.ts";
import type { Finding } from "../messages/finding.ts";

/** Number of members from which sharding a list pays. */
const many = 300;

/** Number of members that fits one shard well. */
export const membersOfShard = 125;

/**
 * GiB that Pulumi, the program and the plugin use in a full run for a stack of so many members; measured with 100 and
 * with 1,000 (docs/reference/performance.md).
 */
export const memoryOf = (members: number) => (600 + 4.6 * members) / 1024;

/** Warns of a list that is long enough to shard, with the memory that this saves; empty if it is sharded or short. */
export function unsplitList(list: readonly Member[], { shards }: Pick<Settings, "shards">): Finding[] {
  const count = Math.ceil(list.length / membersOfShard);
  return shards !== undefined || list.length < many
    ? []
    : [
        {
          code: "unsplit",
          facts: {
            members: list.length,
            shards: count,
            memory: { whole: memoryOf(list.length), shard: memoryOf(Math.ceil(list.length / count)) },
          },
        },
      ];
}
