import type { Member } from "../../config/member/member.ts";
import type { Configuration } from "../../config/settings.ts";
import { homeStackOf } from "../../config/shards.ts";

/** Members whose day has come, without those whom another shard removes: two archives of one would take two snapshots. */
export const dueIn = ({ settings: { stack, shards }, members }: Configuration): Member[] =>
  members.filter(
    ({ name, isUnarchived }) => isUnarchived && (shards === undefined || homeStackOf(name, shards) === stack),
  );
