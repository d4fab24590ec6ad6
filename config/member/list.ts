import { unread } from "../values/maps.ts";
import { plainMistake, type RawMistake, valueMistake } from "../values/mistakes.ts";

/** Linux's limit of one environment variable in bytes, its name and final zero included. */
const longestVariable = 128 * 1024;

/**
 * Bytes for configuration with other prefixes, and for a list that grows. This program can refuse a configuration with
 * a reason; one that no longer fits is ended by the system before the program starts.
 */
const reserve = 8 * 1024;

const kibibytes = (bytes: number) => Math.ceil(bytes / 1024);

/**
 * Mistake: a configuration too long for the one environment variable in which Pulumi passes it on.
 * @param raw the values under `kubecamp:`, by key
 * @see https://man7.org/linux/man-pages/man2/execve.2.html (MAX_ARG_STRLEN)
 */
export function lengthFindings(raw: Readonly<Record<string, unknown>>): RawMistake[] {
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
  const wayOut = waysOut[longest.key] ?? "shorten it";
  return [plainMistake([longest.key], `${why}; ${wayOut}`)];
}

const waysOut: Readonly<Record<string, string>> = {
  members: "move the list to a file of its own, of any length, and set membersFile to that (docs/run/scale.md)",
  starter: "move the pages to files of their own, and set pagesFolder to their folder (docs/run/starter.md)",
};

/** Pulumi passes values as text in a JSON map of texts, which escapes each quotation mark twice. */
function bytesOf(key: string, value: unknown): number {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return Buffer.byteLength(JSON.stringify({ [`kubecamp:config:${key}`]: text }));
}

export const nestedSettings = plainMistake(
  ["kubecamp"],
  "must not be a map of its own: write each setting below 'config:' with its prefix, as 'kubecamp:members:'",
);

/** The list is either in the stack's configuration or in a file. */
export function listFindings({ members, membersFile }: Readonly<Record<string, unknown>>): RawMistake[] {
  if (members === undefined) {
    const missing = "is missing: must be a list of members; or set membersFile to a file that has one";
    return membersFile === undefined ? [plainMistake(["members"], missing)] : [];
  }
  const both = plainMistake(["membersFile"], "is set beside members; keep one of the two");
  const findings = membersFile === undefined ? [] : [both];
  return Array.isArray(members) || members === unread
    ? findings
    : [...findings, valueMistake(["members"], members, "must be a list of members")];
}
