import { counted } from "../../../cluster/kinds/nameList.ts";
import { hiddenIn } from "../../../config/member/lookAlikes.ts";
import type { Joiner, ObjectChange, Report, ReportedLeaver, RouteChange, ShownDifference } from "../model.ts";

/** Stands for a missing value. */
const none = "none";

/** `CPU 500m → 1.5`, `images + nginx, − redis`. */
export function differenceText({ what, from, to, added, removed }: ShownDifference): string {
  if (added !== undefined || removed !== undefined) {
    const signed = [...(added ?? []).map((one) => `+ ${one}`), ...(removed ?? []).map((one) => `− ${one}`)];
    return `${what} ${signed.join(", ")}`;
  }
  return from === to ? `${what} changes, which is not shown` : `${what} ${from ?? none} → ${to ?? none}`;
}

/** A line for each. */
export const differenceLines = (all: readonly ShownDifference[]) => all.map(differenceText).join("\n");

export function joinerText({ subjects, quota, notes }: Joiner): string {
  const who = subjects.length === 0 ? "opened to nobody yet" : `opened to ${subjects.join(", ")}`;
  return [who, quota === undefined ? "no quota" : quota.join(", "), ...notes].join("; ");
}

/** Address of a new member's path, or the reason why there is none. */
export function joinerPath(
  { member, url }: Joiner,
  { pending, offline, unchecked }: Pick<Report, "pending" | "offline" | "unchecked">,
): string {
  const why = pending.find(({ name }) => name === member)?.text;
  // If Services or routes could not be read, it is unknown whether there is one.
  const isKnown = offline.length === 0 && unchecked.every(({ name }) => name === "admission");
  return url ?? (why === undefined ? (isKnown ? "none" : "not checked") : `pending: ${why}`);
}

function leaverText({ lost, namespaceDeleted, objects }: ReportedLeaver): string {
  if (lost !== undefined && lost !== "") {
    return lost;
  }
  const what = namespaceDeleted ? "namespace with everything in it" : "the rest of their objects, without a namespace";
  return `${what} (${counted(objects, "object")} of kubecamp's)`;
}

function objectText({ change, differences }: ObjectChange): string {
  return [change, ...differences.map(differenceText)].join("\n");
}

/** Number of namespaces that are deleted, for the alert's start. */
const deletionText = ({ leaving }: Pick<Report, "leaving">) =>
  deletedText(leaving.filter(({ namespaceDeleted }) => namespaceDeleted).length, "namespace");

/** Number of namespaces of members left behind that are deleted; unknown possessions count. */
const strandedText = ({ stranded, deletesStranded }: Pick<Report, "stranded" | "deletesStranded">) =>
  deletedText(
    deletesStranded ? stranded.filter((one) => one.losesNamespace && !one.isOnTheirWay).length : 0,
    "namespace",
  );

/** Number of buckets that are deleted for good. */
const bucketsText = ({ buckets }: Pick<Report, "buckets">) =>
  deletedText(buckets.filter(({ fate }) => fate === "deleted").length, "bucket");

function deletedText(count: number, one: string): string | undefined {
  const [are, them] = count === 1 ? ["is", "it"] : ["are", "them"];
  return count === 0
    ? undefined
    : `${counted(count, one)} ${are} deleted, with everything in ${them}. That can't be undone.`;
}

export function replacementText({ replacements }: Pick<Report, "replacements">): string | undefined {
  const emptied = replacements.some(isNamespace) ? " All that is in a replaced namespace is lost." : "";
  return replacements.length === 0
    ? undefined
    : `${counted(replacements.length, "object")} ${replacements.length === 1 ? "is" : "are"} replaced: deleted, and made anew. ` +
        `If that fails, it is lost.${emptied} Only a program of your own has Pulumi do that: ` +
        "if yours does not, don't run the up, and report a bug of kubecamp.";
}

/** A replaced namespace is as great a loss as a deleted one. */
export const isNamespace = ({ object }: Pick<ObjectChange, "object">) => object.startsWith("Namespace ");

