import type { Member, Settings } from "../../config/model/settings.ts";
import type { Finding } from "../messages/finding.ts";

/** From so many members on it pays to split a list, and so many fit well into one shard. */
const many = 300;
const inOne = 125;

/** GiB that Pulumi and the program take for a run of all: what 100 members took, and 1,000 (docs/reference/performance.md). */
const memoryOf = (members: number) => (600 + 4.6 * members) / 1024;

/** That a list is so long that it should be split, with what that saves; nothing where it is, or is short. */
export function unsplitList(list: readonly Member[], { shards }: Pick<Settings, "shards">): Finding[] {
  const count = Math.ceil(list.length / inOne);
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
