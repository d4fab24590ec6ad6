import type { Sleeper } from "../../cluster/write/wakeUp.ts";
import type { Member } from "../../config/member/member.ts";
import { sleepText } from "../../config/schedule.ts";
import type { Finding } from "../messages/finding.ts";

/** Members who are asleep. Without a watch, they sleep on until somebody runs an up. */
export const sleepTold = (members: readonly Member[]): Finding<"asleep">[] =>
  members
    .filter(({ standing }) => standing === "asleep")
    .map((member) => ({ code: "asleep", member: member.name, facts: { text: sleepText(member) } }));

/** Members of whom a run has not done all that sleeping, waking or coming back takes. */
export const unsettledSleepers = (
  failed: ReadonlyMap<string, string>,
  sleepers: readonly Pick<Sleeper, "member" | "wasSuspended">[],
): Finding<"sleepUnsettled" | "backLater">[] => {
  const back = new Set(sleepers.flatMap(({ member, wasSuspended }) => (wasSuspended ? [member] : [])));
  return [...failed].map(([member, why]) => ({
    code: back.has(member) ? "backLater" : "sleepUnsettled",
    member,
    facts: { why },
  }));
};
