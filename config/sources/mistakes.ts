/** A mistake in the configuration: where it stands, and what is wrong with what stands there. */
export interface Mistake {
  /** The file that it stands in, as the user named it; absent where that is not known. */
  readonly file?: string;
  /** The line in that file, from 1: of the key, or of the entry that a key is missing from. */
  readonly line?: number;
  /** Such as `members[3].maxCPUm`; empty for a mistake in a file's syntax. */
  readonly path: string;
  /** Such as `50 is below defaultCPUm (100)`. */
  readonly message: string;
}

/** Shows a value in a message. */
export type Show = (value: unknown) => string;

/** A mistake before it is known which of its values may be shown. */
export interface RawMistake {
  readonly path: readonly PropertyKey[];
  readonly message: (show: Show) => string;
}

/** One whose message shows no value. */
export const plainMistake = (path: RawMistake["path"], message: string): RawMistake => ({
  path,
  message: () => message,
});

/** What is wrong with a value, which the message begins with. */
export const valueMistake = (path: RawMistake["path"], value: unknown, why: string): RawMistake => ({
  path,
  message: (show) => `${show(value)} ${why}`,
});

/** The path of a value as people write it, on one line: `members[3].maxCPUm`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((key, at) => (typeof key === "number" ? `[${key}]` : `${at === 0 ? "" : "."}${keyText(key)}`))
    .join("");
}

const keyText = (key: PropertyKey) => (/\p{Cc}/u.test(String(key)) ? JSON.stringify(key) : String(key));

/** The value that stands at a path, or undefined. */
export function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const key of path) {
    value =
      typeof value === "object" && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
  }
  return value;
}

/** What follows the first line of a PEM text: nobody knows a certificate by it, and of a key it is the secret. */
const pemBody = /(-----BEGIN [^-"]*-----)[^"]+/g;

/** A user and a password in an address. */
const userInfo = /(:\/\/)[^/"@]*@/g;

/** Such as `secretAccessKey`, wherever somebody has put it. */
const withoutSecrets = (key: string, value: unknown) => (/secret.*key/i.test(key) ? "[secret]" : value);

/** A value as a message shows it: short, and on one line. */
export function valueText(value: unknown): string {
  const text = typeof value === "number" ? String(value) : (JSON.stringify(value, withoutSecrets) ?? String(value));
  const shown = text.replaceAll(pemBody, "$1...").replaceAll(userInfo, "$1...@");
  return shown.length > 60 ? `${shown.slice(0, 57)}...` : shown;
}

/** More than a screen or two helps nobody. */
const mostLines = 100;

/** A mistake as it is printed: `members.yaml:12: members[3].maxCPUm: 50 is below …`. */
export function mistakeLine({ file, line, path, message }: Mistake): string {
  const where = file === undefined ? "" : `${file}${line === undefined ? "" : `:${line}`}: `;
  return `${where}${path === "" ? "" : `${path}: `}${message}`.replaceAll(
    unseen,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
}

/** What moves a terminal's cursor, turns the direction of writing, or can't be seen: a file may be anybody's proposal. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Mistakes as a run prints them. Of very many, the first hundred, and how many more there are. */
export function mistakeLines(mistakes: readonly Mistake[]): string[] {
  const lines = mistakes.slice(0, mostLines).map(mistakeLine);
  return mistakes.length > mostLines ? [...lines, `and ${mistakes.length - mostLines} more`] : lines;
}
