import { isDeepStrictEqual } from "node:util";
import { membersSource, stackSource } from "../../../config/sources/sources.ts";
import { type Mistake, mistakeLines } from "../../../config/values/mistakes.ts";
import { Problem } from "../../common/problem.ts";
import { replaceFile } from "../../common/replaceFile.ts";
import { checkEdited, checkFiles } from "../checks.ts";
import type { ListedEntry } from "./assignments.ts";
import { entryDifference } from "./differences.ts";
import { editedText, idOf, type ListEdit } from "./editedText.ts";
import { entriesIn, type ListFile } from "./listFile.ts";

export type PlannedEdit = ReturnType<typeof plannedEdit>;

export function plannedEdit(list: ListFile, edit: ListEdit, folder: string, today: string) {
  const nameOf = (entry: ListedEntry) => idOf(list.kind, entry);
  const before = new Map(list.entries.map((entry) => [nameOf(entry), entry]));
  const text = textOf(list, before, edit);
  const content = (list.kind === "members" ? membersSource : stackSource)(list.file, text);
  const checks = checkEdited(list.path, content, folder, today);
  const mistakes = checks.flatMap((check) => check.mistakes);
  if (mistakes.length > 0) {
    throw new Problem("Nothing was written: the list would have mistakes.", {
      why: mistakeLines(withTrueLines(mistakes, list, folder, today)).join("\n"),
      remedy: "Correct the values, or the file, then run again.",
    });
  }
  const wanted = list.entries.flatMap((entry) => {
    const name = nameOf(entry);
    return edit.changed.has(name) ? (edit.changed.get(name) ?? []) : entry;
  });
  if (!isDeepStrictEqual(entriesIn(content, list.kind), [...wanted, ...edit.added])) {
    throw byHand(list, {
      why: "An entry shares the changed part with another, by an anchor (&), an alias (*) or a merge key (<<); or the list is a text of JSON.",
      remedy: "Write the entry or the list as plain YAML, then run again.",
    });
  }
  const differences = [
    ...[...edit.changed].map(([name, after]) => entryDifference(name, before.get(name), after)),
    ...edit.added.map((entry) => entryDifference(nameOf(entry), undefined, entry)),
  ].filter((one) => one !== undefined);
  return { list, text, differences, checks };
}

function textOf(list: ListFile, before: Parameters<typeof editedText>[2], edit: ListEdit): string {
  const edited = editedText(list.text, list.kind, before, edit);
  if (edited === undefined) {
    throw new Problem(`${list.file} has no place for a list of members.`, {
      why: "It is no list, and has no key 'members'.",
      remedy: "Write 'members: []' where the list is to be, then run again. Nothing was written.",
    });
  }
  const { text, lostComments } = edited;
  if (lostComments.length > 0) {
    throw byHand(list, {
      why: `Comments inside of what changes would be lost: line ${lostComments.join(", ")}.`,
      remedy: "Make the change in the file; or put the comments above the changed key, then run again.",
    });
  }
  return text;
}

const byHand = ({ file }: ListFile, details: { readonly why: string; readonly remedy: string }) =>
  new Problem(`Nothing was written: ${file} has to be edited by hand here.`, details);

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

export function writeEdit({ list, text }: PlannedEdit): void {
  replaceFile(list.path, list.bytes, text, list.file);
}
