import { nameLines } from "../../cluster/kinds/nameList.ts";

/** First lines of warnings that have a line for everybody or everything that they are about: `  name: what of it`. */
export const warningTitles = {
  leaving: "No longer in the list. 'pulumi up' deletes all that is theirs, and that can't be undone:",
  buckets: "Buckets that are no longer in the list, and what 'pulumi up' does with them:",
  closing: "Routes that were open, and that 'pulumi up' closes:",
  changedByHand: "Changed by hand, and put back by 'pulumi up':",
  /** Without a cluster: what could not be looked at. */
  offline: "Offline: no cluster was asked. What this preview can't know:",
  /** With an identity that has not every right: what could not be looked at or tried. */
  unchecked: "Not checked, because this identity has no right to it:",
  /** What stands before it says how many. */
  pending: "pending, and will open with the first 'pulumi up' that finds a fit Service:",
  starterInTheWay: "No starter app, or not all of it, until this is out of its way, or starter is off for them:",
  bucketInTheWay: "Buckets that nobody in the namespace can find, or not all of it, until this is out of the way:",
  serviceMended:
    "Services taken over or mended by 'pulumi up' (route.readiness.mode: managed); all else in them stays:",
} as const;

/** What stands in one line, with commas between those whom it is about. */
const sentences = {
  accessEnds: "Suspended or expired, and their access and route closed by 'pulumi up': ",
  podsStop: "Suspended or expired, and their pods stopped by 'pulumi up': ",
  expires: "Expires soon: ",
} as const;

type Listed = keyof typeof warningTitles;
type Sentence = keyof typeof sentences;

/** What is worded as a whole, where it is found. */
type Whole =
  | "anyImage"
  | "certificate"
  | "domain"
  | "formerManagers"
  | "idleAdoption"
  | "missing"
  | "moves"
  | "notRelinquished"
  | "owners"
  | "slow"
  | "takenOver"
  | "unmanaged"
  | "unrecorded"
  | "unserved"
  | "unsplit";

/** What a warning is about: programs go by it, whatever the words are. */
export type Code = Listed | Sentence | Whole | "quotaShrinks";

/** Something that somebody should know about a run. */
export interface Finding {
  readonly code: Code;
  /** Name of the member whom it concerns. */
  readonly member?: string;
  /** Those of whom it is told together, since they are many. */
  readonly members?: readonly string[];
  /** The object that it concerns, as messages call it; or what could not be looked at. */
  readonly object?: string;
  /** What of it; empty where the name says all. */
  readonly text: string;
}

/** Of what is worded as a whole; none where there is nothing to be said. */
export const whole = (code: Whole, text: string | undefined): Finding[] => (text === undefined ? [] : [{ code, text }]);

/** The warnings that say it, one for each matter, in the order in which these come first. */
export const textsOf = (findings: readonly Finding[]): string[] =>
  [...Map.groupBy(findings, ({ code }) => code)].flatMap(([code, all]) => {
    if (isListed(code)) {
      return [[titleOf(code, all.length), ...all.map(lineOf), ...endOf(code)].join("\n")];
    }
    if (isSentence(code)) {
      return [sentences[code] + all.map(({ member, text }) => [member, text].filter(Boolean).join(" ")).join(", ")];
    }
    return code === "quotaShrinks"
      ? [all.map(({ member, text }) => `${member}: ${text}`).join("\n")]
      : all.map(({ text }) => text);
  });

/** What a warning's text is about; undefined for what only people read. */
export function codeIn(text: string): Code | undefined {
  const [title = ""] = text.split("\n", 1);
  return text.includes(stillThere)
    ? "moves"
    : Object.keys(warningTitles)
        .filter(isListed)
        .find((each) => title.endsWith(warningTitles[each]));
}

/** What it has said of whom, or of what. */
export function findingsIn(text: string): Finding[] {
  const code = codeIn(text);
  return code !== undefined && isListed(code) ? findingsBelow(code, text.split("\n").slice(1)) : [];
}

/** By which the warning is found again of who is to be handed over. */
export const stillThere = "still where they were before kubecamp:shards was changed";

const isListed = (code: string): code is Listed => code in warningTitles;
const isSentence = (code: string): code is Sentence => code in sentences;

function titleOf(code: Listed, count: number): string {
  const how = count === 1 ? "A route is " : `${count} routes are `;
  return (code === "pending" ? how : "") + warningTitles[code];
}

/** Findings that no name begins are lines of their own, which explain the others. */
function lineOf({ code, member, members, object, text }: Finding): string {
  if (members !== undefined) {
    return `  and ${members.length} more, ${text} in all:\n${nameLines(members, "    ")}`;
  }
  const name = member ?? object;
  const between = code === "serviceMended" ? " " : ": ";
  return name === undefined ? text : `  ${[name, text].filter((part) => part !== "").join(between)}`;
}

const endOf = (code: Listed): string[] =>
  code === "leaving"
    ? [
        "If a later run still names them, an earlier one was killed before it had noted what it made; 'kubecamp up' removes them: docs/offboarding.md.",
      ]
    : [];

/** What is found by the objects' names, or those of what could not be looked at; all else is by members'. */
const byObject: readonly Code[] = ["changedByHand", "offline", "unchecked", "serviceMended"];

/** How the line of the many begins and ends; their names stand below it. */
const restLine = /^ {2}and \d+ more, (.*) in all:$/;

/** What stands below a title, up to the first line without an indent. */
function findingsBelow(code: Listed, lines: readonly string[]): Finding[] {
  const found: { name?: string; text: string; members?: string[] }[] = [];
  for (const line of lines) {
    const [, rest] = restLine.exec(line) ?? [];
    const last = found.at(-1);
    if (!line.startsWith("  ")) {
      break;
    }
    if (rest !== undefined) {
      found.push({ text: rest, members: [] });
    } else if (last?.members !== undefined && line.startsWith("    ")) {
      last.members.push(...line.split(/[\s,]+/).filter((name) => name !== ""));
    } else if (line.startsWith("   ") && last !== undefined) {
      last.text += `\n${line.trim()}`;
    } else {
      const between = code === "serviceMended" ? " " : ": ";
      const [name = "", ...text] = line.trim().split(between);
      found.push({ name, text: text.join(between).trim() });
    }
  }
  return found.map(({ name, ...rest }) => ({
    code,
    ...(name === undefined ? {} : byObject.includes(code) ? { object: name } : { member: name }),
    ...rest,
  }));
}
