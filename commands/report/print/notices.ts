import { isStackUrn, logicalNameIn } from "../../../config/names/urns.ts";
import { eachOnce, naming, type UpCommand, warningsOf } from "../../../plan/words/catalogue.ts";
import { handText, notKeptText } from "../../../plan/words/drift.ts";
import type { Finding, WarningCode } from "../../../plan/words/finding.ts";
import { usedText } from "../../../plan/words/notices.ts";
import { takenOverText } from "../../../plan/words/ownership.ts";
import { budgetText } from "../../../plan/words/quotas.ts";
import { offlineText, uncheckedText } from "../../../plan/words/unchecked.ts";
import { plainText, withWayOut } from "../../../runs/pulumiWords.ts";
import type { Digest } from "../digest.ts";

export interface NoticeLine {
  readonly name: string;
  /** Empty if the line is only a name. */
  readonly text: string;
}

export type PreviewNotices = ReturnType<typeof readNotices>;

/** Warnings with their own place in the report; it shows all others in their own words. */
const placed: readonly WarningCode[] = [
  "leaving",
  "buckets",
  "closing",
  "changedByHand",
  "takenOver",
  "pending",
  "offline",
  "unchecked",
];

/** Sorts a preview's findings and messages. @param by the command that texts name */
export function readNotices({ messages, warnings, notices }: Omit<Digest, "steps">, by: UpCommand) {
  const messagesOf = (severity: string) =>
    messages.filter((each) => each.severity === severity).map(({ urn, message }) => reported(message, severity, urn));
  const findings = warningsOf(warnings, by);
  const rest = findings.filter(({ code }) => !placed.includes(code)).map(({ text }) => text);
  const of = <C extends WarningCode>(code: C, textOf: (one: Finding<C>) => string): NoticeLine[] =>
    only(warnings, code).map((one) => ({ name: one.member ?? one.object ?? "", text: naming(textOf(one), by) }));
  return {
    leaving: only(warnings, "leaving"),
    buckets: only(warnings, "buckets"),
    closing: of("closing", ({ facts }) => facts.reason),
    changedByHand: of("changedByHand", handText),
    // Objects that were restored and did not stay so.
    notKept: of("notKept", notKeptText),
    takenOver: [...Map.groupBy(only(warnings, "takenOver"), ({ member = "" }) => member)].map(([name, all]) => ({
      name,
      text: all.map(takenOverText).join(", "),
    })),
    pending: of("pending", ({ facts }) => facts.reason),
    offline: only(warnings, "offline").map(
      ({ facts }): NoticeLine => ({ name: facts.matter, text: offlineText(facts) }),
    ),
    unchecked: of("unchecked", ({ facts }) => uncheckedText(facts)),
    budgets: only(notices, "budgets").map(({ facts }) => ({ name: facts.budget, text: budgetText(facts) })),
    quotas: only(notices, "quotaNearlyFull").map(({ member = "", facts }) => ({ name: member, text: usedText(facts) })),
    // With their codes, also those that appear elsewhere in the report.
    findings,
    // Without another place in the report.
    warnings: shortened([...rest, ...messagesOf("warning").filter((text) => text !== "")]),
    // The engine's last error only says that something failed.
    errors: shortened(messagesOf("error")).filter((text) => !["", "preview failed", "update failed"].includes(text)),
    failed: messages.some(({ severity }) => severity === "error"),
  };
}

const only = <C extends WarningCode>(findings: readonly Finding[], code: C): Finding<C>[] =>
  eachOnce(findings.filter((one): one is Finding<C> & Finding => one.code === code));

/** The messages, each once. Pulumi's plugin repeats an unreachable API server for each object, with bad advice. */
function shortened(all: readonly string[]): string[] {
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
