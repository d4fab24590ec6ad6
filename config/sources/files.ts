import { isUtf8 } from "node:buffer";
import { readdirSync, readFileSync } from "node:fs";
import { isAbsolute, join, normalize } from "node:path";
import { isMap } from "../values/maps.ts";
import { type Mistake, valueAt, valueText } from "../values/mistakes.ts";
import { membersSource, type Source, type Sources, stackSource } from "./sources.ts";
import { readYaml } from "./yaml.ts";

/** Stacks with a settings file, in alphabetical order. @throws if the folder of the settings can't be read */
export function stackNames(folder: string): string[] {
  const files = readdirSync(join(folder, configFolder(folder)));
  return files.flatMap((file) => /^Pulumi\.(.+)\.yaml$/.exec(file)?.[1] ?? []).sort();
}

export const stackFile = (folder: string, stack: string) =>
  normalize(join(configFolder(folder), `Pulumi.${stack}.yaml`));

/** Reads a stack's settings file; undefined if there is none. An unreadable file is a mistake. */
export function readStackFile(folder: string, stack: string): Source | undefined {
  const file = stackFile(folder, stack);
  const text = textOf(join(folder, file));
  if (typeof text === "string") {
    return stackSource(file, text);
  }
  const mistakes = [{ file, path: "", message: unreadable(text) }];
  return text.code === "ENOENT" ? undefined : { ...stackSource(file, ""), mistakes };
}

/**
 * Adds the file of `membersFile`, if it is set. An unreadable file is a mistake, never an empty list. The path may lead
 * out of the project, as to a checkout beside it. An absolute path is refused: it would be valid on one machine, and
 * not in CI.
 * @param folder the project's folder, which the path is relative to
 */
export function withMembersFile(stack: Source, folder: string): Sources {
  const { membersFile: file } = stack.raw;
  if (typeof file !== "string" || file === "") {
    return { stack };
  }
  const text = isAbsolute(file) ? undefined : textOf(join(folder, file));
  if (typeof text === "string") {
    return { stack, members: membersSource(file, text) };
  }
  const why = text === undefined ? absolutePath : unreadable(text);
  return { stack, members: { ...membersSource(file, ""), mistakes: [namedMistake(stack, ["membersFile"], why)] } };
}

/** A mistake of a setting that names a file or a folder. */
export function namedMistake(stack: Source, path: readonly string[], why: string): Mistake {
  const shown = stack.isSecret(path) ? "[secret]" : valueText(valueAt(stack.raw, path));
  const line = stack.lineOf(path);
  return {
    ...(line === undefined ? {} : { file: stack.file, line }),
    path: path.join("."),
    message: `${shown} ${why}`,
  };
}

const noUtf8 = "ERR_ENCODING_INVALID_ENCODED_DATA";

export const absolutePath =
  "is an absolute path, which holds on one machine alone; give it relative to the project's folder";

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "does not exist; give its path relative to the project's folder, where Pulumi.yaml is",
  EISDIR: "is a folder, not a file; give the path of a YAML file",
};

/** Why what a setting names can't be read. @param further reasons by the error's code @throws what is no Error */
export function unreadable(error: unknown, further: Readonly<Record<string, string>> = {}): string {
  if (!(error instanceof Error)) {
    throw error;
  }
  const { code = "", message }: NodeJS.ErrnoException = error;
  const why = code === noUtf8 ? `is ${message}; save it as UTF-8` : `can't be read: ${message}`;
  return { ...reasons, ...further }[code] ?? why;
}

/** Without the byte order mark. @throws if it can't be read, or is not UTF-8, so that letters of names would change */
export function readText(path: string): string {
  const bytes = readFileSync(path);
  if (bytes.includes(0) || !isUtf8(bytes)) {
    const message = `no text in UTF-8, and seems to be ${seemingEncoding(bytes)}`;
    throw Object.assign(new TypeError(message), { code: noUtf8 });
  }
  return new TextDecoder("utf-8").decode(bytes);
}

function textOf(path: string): string | NodeJS.ErrnoException {
  try {
    return readText(path);
  } catch (error) {
    if (error instanceof Error) {
      return error;
    }
    throw error;
  }
}

/** The content of the project's `Pulumi.yaml`; empty if Pulumi would refuse the file. */
export function readProject(folder: string): Readonly<Record<string, unknown>> {
  const project = projectOf(folder);
  return isMap(project) ? project : {};
}

function configFolder(folder: string): string {
  const elsewhere = valueAt(projectOf(folder), ["stackConfigDir"]);
  return typeof elsewhere === "string" ? elsewhere : ".";
}

/** Configuration for all stacks: `config` in the project's `Pulumi.yaml`. */
export function projectConfig(folder: string): Readonly<Record<string, unknown>> {
  const config = valueAt(projectOf(folder), ["config"]);
  return isMap(config) ? config : {};
}

/** The content of `Pulumi.yaml`; undefined if it can't be read. */
function projectOf(folder: string): unknown {
  const text = textOf(join(folder, "Pulumi.yaml"));
  return typeof text === "string" ? readYaml("Pulumi.yaml", text).documents[0]?.value : undefined;
}

/** Encodings of two bytes a letter, in which spreadsheets save a CSV in some countries. */
const ofTwoBytes = { shift_jis: "Shift_JIS", gb18030: "GBK" } as const;

const workbooks = ["504b0304", "d0cf11e0"];

/** The likely encoding of a file that is no UTF-8, for a message; bytes alone don't prove it. */
function seemingEncoding(bytes: Buffer): string {
  if (workbooks.includes(bytes.toString("hex", 0, 4))) {
    return "a spreadsheet's workbook";
  }
  if (bytes.includes(0) || /^(fffe|feff)/.test(bytes.toString("hex", 0, 2))) {
    return "UTF-16";
  }
  // In a word of another encoding, two such letters seldom follow each other.
  const isWord = /[\p{Script=Han}\u3040-\u30ff]{2}/u;
  const found = Object.entries(ofTwoBytes).find(([encoding]) => isWord.test(decoded(bytes, encoding)));
  return found?.[1] ?? "Windows-1252";
}

function decoded(bytes: Buffer, encoding: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return "";
  }
}
