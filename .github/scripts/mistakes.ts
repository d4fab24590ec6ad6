/** `kubecamp members check -o json | node .github/scripts/mistakes.ts`: every mistake where GitHub shows it at its line. */
import { jsonOnStdin } from "./stdin.ts";

interface Mistake {
  readonly file: string | null;
  readonly line: number | null;
  readonly path: string;
  readonly message: string;
}

/** A line break would begin a command of its own, and in the file's name a comma another property. */
const inText = (text: string) => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const inProperty = (text: string) => inText(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

const lists = await jsonOnStdin<readonly { readonly mistakes: readonly Mistake[] }[]>();
for (const { file, line, path, message } of lists.flatMap(({ mistakes }) => mistakes)) {
  console.log(`::error file=${inProperty(file ?? "")},line=${line ?? 1}::${inText(`${path}: ${message}`)}`);
}
