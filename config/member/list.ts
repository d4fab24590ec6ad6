import { z } from "zod";
import type { Rule } from "../rule.ts";
import { isMap, unread, when } from "../values/maps.ts";
import { plainMistake, valueMistake } from "../values/mistakes.ts";
import { optional, text } from "../values/values.ts";

export const membersSchema = optional(
  z.array(z.unknown(), "must be a list of members"),
  "The members. A list above 120 KiB (some 800 members) needs a `membersFile`.",
  {
    examples: [
      [
        { member: "alice", type: "admin", subject: "alice@example.org" },
        { member: "bob", type: "user", maxCPUm: 1000, maxMemoryMiB: 1024, expires: "2026-12-31" },
      ],
    ],
  },
);

export const membersFileSchema = optional(text, "Instead of `members`: a YAML file, relative to the project.", {
  examples: ["members.yaml"],
});

export const nestedRule: Rule = ({ raw: { kubecamp } }) =>
  when(
    isMap(kubecamp) && kubecamp !== unread,
    plainMistake(
      ["kubecamp"],
      "must not be a map of its own: write each setting below 'config:' with its prefix, as 'kubecamp:members:'",
    ),
  );

export const listRule: Rule = ({ raw: { members, membersFile } }) => {
  const missing = "is missing: must be a list of members; or set membersFile to a file that has one";
  return members === undefined
    ? when(membersFile === undefined, plainMistake(["members"], missing))
    : [
        ...when(membersFile !== undefined, plainMistake(["membersFile"], "is set beside members; keep one of the two")),
        ...when(
          !Array.isArray(members) && members !== unread,
          valueMistake(["members"], members, "must be a list of members"),
        ),
      ];
};

/** Linux's limit of one environment variable in bytes, its name and final zero included. */
const longestVariable = 128 * 1024;

/**
 * Bytes for configuration with other prefixes, and for a list that grows. This program can refuse a configuration with
 * a reason; one that no longer fits is ended by the system before the program starts.
 */
const reserve = 8 * 1024;

const kibibytes = (bytes: number) => Math.ceil(bytes / 1024);

/** @see https://man7.org/linux/man-pages/man2/execve.2.html (MAX_ARG_STRLEN) */
export const lengthRule: Rule = ({ raw }) => {
  const lengths = Object.entries(raw).map(([key, value]) => ({ key, bytes: bytesOf(key, value) }));
  const all = lengths.reduce((sum, { bytes }) => sum + bytes, 0);
  const [longest] = lengths.toSorted((a, b) => b.bytes - a.bytes);
  const most = longestVariable - reserve;
  if (longest === undefined || all <= most) {
    return [];
  }
  const why =
    `takes ${kibibytes(longest.bytes)} KiB, and the configuration ${kibibytes(all)} of the ${kibibytes(most)} that fit into ` +
    "the one environment variable in which Pulumi hands it over";
  return [plainMistake([longest.key], `${why}; ${waysOut[longest.key] ?? "shorten it"}`)];
};

const waysOut: Readonly<Record<string, string>> = {
  members: "move the list to a file of its own, of any length, and set membersFile to that (docs/run/scale.md)",
  starter: "move the pages to files of their own, and set pagesFolder to their folder (docs/run/starter.md)",
};

/** Pulumi passes values as text in a JSON map of texts, which escapes each quotation mark twice. */
function bytesOf(key: string, value: unknown): number {
  const json = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return Buffer.byteLength(JSON.stringify({ [`kubecamp:config:${key}`]: json }));
}
