import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { isMap, unread } from "../../../config/model/maps.ts";
import { projectConfig, readStackFile } from "../../../config/sources/files.ts";
import { withInherited } from "../../../config/sources/inherited.ts";
import { type Mistake, mistakeLines } from "../../../config/sources/mistakes.ts";
import { withFiles } from "../../../config/sources/pagesFolder.ts";
import type { Source } from "../../../config/sources/sources.ts";
import { Problem } from "../../common/problem.ts";
import { assertProject, ownSource, stacksIn } from "../../common/stackFile.ts";
import type { Entry } from "./listEdits.ts";
import type { ListKind } from "./memberLists.ts";

/** The file with a stack's members. */
export interface ListFile {
  readonly stack: string;
  /** Relative to the project's folder. */
  readonly file: string;
  readonly path: string;
  readonly kind: ListKind;
  readonly text: string;
  /** The file's bytes, to find out whether somebody else has changed it. */
  readonly bytes: Buffer;
  readonly entries: readonly Entry[];
}

/**
 * Finds and reads the file with the members of a stack: of a shard, its family's.
 * @param stack undefined for the folder's only one
 * @param folder the project's, with `Pulumi.yaml`
 * @throws Problem when there is no such stack, or no list in a file
 */
export function readListFile(stack: string | undefined, folder: string): ListFile {
  assertProject(folder);
  const name = familyOf(stack ?? onlyStack(folder), folder);
  const own = ownSource(name, folder);
  const { stack: source, members } = withFiles(withInherited(own, projectConfig(folder)), folder);
  const isOwn = source.raw.members !== undefined || members === undefined;
  if (isOwn && (own.raw.members === undefined || own.raw.members === unread)) {
    const wrong = [...own.mistakes, ...(own.misplaced ?? [])];
    throw noList(name, source.file, source.inheritedFrom?.(["members"]), wrong);
  }
  const file = isOwn ? source.file : members.file;
  const mistakes = isOwn ? own.mistakes : members.mistakes;
  if (mistakes.length > 0) {
    throw new Problem(`${file} has mistakes.`, {
      why: mistakeLines(mistakes).join("\n"),
      remedy: "Correct them, then run again. Nothing was written.",
    });
  }
  const path = resolve(folder, file);
  const kind: ListKind = isOwn ? "stack" : "members";
  const bytes = readFileSync(path);
  // Invalid UTF-8 is a mistake of the file already.
  const text = new TextDecoder("utf-8").decode(bytes);
  return { stack: name, file, path, kind, text, bytes, entries: entriesIn(isOwn ? own : members) };
}

/** The entries of a list, with aliases and merged keys resolved. */
export const entriesIn = ({ raw: { members } }: Source): readonly Entry[] =>
  Array.isArray(members) ? members.filter(isMap) : [];

/** The only stack with a list in a folder. @throws Problem when there are several, or none */
export function onlyStack(folder: string): string {
  const lists = [...new Set(stacksIn(folder).map((stack) => familyOf(stack, folder)))];
  const [only, ...others] = lists;
  if (only === undefined || others.length > 0) {
    throw new Problem("It is not clear which stack's list is meant.", {
      why: `The project in ${folder} has ${lists.length === 0 ? "no stacks" : `the stacks ${lists.join(", ")}`}.`,
      remedy: `Name one with --stack${only === undefined ? "" : `, such as --stack ${only}`}.`,
    });
  }
  return only;
}

/** The stack whose file has the list: of a shard, its family. */
function familyOf(stack: string, folder: string): string {
  const family = readStackFile(folder, stack)?.raw.shardOf;
  return typeof family === "string" ? family : stack;
}

function noList(stack: string, file: string, inheritedFrom: string | undefined, mistakes: readonly Mistake[]): Problem {
  const why =
    inheritedFrom === undefined
      ? [
          `${file} has neither kubecamp:members nor kubecamp:membersFile in clear text.`,
          ...mistakeLines(mistakes),
        ].join("\n")
      : `It is in ${inheritedFrom}, for all stacks of the project.`;
  return new Problem(`Stack '${stack}' has no list of members that this command could edit.`, {
    why,
    remedy:
      mistakes.length > 0
        ? "Correct that, then run again. Nothing was written."
        : `Write 'kubecamp:members: []' below config in ${join(file)}, or name a file with kubecamp:membersFile. Nothing was written.`,
  });
}
