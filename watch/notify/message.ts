import { warningsOf } from "../../plan/messages/catalogue.ts";
import type { ComingCode } from "../../plan/messages/coming/noticeFacts.ts";
import type { Finding } from "../../plan/messages/finding.ts";

/** A message for admins. */
export interface Message {
  /** One line. */
  readonly subject: string;
  /** A paragraph for each kind of thing that comes. */
  readonly text: string;
  readonly stack: string;
  readonly findings: readonly Finding<ComingCode>[];
}

export function messageAbout(stack: string, findings: readonly Finding<ComingCode>[]): Message {
  const members = [...new Set(findings.flatMap(({ member = [] }) => member))];
  const about = members.length === 1 ? members.join() : `${members.length} members`;
  return {
    subject: `kubecamp: about ${about} of stack ${stack}`,
    text: warningsOf(findings)
      .map(({ text }) => text)
      .join("\n\n"),
    stack,
    findings,
  };
}
