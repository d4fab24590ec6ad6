import { isStackUrn, logicalNameIn } from "../../../naming/urns.ts";
import type { Warning } from "../../../plan/messages/catalogue.ts";
import type { WarningCode } from "../../../plan/messages/finding.ts";
import { linesOf, warningIn } from "../../../plan/messages/reading.ts";
import { plainText, withWayOut } from "../../../runs/pulumiWords.ts";
import type { Digest } from "../digest.ts";

/** A line below a warning's title: `  name: text`. */
export interface NoticeLine {
  readonly name: string;
  /** Empty if the line is only a name. */
  readonly text: string;
}

/** Messages of a preview, without its steps. */
export interface PreviewNotices {
  readonly leaving: readonly NoticeLine[];
  /** By member, with the bucket's name in the text. */
  readonly buckets: readonly NoticeLine[];
  readonly closing: readonly NoticeLine[];
  readonly changedByHand: readonly NoticeLine[];
  /** Objects that were restored and did not stay so. */
  readonly notKept: readonly NoticeLine[];
  /** Existing objects that become members' (`adopt`). */
  readonly takenOver: readonly NoticeLine[];
  readonly pending: readonly NoticeLine[];
  /** Facts not read because the preview is offline. */
  readonly offline: readonly NoticeLine[];
  /** Facts not read because the preview's identity may not. */
  readonly unchecked: readonly NoticeLine[];
  /** Sums of members' quotas, a line per budget. */
  readonly budgets: readonly NoticeLine[];
  /** Members' quotas that are nearly full, a line for each resource. */
  readonly quotas: readonly NoticeLine[];
  /** All of the program's warnings with their codes, also those that appear elsewhere in the report. */
  readonly findings: readonly Warning[];
  /** Warnings without another place in the report, in their own words. */
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
  /** Whether the preview has failed, also without a reason: the JSON lacks a policy pack's messages. */
  readonly failed: boolean;
}

/** Warnings with their own place in the report; it shows all others in their own words. */
const codes = [
  "leaving",
  "buckets",
  "closing",
  "changedByHand",
  "takenOver",
  "pending",
  "offline",
  "unchecked",
] as const;
const isShown = ({ code }: Warning) => codes.some((each) => each === code);

/** Sorts a preview's messages. */
export function readNotices({ diagnostics }: Pick<Digest, "diagnostics">): PreviewNotices {
  const messagesOf = (severity: string) =>
    diagnostics
      .filter((each) => each.severity === severity)
      .map(({ urn, message }) => reported(message, severity, urn));
  const warnings = [...new Set(messagesOf("warning"))].map(warningIn);
  const notices = [...new Set(messagesOf("info"))].map(warningIn);
  const of = (code: WarningCode) => warnings.filter((one) => one.code === code).flatMap(linesOf);
  const informed = (code: WarningCode) => notices.filter((one) => one.code === code).flatMap(linesOf);
  return {
    leaving: of("leaving"),
    buckets: of("buckets"),
    closing: of("closing"),
    changedByHand: of("changedByHand"),
    notKept: of("notKept"),
    takenOver: of("takenOver"),
    pending: of("pending"),
    offline: of("offline"),
    unchecked: of("unchecked"),
    budgets: informed("budgets"),
    quotas: informed("quotaNearlyFull"),
    findings: warnings.filter(({ code }) => code !== undefined),
    warnings: eachOnce(warnings.flatMap((one) => (one.text === "" || isShown(one) ? [] : [one.text]))),
    // The engine's last error only says that something failed.
    errors: eachOnce(messagesOf("error")).filter((text) => !["", "preview failed", "update failed"].includes(text)),
    failed: diagnostics.some(({ severity }) => severity === "error"),
  };
}

/**
 * The messages, each once. Pulumi's plugin repeats an unreachable API server for each object, with advice for clusters that
 * are gone for good.
 */
function eachOnce(all: readonly string[]): string[] {
  const texts = all.map((text) => {
    if (!/cluster is unreachable|due to unreachable cluster/.test(text)) {
      return text;
    }
    const [, cause] = /cluster is unreachable: (.*)/.exec(text) ?? [];
    return [
      "The API server can't be reached, so that objects could not be looked at.",
      ...(cause === undefined ? [] : [`  ${cause}`]),
      "Correct that, and preview again. Leave PULUMI_K8S_DELETE_UNREACHABLE unset, whatever Pulumi says: with it, Pulumi's",
      "state would forget everything that is on the cluster.",
    ].join("\n");
  });
  return [...new Set(texts)];
}

/** Removes Pulumi's prefix from a message, and adds the resource, unless that is the stack. */
function reported(message: string, severity: string, urn: string | undefined): string {
  const text = withWayOut(plainText(message.replace(new RegExp(`^\\s*${severity}: `), "")));
  const name = urn && logicalNameIn(urn);
  return name === undefined || isStackUrn(urn) ? text : `${name}: ${text}`;
}
