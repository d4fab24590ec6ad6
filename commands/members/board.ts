import { writeFileSync } from "node:fs";
import type { KubernetesObject } from "@kubernetes/client-node";
import { counted } from "../../cluster/kinds/nameList.ts";
import { managedObjectOf } from "../../cluster/read/snapshot/managedObjects.ts";
import { type ClusterSnapshot, objectKey } from "../../cluster/read/snapshot/snapshot.ts";
import { atMoment } from "../../plan/decisions/sleep.ts";
import { boardPage } from "../board/boardPage.ts";
import { type BoardFacts, type BoardMember, boardModel, type Turn, turnsOf } from "../board/model.ts";
import type { BoardOptions } from "../board/options.ts";
import { orProblem, Problem } from "../common/problem.ts";
import { labelValues, listOf } from "./labels.ts";
import type { MemberOverview } from "./overview/overview.ts";

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

/** Facts from stacks' files, beside those of the cluster. */
interface StackFacts extends Required<Pick<BoardFacts, "labels" | "turns">> {
  /** Stacks whose files can't be read, with the reason. */
  readonly unread: readonly string[];
}

/** The members of a page, and where they come from. */
export interface Listed {
  /** As the cluster shows them. */
  readonly members: readonly MemberOverview[];
  /** Theirs, which record who is kept awake. */
  readonly namespaces: readonly KubernetesObject[];
  /** The requested stack, which may be split; undefined for all. */
  readonly stack: string | undefined;
}

/**
 * Labels and times of sleep, which only the stacks' files have.
 * @param folder the project's, with `Pulumi.yaml`
 */
export function stackFacts({ members, namespaces, stack: asked }: Listed, folder: string, now: Date): StackFacts {
  const labels = new Map<string, BoardMember["labels"]>();
  const turns = new Map<string, Turn>();
  const unread: string[] = [];
  const homes = { managedObjects: homesOf(namespaces) };
  let left = [...new Set([...(asked === undefined ? [] : [asked]), ...members.map(({ stack }) => stack)])];
  for (let stack = left.shift(); stack !== undefined; stack = left.shift()) {
    const read = readable(stack, folder);
    if (typeof read === "string") {
      unread.push(`${stack}: ${read}`);
      continue;
    }
    left = left.filter((other) => !read.isOf(other));
    const names = new Set(members.filter((member) => read.isOf(member.stack)).map(({ member }) => member));
    const listed = read.members.filter(({ name }) => names.has(name));
    for (const member of listed) {
      labels.set(member.name, member.labels);
    }
    for (const [name, turn] of turnsOf(atMoment(listed, homes, now), homes, now)) {
      turns.set(name, turn);
    }
  }
  return { labels, turns, unread };
}

/** A stack's list, or why it can't be read. */
function readable(stack: string, folder: string) {
  try {
    return listOf(stack, folder);
  } catch (error) {
    if (error instanceof Problem) {
      return error.message;
    }
    throw error;
  }
}

const homesOf = (homes: readonly KubernetesObject[]): ClusterSnapshot["managedObjects"] =>
  new Map(homes.map((home) => [objectKey("Namespace", home.metadata?.name ?? ""), managedObjectOf("Namespace", home)]));
