import { writeFileSync } from "node:fs";
import type { KubernetesObject } from "@kubernetes/client-node";
import { objectKey } from "../../cluster/kinds/objectName.ts";
import { managedObjectOf } from "../../cluster/read/managedObjects.ts";
import { counted } from "../../config/values/sentences.ts";
import { atMoment } from "../../plan/decisions/sleep.ts";
import type { MemberOverview } from "../../plan/members/overview.ts";
import { boardPage } from "../board/boardPage.ts";
import { boardModel, turnsOf } from "../board/model.ts";
import type { BoardOptions } from "../board/options.ts";
import { orProblem } from "../common/problem.ts";
import { labelValues, listsOf } from "./labels.ts";

interface Listed {
  readonly members: readonly MemberOverview[];
  /** Their namespaces, which record who is kept awake. */
  readonly namespaces: readonly KubernetesObject[];
  /** The requested stack, which may be split; undefined for all. */
  readonly stack: string | undefined;
}

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

/** One page with these members. @returns the page, and a note for each stack whose files can't be read */
export function membersPage(listed: Listed, options: BoardOptions, folder: string, now: Date) {
  const { members, stack } = listed;
  if (options.by !== undefined && members.length > 0) {
    // Refuses a label that nobody has, or that can't be read.
    labelValues(options.by, stacksIn(listed), folder);
  }
  const { unread, ...facts } = stackFacts(listed, folder, now);
  const stacks = new Set(members.map((member) => member.stack));
  const only = stacks.size === 1 ? [...stacks][0] : undefined;
  const model = boardModel({ stack: stack ?? only, readAt: now, members, ups: undefined, ...facts });
  return {
    text: boardPage(model, options),
    notes: unread.map((each) => `Note: the page has no labels and no times of sleep of stack ${each}`),
  };
}

const stacksIn = ({ stack, members }: Listed): string[] => [
  ...(stack === undefined ? [] : [stack]),
  ...members.map((member) => member.stack),
];

export function stackFacts(all: Listed, folder: string, now: Date) {
  const { lists, unread } = listsOf(stacksIn(all), folder);
  const managedObjects = new Map(
    all.namespaces.map((home) => [
      objectKey("Namespace", home.metadata?.name ?? ""),
      managedObjectOf("Namespace", home),
    ]),
  );
  const listed = lists.flatMap(({ isOf, members }) => {
    const names = new Set(all.members.filter(({ stack }) => isOf(stack)).map(({ member }) => member));
    return members.filter(({ name }) => names.has(name));
  });
  return {
    labels: new Map(listed.map(({ name, labels }) => [name, labels])),
    turns: turnsOf(atMoment(listed, { managedObjects }, now), { managedObjects }, now),
    unread: unread.map(({ stack, problem }) => `${stack}: ${problem.message}`),
  };
}
