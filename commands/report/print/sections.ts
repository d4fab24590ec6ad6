import { hiddenIn } from "../../../config/member/lookAlikes.ts";
import { counted } from "../../../config/values/sentences.ts";
import { differenceLines, differenceText } from "../../../objects/shown/differences.ts";
import type { Report } from "../build.ts";
import type { RouteChange } from "../model.ts";

type ObjectChange = Report["shared"][number];
type Joiner = Report["joining"][number];

export interface ReportSection {
  readonly title: string;
  /** Subject: access, lost data, facts that were not read, ordinary changes, or details. */
  readonly weight: "access" | "danger" | "warning" | "plain" | "more";
  readonly intro: readonly string[];
  /** Headings of a table; empty for verbatim text, which has one line a row. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Parts of a report that are not empty: first access, then the worst. */
export const sectionsOf = (report: Report): ReportSection[] =>
  [access(report), ...losses(report), ...unread(report), ...changes(report), ...details(report)].filter(
    ({ rows, intro, columns }) => rows.length > 0 || (columns.length === 0 && intro.length > 0),
  );

const access = (report: Report): ReportSection => ({
  title: "Access",
  weight: "access",
  intro: ["Given by created or changed objects:"],
  columns: ["member", "where", "who"],
  rows: report.access.flatMap(({ member, where, who }) =>
    inGroups(who.map(noted)).map((some) => [member, where.join(", "), some.join(", ")]),
  ),
});

function losses(report: Report): ReportSection[] {
  const { leaving, buckets, stranded, deletesStranded } = report;
  const deletedBuckets = buckets.filter(({ fate }) => fate === "deleted").length;
  // What is not known of somebody left behind counts as a namespace.
  const goes = stranded.filter((one) => deletesStranded && one.losesNamespace && !one.isOnTheirWay).length;
  return [
    {
      ...{ title: "Errors", weight: "danger", columns: [], rows: linesIn(report.errors) },
      intro: report.failed && report.isThere ? ["The preview failed, so this is not all that would happen."] : [],
    },
    {
      ...{ title: "Taken over", weight: "danger", columns: ["member", "what"], rows: named(report.takenOver) },
      intro: [
        "These exist already, and become members' own with everything in them.",
        "A namespace is deleted once its member is removed.",
      ],
    },
    {
      ...{ title: "Replaced", weight: "danger", columns: ["object", "why"], rows: report.replacements.map(objectRow) },
      intro: replacementText(report),
    },
    {
      ...{ title: "Leaving", weight: "danger", columns: ["member", "type", "what goes"] },
      intro: [
        ...deletedText(leaving.filter((one) => one.namespaceDeleted).length, "namespace"),
        ...(report.joining.length > 0 ? ["A new name is a new member: a renamed member loses everything too."] : []),
      ],
      rows: leaving.map((one) => [one.member, one.type, leaverText(one)]),
    },
    {
      title: "Buckets that go",
      weight: buckets.every(({ fate }) => fate === "kept") ? "warning" : "danger",
      intro: deletedText(deletedBuckets, "bucket"),
      columns: ["bucket", "member", "what becomes of it"],
      rows: buckets.map(({ bucket, member, what }) => [bucket, member, what]),
    },
    {
      ...{ title: "Left behind", weight: goes > 0 ? "danger" : "warning", columns: ["member", "what is there"] },
      intro: [
        ...deletedText(goes, "namespace"),
        "Not in the list, but still on the cluster; Pulumi's state does not know them, so 'pulumi up' deletes none of their objects; 'kubecamp up' does: docs/run/offboarding.md.",
      ],
      rows: named(stranded),
    },
  ];
}

const unread = ({ offline, unchecked }: Report): ReportSection[] => [
  {
    ...{ title: "Offline", weight: "warning", columns: ["what", "not known"], rows: named(offline) },
    intro: ["The preview had no cluster. It can't know:"],
  },
  {
    ...{ title: "Not checked", weight: "warning", columns: ["what", "not known"], rows: named(unchecked) },
    intro: ["The preview's identity has no right to read these:"],
  },
];

const plain = { weight: "plain", intro: [] } as const;

const changes = (report: Report): ReportSection[] => [
  {
    ...{ ...plain, title: "Joining", columns: ["member", "type", "gets", "path"] },
    rows: report.joining.map((one) => [one.member, one.type, joinerText(one), joinerPath(one, report)]),
  },
  {
    ...{ ...plain, title: "Changing", columns: ["member", "what changes"] },
    rows: report.changing.map(({ member, differences }) => [member, differenceLines(differences)]),
  },
  {
    ...{ ...plain, title: "Routes", columns: ["member", "route", "where", "why"] },
    rows: report.routes.map((one) => [one.member, one.change, routeText(one), one.reason]),
  },
  {
    ...{ ...plain, title: "Put back", columns: ["object", "what else"], rows: named(report.putBack) },
    intro: ["Changed by hand; the up restores the declaration:"],
  },
  {
    ...{ ...plain, title: "Shared by all members", columns: ["object", "what changes"] },
    rows: report.shared.map(objectRow),
  },
];

const folded = { weight: "more", intro: [] } as const;

const details = ({ pending, budgets, quotas, warnings }: Report): ReportSection[] => [
  {
    ...{ ...folded, title: "Pending", columns: ["member", "why"], rows: named(pending) },
    intro: ["Paths that open with the first 'pulumi up' that finds a fit Service:"],
  },
  {
    ...{ ...folded, title: "Budgets", columns: ["budget", "what the quotas add up to"] },
    rows: budgets.map(({ name, text }) => [name, text.replaceAll("; ", "\n")]),
  },
  { ...folded, title: "Nearly full quotas", columns: ["member", "what is used"], rows: named(quotas) },
  { ...folded, title: "Warnings", columns: [], rows: linesIn(warnings) },
];

const named = (all: readonly { readonly name: string; readonly text: string }[]) =>
  all.map(({ name, text }) => [name, text]);

const objectRow = ({ object, change, differences }: ObjectChange) => [
  object,
  [change, ...differences.map(differenceText)].join("\n"),
];

const linesIn = (texts: readonly string[]) => texts.flatMap((text) => text.split(/\r\n?|\n/).map((line) => [line]));

function noted(who: string): string {
  const hidden = hiddenIn(who);
  return hidden === undefined ? who : `${who} (${hidden})`;
}

/** Subjects in one row, so that each row has room in a comment. */
const mostInRow = 10;

function inGroups(all: readonly string[]): (readonly string[])[] {
  return all.length <= mostInRow ? [all] : [all.slice(0, mostInRow), ...inGroups(all.slice(mostInRow))];
}

export function joinerText({ subjects, quota, notes }: Joiner): string {
  const who = subjects.length === 0 ? "opened to nobody yet" : `opened to ${subjects.join(", ")}`;
  return [who, quota === undefined ? "no quota" : quota.join(", "), ...notes].join("; ");
}

export function joinerPath(
  { member, url }: Joiner,
  { pending, offline, unchecked }: Pick<Report, "pending" | "offline" | "unchecked">,
): string {
  const why = pending.find(({ name }) => name === member)?.text;
  if (url !== undefined || why !== undefined) {
    return url ?? `pending: ${why}`;
  }
  // If Services or routes could not be read, it is unknown whether there is one.
  const isKnown = offline.length === 0 && unchecked.every(({ name }) => name === "admission");
  return isKnown ? "none" : "not checked";
}

const routeText = ({ url, from }: RouteChange) => (from === undefined ? url : `${from} → ${url}`);

function leaverText({ lost, namespaceDeleted, objects }: Report["leaving"][number]): string {
  if (lost !== undefined && lost !== "") {
    return lost;
  }
  const what = namespaceDeleted ? "namespace with everything in it" : "the rest of their objects, without a namespace";
  return `${what} (${counted(objects, "object")} of kubecamp's)`;
}

function deletedText(count: number, one: string): string[] {
  const [are, them] = count === 1 ? ["is", "it"] : ["are", "them"];
  return count === 0
    ? []
    : [`${counted(count, one)} ${are} deleted, with everything in ${them}. That can't be undone.`];
}

export function replacementText({ replacements }: Pick<Report, "replacements">): string[] {
  const emptied = replacements.some(isNamespace) ? " All that is in a replaced namespace is lost." : "";
  return replacements.length === 0
    ? []
    : [
        `${counted(replacements.length, "object")} ${replacements.length === 1 ? "is" : "are"} replaced: deleted, and made anew. ` +
          `If that fails, it is lost.${emptied} Only a program of your own has Pulumi do that: ` +
          "if yours does not, don't run the up, and report a bug of kubecamp.",
      ];
}

/** A replaced namespace is as great a loss as a deleted one. */
export const isNamespace = ({ object }: Pick<ObjectChange, "object">) => object.startsWith("Namespace ");
