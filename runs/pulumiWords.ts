import { stripVTControlCharacters } from "node:util";
import { messageOf } from "../cluster/api/message.ts";
import { RunError } from "../config/model/runError.ts";

/**
 * An error that Pulumi's command line ended with, in its own words, without the command and the output around it.
 * @param text of the error, or what was printed to stderr
 */
export function errorText(text: string): string {
  if (text.includes("spawn pulumi ENOENT")) {
    return "there is no 'pulumi' on the PATH; install it, or put its folder there";
  }
  if (text.includes("maxBuffer length exceeded")) {
    return "it is longer than the 512 MiB that one text can be here, which takes some 4,000 members; split the list into shards (docs/run/shards.md), or run plain 'pulumi up'";
  }
  const lines = plainText(text).split("\n");
  const first = lines.findIndex((line) => line.startsWith("error: "));
  const last = lines.findLastIndex((line) => line.trimStart().startsWith("err?: "));
  const reported = lines.slice(Math.max(first, 0), last > first ? last : undefined);
  return withWayOut(
    reported
      .filter((line) => !/^\s*(code|stdout):/.test(line))
      .join("\n")
      .replace(/^\s*(stderr|error): /, "")
      .trim(),
  );
}

/** Adds to Pulumi's words what to do about them, where they don't say it: here, when the system would not start the program. */
export function withWayOut(words: string): string {
  return words.includes("argument list too long") && !words.includes(wayOutOfLength)
    ? `${words}\n${wayOutOfLength}`
    : words;
}

const wayOutOfLength = `The configuration is longer than the 128 KiB of the environment variable in which Pulumi hands it to the program.
Move the list of members to a file of its own, of any length, and set kubecamp:membersFile to that (docs/run/scale.md).`;

/** Without colours, as the engine marks them (`<{%reset%}>`) and as terminals do, and without the trace of a stack. */
export function plainText(text: string): string {
  return stripVTControlCharacters(text.replaceAll(/<\{%.*?%\}>/g, ""))
    .split("\n")
    .filter((line) => !/^\s+at \S.*:\d+\)?$/.test(line))
    .join("\n")
    .trim();
}

/**
 * Asks Pulumi something.
 * @param what such as `Stack 'prod' can't be opened`
 * @throws RunError with Pulumi's own words when it fails
 */
export async function inWords<T>(what: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    const text = messageOf(cause);
    const reported = errorText(text);
    throw new RunError(`${what}: ${reported}${reported.endsWith(torn) ? wayOutOfTorn : ""}`);
  }
}

/**
 * What Pulumi says when the file of attributes beside a state is empty, which a run that was killed in the wrong moment
 * leaves in a backend that is a folder. The state itself is replaced in one go and is whole.
 * @see https://pkg.go.dev/gocloud.dev/blob/fileblob#Options
 */
const torn = "failed to load checkpoint: EOF";

const wayOutOfTorn = `
A run was killed while it wrote the file of attributes beside the state, which nothing needs; the state is whole.
Delete it: find FOLDER/.pulumi/stacks -name '*.attrs' -size 0 -delete
With ?metadata=skip at the end of PULUMI_BACKEND_URL no such files are written.`;
