import { isMeant } from "../../../config/rules/shards.ts";
import { refuseUnknownStack } from "../../common/unknownStack.ts";
import { type MemberOverview, type OverviewLists, overviewOf } from "./overview.ts";
import { readOverviewLists } from "./readOverview.ts";

interface Choice {
  /** The only stack, which may be split into shards; default: all on the cluster. */
  readonly stack?: string;
  /** Context of the kubeconfig; undefined for the current one. */
  readonly context?: string;
}

/**
 * Reads the members on a cluster.
 * @param shows whether to read members' buckets, staff and CI jobs too
 * @param today the day in UTC, as `2026-12-31`
 * @returns them, with the namespaces that they are from
 * @throws Problem when the cluster has only members of other stacks than the one that is asked for
 * @throws RunError when the cluster gives no answer
 */
export async function readMembers(
  { stack, context }: Choice,
  shows: { readonly details: boolean },
  today: string,
): Promise<{ readonly members: readonly MemberOverview[]; readonly namespaces: OverviewLists["namespaces"] }> {
  const lists = await readOverviewLists(context, shows, { notify: (message) => console.error(message) });
  const all = overviewOf(lists, today);
  const isTheirs = stack === undefined ? () => true : isMeant(process.cwd(), stack);
  const members = all.filter((member) => isTheirs(member.stack));
  if (stack !== undefined && members.length === 0) {
    refuseUnknownStack(stack, [...new Set(all.map((member) => member.stack))]);
  }
  return { members, namespaces: lists.namespaces };
}
