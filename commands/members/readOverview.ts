import { readOverviewLists } from "../../cluster/read/overviewLists.ts";
import { isMeant } from "../../config/sources/shardSource.ts";
import { overviewOf } from "../../plan/members/overview.ts";
import { apiTargetOf, refuseUnknownStack, type StackPlace } from "../common/stackTarget.ts";

/** Reads the members on a cluster. @param shows whether to read members' buckets, staff and CI jobs too */
export async function readMemberOverviews(place: StackPlace, shows: { readonly details: boolean }, today: string) {
  const { stack } = place;
  const lists = await readOverviewLists(apiTargetOf(place), shows, { notify: (message) => console.error(message) });
  const all = overviewOf(lists, today);
  const isTheirs = stack === undefined ? () => true : isMeant(process.cwd(), stack);
  const { members = [], others = [] } = Object.groupBy(all, ({ stack: theirs }) =>
    isTheirs(theirs) ? "members" : "others",
  );
  if (stack !== undefined && members.length === 0) {
    refuseUnknownStack(stack, [...new Set(all.map((member) => member.stack))]);
  }
  return { members, others, namespaces: lists.namespaces };
}
