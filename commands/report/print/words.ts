import { counted } from "../../../config/values/sentences.ts";
import type { Joiner, ObjectChange, Report, ReportedLeaver, ShownDifference } from "../model.ts";

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
export const differencesText = (all: readonly ShownDifference[]) => all.map(differenceText).join("\n");

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

export function leaverText({ lost, namespaceDeleted, objects }: ReportedLeaver): string {
  if (lost !== undefined && lost !== "") {
    return lost;
  }
  const what = namespaceDeleted ? "namespace with everything in it" : "the rest of their objects, without a namespace";
  return `${what} (${counted(objects, "object")} of kubecamp's)`;
}

export function objectText({ change, differences }: ObjectChange): string {
  return [change, ...differences.map(differenceText)].join("\n");
}

/** Number of namespaces that are deleted, for the alert's start. */
export const deletionText = ({ leaving }: Pick<Report, "leaving">) =>
  deletedText(leaving.filter(({ namespaceDeleted }) => namespaceDeleted).length, "namespace");

/** Number of namespaces of members left behind that are deleted; unknown possessions count. */
export const strandedText = ({ stranded, deletesStranded }: Pick<Report, "stranded" | "deletesStranded">) =>
  deletedText(
    deletesStranded ? stranded.filter((one) => one.losesNamespace && !one.isOnTheirWay).length : 0,
    "namespace",
  );

/** Number of buckets that are deleted for good. */
export const bucketsText = ({ buckets }: Pick<Report, "buckets">) =>
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
