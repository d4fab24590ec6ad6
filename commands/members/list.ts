import { isMeant } from "../../config/rules/shards.ts";
import { refuseUnknownStack } from "../common/unknownStack.ts";
import { overviewOf } from "./overview/overview.ts";
import { readOverviewLists } from "./overview/readOverview.ts";
import { memberJson, narrowTable, wideTable } from "./rows.ts";

interface ListOptions {
  /** The only stack to show; default: all. */
  readonly stack?: string;
  /** Context of the kubeconfig; undefined for the current one. */
  readonly context?: string;
  readonly output: "table" | "wide" | "json";
}

/**
 * Prints the members on the cluster.
 * @throws Problem when the cluster has only members of other stacks than the requested one
 * @throws RunError when the cluster gives no answer
 */
export async function listMembers({ stack, context, output }: ListOptions): Promise<void> {
  const shows = { buckets: output !== "table" };
  const lists = await readOverviewLists(context, shows, { notify: (message) => console.error(message) });
  const all = overviewOf(lists, new Date().toISOString().slice(0, 10));
  const isTheirs = stack === undefined ? () => true : isMeant(process.cwd(), stack);
  const members = all.filter((member) => isTheirs(member.stack));
  if (members.length === 0) {
    if (stack !== undefined) {
      refuseUnknownStack(stack, [...new Set(all.map((member) => member.stack))]);
    }
    console.error(`There are no members${stack === undefined ? "" : ` of stack '${stack}'`} on this cluster.`);
  }
  if (output === "json") {
    console.log(JSON.stringify(members.map(memberJson), null, 2));
  } else if (members.length > 0) {
    console.log(output === "wide" ? wideTable(members) : narrowTable(members, process.stdout.columns));
  }
}
