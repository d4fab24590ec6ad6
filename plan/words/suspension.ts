import { counted, firstFew } from "../../config/values/sentences.ts";
import { inOneSentence, lineOf, listed, memberNames, type Why, type WordsOf } from "./wording.ts";

export interface SuspensionWarnings {
  readonly accessEnds: { readonly lastDay: string | undefined; readonly hasLeft: boolean };
  /** Such as `asleep since 2026-11-26 20:00, until 2026-11-27 07:00 Europe/Zurich`. */
  readonly asleep: { readonly text: string };
  /** A member back from a suspension, whose controllers could not be asked to make pods at once. */
  readonly backLater: Why;
  readonly leftRunning: { readonly pods: number };
  readonly podsStop: { readonly pods: number };
  readonly sleepUnsettled: Why;
}

export const suspensionWords: WordsOf<SuspensionWarnings> = {
  accessEnds: inOneSentence(
    "Suspended or expired; 'pulumi up' ends their access and closes their route: ",
    ({ member, facts }) => `${member}${lastDayText(facts)}`,
  ),
  asleep: (all) => [
    [...Map.groupBy(all, ({ facts: { text } }) => text)]
      .map(([text, same]) => `${firstFew(memberNames(same), 20)}: ${text}`)
      .join("\n") +
      "\nThey have access, but no pods and no path. 'kubecamp watch' wakes them in time; without it, the next 'pulumi up'\n" +
      "after that does (docs/run/sleep.md).",
  ],
  backLater: listed(
    "Back from a suspension. Their pods start within a quarter of an hour: kubecamp could not have them start at once\n" +
      "(docs/run/suspension.md#let-the-member-come-back):",
    (one) => lineOf(one, one.facts.why),
  ),
  leftRunning: inOneSentence(
    "Suspended, expired or asleep, but pods still run, because this run did not change their quotas: ",
    podsText,
    ".\nA full run stops them.",
  ),
  podsStop: inOneSentence("Suspended, expired or asleep; 'pulumi up' stops their pods: ", podsText),
  sleepUnsettled: listed("Members whose falling asleep or waking is incomplete; the next run tries again:", (one) =>
    lineOf(one, one.facts.why),
  ),
};

function lastDayText({ lastDay, hasLeft }: SuspensionWarnings["accessEnds"]): string {
  if (hasLeft) {
    return " (left the list)";
  }
  return lastDay === undefined ? "" : ` (the last day was ${lastDay})`;
}

function podsText({
  member,
  facts: { pods },
}: {
  readonly member?: string;
  readonly facts: { readonly pods: number };
}) {
  return `${member} (${counted(pods, "pod")})`;
}