/** A part of a report, for every format. */
export interface ReportSection {
  readonly title: string;
  /** Subject: access, lost data, facts that were not read, ordinary changes, or details. */
  readonly weight: "access" | "danger" | "warning" | "plain" | "more";
  /** Text before the rows. */
  readonly intro: readonly string[];
  /** Headings of a table; empty for verbatim text, which has one line a row. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Subjects in one row, so that each row has room in a comment. */
const mostInRow = 10;

/** Parts of a report that are not empty: first access, then the worst. */
export function sectionsOf(report: Report): ReportSection[] {
  const named = (all: readonly { readonly name: string; readonly text: string }[]) =>
    all.map(({ name, text }) => [name, text]);
  const sections: ReportSection[] = [
    {
      title: "Access",
      weight: "access",
      intro: ["Given by created or changed objects:"],
      columns: ["member", "where", "who"],
      rows: report.access.flatMap(({ member, where, who }) =>
        inGroups(who.map(noted)).map((some) => [member, where.join(", "), some.join(", ")]),
      ),
    },
    verbatim(
      "Errors",
      "danger",
      report.failed && report.isThere ? ["The preview failed, so this is not all that would happen."] : [],
      report.errors,
    ),
    {
      title: "Taken over",
      weight: "danger",
      intro: [
        "These exist already, and become members' own with everything in them.",
        "A namespace is deleted once its member is removed.",
      ],
      columns: ["member", "what"],
      rows: named(report.takenOver),
    },
    {
      title: "Replaced",
      weight: "danger",
      intro: texts(replacementText(report)),
      columns: ["object", "why"],
      rows: report.replacements.map((one) => [one.object, objectText(one)]),
    },
    {
      title: "Leaving",
      weight: "danger",
      intro: [
        ...texts(deletionText(report)),
        ...(report.joining.length > 0 ? ["A new name is a new member: a renamed member loses everything too."] : []),
      ],
      columns: ["member", "type", "what goes"],
      rows: report.leaving.map((one) => [one.member, one.type, leaverText(one)]),
    },
    {
      title: "Buckets that go",
      weight: report.buckets.every(({ fate }) => fate === "kept") ? "warning" : "danger",
      intro: texts(bucketsText(report)),
      columns: ["bucket", "member", "what becomes of it"],
      rows: report.buckets.map(({ bucket, member, what }) => [bucket, member, what]),
    },
    {
      title: "Left behind",
      weight: strandedText(report) === undefined ? "warning" : "danger",
      intro: [
        ...texts(strandedText(report)),
        "Not in the list, but still on the cluster; Pulumi's state does not know them, so 'pulumi up' deletes none of their objects; 'kubecamp up' does: docs/run/offboarding.md.",
      ],
      columns: ["member", "what is there"],
      rows: named(report.stranded),
    },
    {
      title: "Offline",
      weight: "warning",
      intro: ["The preview had no cluster. It can't know:"],
      columns: ["what", "not known"],
      rows: named(report.offline),
    },
    {
      title: "Not checked",
      weight: "warning",
      intro: ["The preview's identity has no right to read these:"],
      columns: ["what", "not known"],
      rows: named(report.unchecked),
    },
    plain(
      "Joining",
      ["member", "type", "gets", "path"],
      report.joining.map((one) => [one.member, one.type, joinerText(one), joinerPath(one, report)]),
    ),
    plain(
      "Changing",
      ["member", "what changes"],
      report.changing.map(({ member, differences }) => [member, differenceLines(differences)]),
    ),
    plain(
      "Routes",
      ["member", "route", "where", "why"],
      report.routes.map((one) => [one.member, one.change, routeText(one), one.reason]),
    ),
    {
      ...plain("Put back", ["object", "what else"], named(report.putBack)),
      intro: ["Changed by hand; the up restores the declaration:"],
    },
    plain(
      "Shared by all members",
      ["object", "what changes"],
      report.shared.map((one) => [one.object, objectText(one)]),
    ),
    {
      ...folded("Pending", ["member", "why"], named(report.pending)),
      intro: ["Paths that open with the first 'pulumi up' that finds a fit Service:"],
    },
    folded(
      "Budgets",
      ["budget", "what the quotas add up to"],
      report.budgets.map(({ name, text }) => [name, text.replaceAll("; ", "\n")]),
    ),
    folded("Nearly full quotas", ["member", "what is used"], named(report.quotas)),
    verbatim("Warnings", "more", [], report.warnings),
  ];
  return sections.filter(({ rows, intro, columns }) => rows.length > 0 || (columns.length === 0 && intro.length > 0));
}

const routeText = ({ url, from }: RouteChange) => (from === undefined ? url : `${from} → ${url}`);

/** A subject, with what it hides from the reader. */
function noted(who: string): string {
  const hidden = hiddenIn(who);
  return hidden === undefined ? who : `${who} (${hidden})`;
}

function inGroups(all: readonly string[]): (readonly string[])[] {
  return all.length <= mostInRow ? [all] : [all.slice(0, mostInRow), ...inGroups(all.slice(mostInRow))];
}

type Rows = ReportSection["rows"];
const plain = (title: string, columns: readonly string[], rows: Rows): ReportSection => ({
  ...{ title, weight: "plain", intro: [], columns, rows },
});
const folded = (...of: Parameters<typeof plain>): ReportSection => ({ ...plain(...of), weight: "more" });

function verbatim(
  title: string,
  weight: ReportSection["weight"],
  intro: readonly string[],
  all: readonly string[],
): ReportSection {
  return {
    title,
    weight,
    intro,
    columns: [],
    rows: all.flatMap((text) => text.split(/\r\n?|\n/).map((line) => [line])),
  };
}

const texts = (text: string | undefined) => (text === undefined ? [] : [text]);
