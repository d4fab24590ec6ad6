import { type OverviewLists, readOverviewLists } from "../../cluster/read/overviewLists.ts";
import { isMeant } from "../../config/sources/shardSource.ts";
import { type MemberOverview, overviewOf } from "../../plan/members/overview.ts";
import { apiTargetOf, refuseUnknownStack, type StackPlace } from "../common/stackTarget.ts";

export interface Members {
  /** By stack, then by name. */
  readonly members: readonly MemberOverview[];
  readonly others: readonly MemberOverview[];
  readonly namespaces: OverviewLists["namespaces"];
}

/** Reads the members on a cluster. @param shows whether to read members' buckets, staff and CI jobs too */
export async function readMemberOverviews(
  place: StackPlace,
  shows: { readonly details: boolean },
  today: string,
): Promise<Members> {
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
