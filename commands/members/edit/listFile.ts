import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { projectConfig, readStackFile } from "../../../config/sources/files.ts";
import { withInherited } from "../../../config/sources/inherited.ts";
import { withFiles } from "../../../config/sources/namedFiles.ts";
import type { Source } from "../../../config/sources/sources.ts";
import { isMap, unread } from "../../../config/values/maps.ts";
import { type Mistake, mistakeLines } from "../../../config/values/mistakes.ts";
import { Problem, refuseMistakes } from "../../common/problem.ts";
import { assertProject, ownSource, stacksIn } from "../../common/stackFile.ts";
import type { ListedEntry } from "./assignments.ts";
import type { ListKind } from "./editedText.ts";

export interface ListFile {
  readonly stack: string;
  readonly file: string;
  readonly path: string;
  readonly kind: ListKind;
  readonly text: string;
  /** The file as it was read. */
  readonly bytes: Buffer;
  readonly entries: readonly ListedEntry[];
}

export function readListFile(stack: string | undefined, folder: string): ListFile {
  assertProject(folder);
  const name = familyOf(stack ?? onlyStack(folder), folder);
  const own = ownSource(name, folder);
  const { stack: source, members } = withFiles(withInherited(own, projectConfig(folder)), folder);
  const isOwn = source.raw.members !== undefined || members === undefined;
  if (isOwn && (own.raw.members === undefined || own.raw.members === unread)) {
    throw noList(name, source, [...own.mistakes, ...(own.misplaced ?? [])]);
  }
  const { file } = isOwn ? source : members;
  const list = isOwn ? own : members;
  refuseMistakes(`${file} has mistakes.`, list.mistakes);
  const path = resolve(folder, file);
  const bytes = readFileSync(path);
  // Invalid UTF-8 is a mistake of the file already.
  const text = new TextDecoder("utf-8").decode(bytes);
  const kind: ListKind = isOwn ? "stack" : "members";
  return { stack: name, file, path, kind, text, bytes, entries: entriesIn(list, kind) };
}

/** The entries of a list, with aliases and merged keys resolved. */
export function entriesIn({ raw }: Source, kind: ListKind): readonly ListedEntry[] {
  const list = kind === "staff" ? raw.staff : raw.members;
  return Array.isArray(list) ? list.filter(isMap) : [];
}

/** The only stack with a list in a folder. @throws Problem when there are several, or none */
export function onlyStack(folder: string): string {
  const lists = [...new Set(stacksIn(folder).map((stack) => familyOf(stack, folder)))];
  const [only, ...others] = lists;
  if (only === undefined || others.length > 0) {
    throw new Problem("It is not clear which stack's list is meant.", {
      why: `The project in ${folder} has ${only === undefined ? "no stacks" : `the stacks ${lists.join(", ")}`}.`,
      remedy: `Name one with --stack${only === undefined ? "" : `, such as --stack ${only}`}.`,
    });
  }
  return only;
}

export function familyOf(stack: string, folder: string): string {
  const family = readStackFile(folder, stack)?.raw.shardOf;
  return typeof family === "string" ? family : stack;
}

function noList(stack: string, { file, inheritedFrom }: Source, mistakes: readonly Mistake[]): Problem {
  const elsewhere = inheritedFrom?.(["members"]);
  const lacking = `${file} has neither kubecamp:members nor kubecamp:membersFile in clear text.`;
  return new Problem(`Stack '${stack}' has no list of members that this command could edit.`, {
    why:
      elsewhere === undefined
        ? [lacking, ...mistakeLines(mistakes)].join("\n")
        : `It is in ${elsewhere}, for all stacks of the project.`,
    remedy:
      mistakes.length > 0
        ? "Correct that, then run again. Nothing was written."
        : `Write 'kubecamp:members: []' below config in ${file}, or name a file with kubecamp:membersFile. Nothing was written.`,
  });
}
