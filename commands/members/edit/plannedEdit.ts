import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { projectConfig, readStackFile } from "../../../config/sources/files.ts";
import { withInherited } from "../../../config/sources/inherited.ts";
import { withFiles } from "../../../config/sources/pagesFolder.ts";
import { membersSource, type Source, stackSource } from "../../../config/sources/sources.ts";
import { isMap, unread } from "../../../config/values/maps.ts";
import { type Mistake, mistakeLines } from "../../../config/values/mistakes.ts";
import { Problem } from "../../common/problem.ts";
import { replaceFile } from "../../common/replaceFile.ts";
import { assertProject, ownSource, stacksIn } from "../../common/stackFile.ts";
import { type Check, checkEdited, checkFiles } from "../checks.ts";
import { type Difference, difference } from "./differences.ts";
import { editedText, type ListKind } from "./editedText.ts";
import type { Entry, ListEdit } from "./splices.ts";

/** An edit that has been checked, and is not written yet. */
export interface PlannedEdit {
  readonly list: ListFile;
  readonly text: string;
  readonly differences: readonly Difference[];
  /** Mistakes that `kubecamp members check` finds in the result. */
  readonly checks: readonly Check[];
}

/**
 * Edits a list in memory, and checks the result as `kubecamp members check` does.
 * @throws Problem when the result has mistakes, or can't be had without changing other entries
 */
export function plannedEdit(list: ListFile, edit: ListEdit, folder: string, today: string): PlannedEdit {
  const before = new Map(list.entries.map((entry) => [String(entry.member), entry]));
  const edited = editedText(list.text, list.kind, before, edit);
  if (edited === undefined) {
    throw new Problem(`${list.file} has no place for a list of members.`, {
      why: "It is no list, and has no key 'members'.",
      remedy: "Write 'members: []' where the list is to be, then run again. Nothing was written.",
    });
  }
  const { text, lostComments } = edited;
  if (lostComments.length > 0) {
    throw new Problem(`Nothing was written: ${list.file} has to be edited by hand here.`, {
      why: `Comments inside of what changes would be lost: line ${lostComments.join(", ")}.`,
      remedy: "Make the change in the file; or put the comments above the changed key, then run again.",
    });
  }
  const content = (list.kind === "stack" ? stackSource : membersSource)(list.file, text);
  const checks = checkEdited(list.path, content, folder, today);
  const mistakes = checks.flatMap((check) => check.mistakes);
  if (mistakes.length > 0) {
    throw new Problem("Nothing was written: the list would have mistakes.", {
      why: mistakeLines(withTrueLines(mistakes, list, folder, today)).join("\n"),
      remedy: "Correct the values, or the file, then run again.",
    });
  }
  const wanted = [
    ...list.entries.flatMap((entry) => {
      const name = String(entry.member);
      return edit.changed.has(name) ? (edit.changed.get(name) ?? []) : entry;
    }),
    ...edit.added,
  ];
  if (!isDeepStrictEqual(entriesIn(content), wanted)) {
    throw new Problem(`Nothing was written: ${list.file} has to be edited by hand here.`, {
      why: "An entry shares the changed part with another, by an anchor (&), an alias (*) or a merge key (<<); or the list is a text of JSON.",
      remedy: "Write the entry or the list as plain YAML, then run again.",
    });
  }
  const differences = [
    ...[...edit.changed].map(([name, after]) => difference(name, before.get(name), after)),
    ...edit.added.map((entry) => difference(String(entry.member), undefined, entry)),
  ].filter((one) => one !== undefined);
  return { list, text, differences, checks };
}

/** Lines of the file as it is, for mistakes that it has already. The others are on lines that are not written yet. */
function withTrueLines(mistakes: readonly Mistake[], list: ListFile, folder: string, today: string): Mistake[] {
  const already = new Map<string, Mistake>();
  for (const mistake of checkFiles([list.path], folder, today).flatMap((check) => check.mistakes)) {
    already.set(`${mistake.path} ${mistake.message}`, mistake);
  }
  const shown = mistakes.map((mistake): Mistake => {
    const { line: _, ...rest } = mistake;
    return already.get(`${mistake.path} ${mistake.message}`) ?? (mistake.file === list.file ? rest : mistake);
  });
  // Several stacks may share the list.
  return [...new Map(shown.map((mistake) => [JSON.stringify(mistake), mistake])).values()];
}

/** @throws Problem when the file has changed meanwhile, or can't be written */
export function writeEdit({ list, text }: PlannedEdit): void {
  replaceFile(list.path, list.bytes, text, list.file);
}

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
const entriesIn = ({ raw: { members } }: Source): readonly Entry[] =>
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
