import { dayInMilliseconds, utcDay } from "../../config/values/days.ts";
import type { Selector } from "../../config/values/selector.ts";
import type { MemberOverview } from "../../plan/members/overview.ts";
import type { Language } from "../board/options.ts";
import { csvText } from "../common/csv.ts";
import { noMembers, type StackPlace } from "../common/stackTarget.ts";
import { groupsOf } from "../common/usage.ts";
import { groupCells, memberCells } from "./csvCells.ts";
import { labelValues, listedLabels } from "./labels.ts";
import { readMemberOverviews } from "./readOverview.ts";
import { groupJson, groupsTable, memberJson, narrowTable, pendingText, wideTable } from "./rows.ts";
import { selected } from "./where.ts";

interface ListOptions extends StackPlace {
  readonly where?: Selector;
  readonly expiring?: number;
  readonly by?: string;
  readonly output: "table" | "wide" | "json" | "csv" | "html";
  readonly out?: string;
  readonly lang?: Language;
}

export async function listMembers(options: ListOptions): Promise<void> {
  const { stack, by, expiring, output, out, lang: language = "en" } = options;
  const shows = { details: output === "html" || (output !== "table" && by === undefined) };
  const today = utcDay();
  const { members: all, namespaces } = await readMemberOverviews(options, shows, today);
  const listed = chosen(all, options, process.cwd());
  const members = expiring === undefined ? listed : listed.filter((member) => isExpiring(member, today, expiring));
  if (listed.length > 0 && members.length === 0) {
    console.error(`Nobody's last day is in the next ${expiring === 1 ? "day" : `${expiring} days`}.`);
  } else if (members.length === 0) {
    console.error(noMembers(stack));
  }
  if (output === "html") {
    const { printPage } = await import("./board.ts");
    return printPage({ members, namespaces, stack }, { language, out, ...(by && { by }) });
  }
  const text = by === undefined ? memberText(members, options) : sumsText(members, by, { stack, output });
  if (output === "json" || members.length > 0) {
    console.log(text);
  }
  const why = output === "table" && by === undefined ? pendingText(members) : undefined;
  if (why !== undefined) {
    console.error(why);
  }
}

type TextOutput = Exclude<ListOptions["output"], "html">;

const memberText = (members: readonly MemberOverview[], { stack, output }: ListOptions) =>
  ({
    json: () => JSON.stringify(membersJson(members, stack, process.cwd()), null, 2),
    csv: () => csvText(membersJson(members, stack, process.cwd()).map(memberCells)),
    wide: () => wideTable(members),
    table: () => narrowTable(members, process.stdout.columns),
    html: () => "",
  })[output]();

const stacksOf = (members: readonly MemberOverview[], stack: string | undefined) => [
  ...(stack === undefined ? [] : [stack]),
  ...members.map((member) => member.stack),
];

/** Members for `-o json`, with their labels where the files of their stacks can be read. */
export function membersJson(members: readonly MemberOverview[], stack: string | undefined, folder: string) {
  const labels = listedLabels(stacksOf(members, stack), folder);
  return members.map((member) => memberJson(member, labels.of(member)));
}

/** Members whom `--where` means. @throws Problem when labels are asked for, and a stack's file can't be read */
export function chosen(
  members: readonly MemberOverview[],
  { stack, where }: Pick<ListOptions, "stack" | "where">,
  folder: string,
): readonly MemberOverview[] {
  if (where === undefined || members.length === 0) {
    return members;
  }
  if (Object.keys(where.labels).length === 0) {
    return selected(members, ({ type }) => ({ type, labels: {} }), where);
  }
  const {
    of,
    unread: [first],
  } = listedLabels(stacksOf(members, stack), folder);
  if (first !== undefined) {
    throw first.problem;
  }
  return selected(members, (member) => ({ type: member.type, labels: of(member) ?? {} }), where);
}

function sumsText(
  members: readonly MemberOverview[],
  by: string,
  { stack, output }: { readonly stack: string | undefined; readonly output: TextOutput },
): string {
  const groups =
    members.length === 0 ? [] : groupsOf(members, labelValues(by, stacksOf(members, stack), process.cwd()));
  const data = groups.map((group) => groupJson(by, group));
  return {
    json: () => JSON.stringify(data, null, 2),
    csv: () => csvText(data.map(groupCells)),
    wide: () => groupsTable(by, groups, undefined, (quantity) => quantity),
    table: () => groupsTable(by, groups, process.stdout.columns),
  }[output]();
}

const withAccess: readonly MemberOverview["state"][] = ["ready", "pending", "asleep"];

/** Whether a member has access, and their last day is today or in the next days. */
export function isExpiring({ state, expires }: MemberOverview, today: string, days: number): boolean {
  const left = expires === undefined ? Number.NaN : (Date.parse(expires) - Date.parse(today)) / dayInMilliseconds;
  return withAccess.includes(state) && left >= 0 && left <= days;
}
