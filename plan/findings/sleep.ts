import type { Member } from "../../config/model/members/member.ts";
import { sleepText } from "../decisions/sleep.ts";
import type { Finding } from "../messages/finding.ts";

/** Members who are asleep. Without a watch, they sleep on until somebody runs an up. */
export const sleepTold = (members: readonly Member[]): Finding<"asleep">[] =>
  members
    .filter(({ standing }) => standing === "asleep")
    .map((member) => ({ code: "asleep", member: member.name, facts: { text: sleepText(member) } }));

/** Members of whom a run has not done all that sleeping or waking takes. */
export const unsettledSleepers = (failed: ReadonlyMap<string, string>): Finding<"sleepUnsettled">[] =>
  [...failed].map(([member, why]) => ({ code: "sleepUnsettled", member, facts: { why } }));
