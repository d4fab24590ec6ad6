import { writeFileSync } from "node:fs";
import { counted } from "../../config/values/sentences.ts";
import { boardPage } from "../board/boardPage.ts";
import { boardModel } from "../board/model.ts";
import type { BoardOptions } from "../board/options.ts";
import { type Listed, stackFacts } from "../board/stackFacts.ts";
import { orProblem } from "../common/problem.ts";
import { labelValues } from "./labels.ts";

/**
 * One page with these members.
 * @param folder the project's, whose files have labels and schedules
 * @returns the page, and a note for each stack whose files can't be read
 * @throws Problem when nobody has the label to group by
 */
export function membersPage(
  { members, namespaces, stack }: Listed,
  options: BoardOptions,
  folder: string,
  now: Date,
): { readonly text: string; readonly notes: readonly string[] } {
  const stacks = [...new Set(members.map((member) => member.stack))];
  if (options.by !== undefined && members.length > 0) {
    // Refuses a label that nobody has, or that can't be read.
    labelValues(options.by, [...new Set([...(stack === undefined ? [] : [stack]), ...stacks])], folder);
  }
  const { unread, ...facts } = stackFacts({ members, namespaces, stack }, folder, now);
  const only = stacks.length === 1 ? stacks[0] : undefined;
  const model = boardModel({ stack: stack ?? only, readAt: now, members, ups: undefined, ...facts });
  return {
    text: boardPage(model, options),
    notes: unread.map((each) => `Note: the page has no labels and no times of sleep of stack ${each}`),
  };
}

/**
 * Prints a page, or writes it into a file.
 * @throws Problem when the file can't be written
 */
export function printPage(listed: Listed, options: BoardOptions & { readonly out: string | undefined }): void {
  const { text, notes } = membersPage(listed, options, process.cwd(), new Date());
  for (const note of notes) {
    console.error(note);
  }
  const { out } = options;
  if (out === undefined) {
    console.log(text.trimEnd());
    return;
  }
  const remedy = "Name a file that you may write to with --out, then run again.";
  orProblem(`Can't write the page to ${out}.`, remedy, () => writeFileSync(out, text));
  console.log(`Wrote a page with ${counted(listed.members.length, "member")} to ${out}.`);
}
