/** Blanks that look like plain ones, and characters that can't be seen at all, as from a word processor or a web page. */
const blank = String.raw`[^\S \t\r\n]|[\u200b-\u200d\u2060\ufeff]`;
const blankAtEnd = new RegExp(`^[\\s-]*(${blank})|(${blank})\\s*$`);
const blankInLine = new RegExp(`^[\\s-]*(?:[^\\s"'#:]+:)?[ \\t]*(${blank})`);
const names: Readonly<Record<string, string>> = { "\u00a0": "a no-break blank", "\u3000": "an ideographic blank" };

/** Other marks than YAML's own, by the beginning of a line that can't be read. */
const others = [
  [/^[\s-]*[^\s"'#:]+\uff1a/, "has a wide colon (U+FF1A); write ': '"],
  [/^\s*[\u2010-\u2015\u2212]/, "begins with another dash than '-'"],
  [/^[\s-]*\w+:[^\s:/]/, "has no blank after the colon"],
] as const;

/** What is odd about a key; undefined if nothing is. */
export const oddInKey = (key: string): string | undefined => blankText(blankAtEnd.exec(key));

/** What is odd about a line that can't be read. */
export const oddInLine = (line: string): string | undefined =>
  blankText(blankInLine.exec(line)) ?? others.find(([mark]) => mark.test(line))?.[1];

function blankText(found: RegExpExecArray | null): string | undefined {
  const [, first, second = ""] = found ?? [];
  const character = first ?? second;
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return found === null
    ? undefined
    : `has ${names[character] ?? "an unseen blank"} (U+${code}) where only a plain one can be; replace all of these`;
}
