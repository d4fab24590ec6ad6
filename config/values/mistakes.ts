export interface Mistake {
  /** The file, as the user named it; absent if it is not known. */
  readonly file?: string;
  /** Line in that file, from 1: of the key, or of the entry that lacks a key. */
  readonly line?: number;
  /** Such as `members[3].maxCPUm`; empty for a mistake in a file's syntax. */
  readonly path: string;
  /** Such as `50 is below defaultCPUm (100)`. */
  readonly message: string;
}

type Show = (value: unknown) => string;

/** A mistake before it is known which values its message may show. */
export interface RawMistake {
  readonly path: readonly PropertyKey[];
  readonly message: (show: Show) => string;
}

/** A mistake whose message shows no value. */
export const plainMistake = (path: RawMistake["path"], message: string): RawMistake => ({
  path,
  message: () => message,
});

/** A mistake about a value; the message begins with it. */
export const valueMistake = (path: RawMistake["path"], value: unknown, why: string): RawMistake => ({
  path,
  message: (show) => `${show(value)} ${why}`,
});

/** The path of a value in the form that people write, on one line: `members[3].maxCPUm`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((key, at) => (typeof key === "number" ? `[${key}]` : `${at === 0 ? "" : "."}${keyText(key)}`))
    .join("");
}

const keyText = (key: PropertyKey) => (/\p{Cc}/u.test(String(key)) ? JSON.stringify(key) : String(key));

export function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const key of path) {
    value =
      typeof value === "object" && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
  }
  return value;
}

/** The body of a PEM text: useless in a message about a certificate, and secret for a key. */
const pemBody = /(-----BEGIN [^-"]*-----)[^"]+/g;

const userInfo = /(:\/\/)[^/"@]*@/g;

/** Hides secret keys such as `secretAccessKey`, even in a wrong place. */
const withoutSecrets = (key: string, value: unknown) => (/secret.*key/i.test(key) ? "[secret]" : value);

/** A value for a message: short, and on one line. */
export function valueText(value: unknown): string {
  const text = typeof value === "number" ? String(value) : (JSON.stringify(value, withoutSecrets) ?? String(value));
  const shown = text.replaceAll(pemBody, "$1...").replaceAll(userInfo, "$1...@");
  return shown.length > 60 ? `${shown.slice(0, 57)}...` : shown;
}

/** Longer output than a few screens helps nobody. */
const mostLines = 100;

/** A mistake for printing: `members.yaml:12: members[3].maxCPUm: 50 is below …`. */
export function mistakeLine({ file, line, path, message }: Mistake): string {
  const where = file === undefined ? "" : `${file}${line === undefined ? "" : `:${line}`}: `;
  return `${where}${path === "" ? "" : `${path}: `}${message}`.replaceAll(
    everyUnseen,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
}

/** Control and format characters, by which a text may look like another, or move a terminal's cursor. */
export const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** With what is invisible or looks like a plain blank. Escaped, because a file may be anyone's proposal. */
const everyUnseen = new RegExp(`${unseen.source}|(?![ \\u3000])\\p{Zs}`, "gu");

/** Mistakes for printing: at most the first hundred, then the number of further ones. */
export function mistakeLines(mistakes: readonly Mistake[]): string[] {
  const lines = mistakes.slice(0, mostLines).map(mistakeLine);
  return mistakes.length > mostLines ? [...lines, `and ${mistakes.length - mostLines} more`] : lines;
}

/** The text with a mark for each of them. */
export const printable = (text: string): string => text.replaceAll(new RegExp(unseen, "gu"), "?");
