import { nearest } from "../../config/model/nearest.ts";
import { isMeant } from "../../config/rules/shards.ts";
import { Problem } from "../common/problem.ts";
import { overviewOf } from "./overview/overview.ts";
import { readOverviewLists } from "./overview/readOverview.ts";
import { memberJson, memberTable } from "./rows.ts";

interface ShowOptions {
  /** The only stack to look in; default: all on the cluster. */
  readonly stack?: string;
  /** Context of the kubeconfig; undefined for the current one. */
  readonly context?: string;
  readonly output: "text" | "json";
}

/**
 * Prints all that is known about some members on the cluster.
 * @throws Problem when the cluster has none of a name
 * @throws RunError when the cluster gives no answer
 */
export async function showMembers(names: readonly string[], { stack, context, output }: ShowOptions): Promise<void> {
  const lists = await readOverviewLists(context, { details: true }, { notify: (message) => console.error(message) });
  const isTheirs = stack === undefined ? () => true : isMeant(process.cwd(), stack);
  const all = overviewOf(lists, new Date().toISOString().slice(0, 10)).filter((member) => isTheirs(member.stack));
  const known = all.map(({ member }) => member);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const place = stack === undefined ? "" : ` of stack '${stack}'`;
    throw new Problem(`There is no member '${unknown}'${place} on this cluster${nearest(unknown, known) || "."}`, {
      why: "Either the name is another, or no up has made their environment yet.",
      remedy: "Run 'kubecamp members' for those who are there, and 'kubecamp preview' for what the next up makes.",
    });
  }
  // A name may be in several stacks, while one hands it to another.
  const members = all.filter(({ member }) => names.includes(member));
  console.log(
    output === "json"
      ? JSON.stringify(members.map(memberJson), null, 2)
      : members.map((member) => memberTable(member, process.stdout.columns)).join("\n\n"),
  );
}
