import { stripVTControlCharacters } from "node:util";
import { messageOf } from "../cluster/api/errors.ts";
import { type ErrorParts, RunError } from "../config/values/runError.ts";

/** In its own words, without the command and its other output. @param text of the error, or stderr */
export function errorText(text: string): string {
  if (text.includes("spawn pulumi ENOENT")) {
    return "there is no 'pulumi' on the PATH; install it (https://www.pulumi.com/docs/install/), or put its folder there";
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

export function withWayOut(words: string): string {
  const missing = waysOut.filter(([sign, wayOut]) => words.includes(sign) && !words.includes(wayOut));
  return [words, ...missing.map(([, wayOut]) => wayOut)].join("\n");
}

/** A quota says so of a kind that is new on the cluster, and of one that nobody has counted yet. */
const wayOutOfUncounted = `Kubernetes does not count these objects yet, as it takes some minutes for a kind that is new on the cluster.
Run this again in five minutes (docs/run/objects.md#custom-kinds).`;

/** A kill at the wrong moment leaves an empty file of attributes beside the state, which is replaced atomically. */
const wayOutOfTorn = `A run was killed while it wrote the file of attributes beside the state, which nothing needs; the state is whole.
Delete it: find FOLDER/.pulumi/stacks -name '*.attrs' -size 0 -delete
With ?metadata=skip at the end of PULUMI_BACKEND_URL no such files are written.`;

/** Where a stack's passphrase is, to say where none is set, and where it is another's. */
const wayOutOfPassphrase = `Set PULUMI_CONFIG_PASSPHRASE to the passphrase that the stack was made with, or PULUMI_CONFIG_PASSPHRASE_FILE to a file
that has it, then run again (docs/run/state.md).`;

const wayOutOfLogin = `Sign in where the state is, then run again: 'pulumi login' for Pulumi Cloud, 'pulumi login file://FOLDER' for a folder,
'pulumi login s3://BUCKET' for a bucket (docs/run/state.md).`;

const waysOut = [
  ["passphrase must be set with PULUMI_CONFIG_PASSPHRASE", wayOutOfPassphrase],
  ["incorrect passphrase", wayOutOfPassphrase],
  ["PULUMI_ACCESS_TOKEN must be set for login", wayOutOfLogin],
  ["status unknown for quota", wayOutOfUncounted],
  ["failed to load checkpoint: EOF", wayOutOfTorn],
] as const;

/** Pulumi's errors where it takes what is on the cluster for a mark of its own protocol: a label can be one. */
const unreadable =
  /unrecognized signature '|unexpected unknown property value|unexpected Asset (Archive )?property value|malformed (RPC secret|byte string|resource reference|output value)|failed to compute (asset|archive) hash/;

export const notRefreshedText = (reason: string): string | undefined =>
  unreadable.test(reason)
    ? `Pulumi could not refresh, and the run went on without. Somebody has put a text into an object that Pulumi takes for a mark of its own:
  ${reason.split("\n").join("\n  ")}
A member's own object is not in Pulumi's state from now on, and later runs refresh again. If they don't, take the text off
(docs/run/failed-run.md#a-refresh-that-cant-read-an-object).`
    : undefined;

/** Removes colour marks (`<{%reset%}>`), what a terminal would obey, stack traces, and what the SDK adds. */
export function plainText(text: string): string {
  const plain = stripVTControlCharacters(text.replaceAll(/<\{%.*?%\}>/g, ""))
    .replaceAll(/[^\P{Cc}\s\x85]/gu, "")
    .split("\n")
    .filter((line) => !/^\s+at \S.*:\d+\)?$/.test(line))
    .join("\n")
    .trim()
    .replace(/^Unhandled exception: (Error: )?/, "");
  return repeated.test(plain) ? "" : plain;
}

/** What the SDK says of errors that have a message of their own. */
const repeated = /^(One or more errors occurred[:.]|resource .* failed to register$)/;

/** Pulumi's words as a reason, and the way out that belongs to them, if one is known. */
export function partsOf(words: string): ErrorParts {
  const known = waysOut.find(([, wayOut]) => words.endsWith(`\n${wayOut}`));
  return known === undefined ? { why: words } : { why: words.slice(0, -known[1].length - 1), remedy: known[1] };
}

export const isUnknownStack = (error: unknown): error is RunError =>
  RunError.isInstance(error) && error.message.includes("no stack named");

/** @throws RunError with Pulumi's own words; a RunError passes. @param what such as `Stack 'prod' can't be opened` */
export async function inWords<T>(what: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    if (RunError.isInstance(cause)) {
      throw cause;
    }
    throw new RunError(what, partsOf(errorText(messageOf(cause))));
  }
}
