import { isDeepStrictEqual } from "node:util";
import { isMap, type YAMLSeq } from "yaml";
import { commentsIn } from "./comments.ts";
import { bracedEntry, type Entry, entryLines } from "./entryText.ts";
import { mapSplices } from "./mapSplices.ts";
import {
  columnOf,
  contentEnd,
  type EmptyList,
  type EntryNode,
  type ListKind,
  lineEnd,
  lineStart,
  memberNodes,
  rangeOf,
} from "./memberNodes.ts";
import { type Splice, spliced } from "./splices.ts";

/** The list to write. */
export interface ListEdit {
  /** Members by name as they are to be; undefined for one to take out. Others stay. */
  readonly changed: ReadonlyMap<string, Entry | undefined>;
  /** New members, for the end of the list. */
  readonly added: readonly Entry[];
}

/** A list's file as it is to be written. */
export interface EditedText {
  readonly text: string;
  /** Lines of the former text with comments that would be lost, although what they stand beside stays. */
  readonly lostComments: readonly number[];
}

/**
 * A file's text with its list changed. Only the lines of what changes are written anew: comments, order, quotes and
 * indentation of everything else stay. Read the result again before you trust it: an anchor may share a value.
 * @param before the entries by name, with aliases and merged keys resolved
 * @returns undefined if the file has no place for a list
 */
export function editedText(
  text: string,
  kind: ListKind,
  before: ReadonlyMap<string, Entry>,
  { changed, added }: ListEdit,
): EditedText | undefined {
  const { entries, last, empty } = memberNodes(text, kind);
  const isRemoved = ({ name }: EntryNode) => name !== undefined && changed.has(name) && changed.get(name) === undefined;
  const removed = new Set<unknown>(entries.filter(isRemoved).map(({ map }) => map));
  const lists = [...new Set(entries.map(({ list }) => list))];
  const emptied = lists.filter((list) => {
    const theirs = entries.filter((entry) => entry.list === list);
    return theirs.length === list.items.length && theirs.every(isRemoved) && (list !== last || added.length === 0);
  });
  const splices: Splice[] = emptied.map((list) => emptying(text, list));
  for (const entry of entries) {
    const { name, map, list } = entry;
    const [old, wanted] = [before.get(name ?? ""), changed.get(name ?? "")];
    if (emptied.includes(list)) {
      continue;
    }
    if (isRemoved(entry)) {
      splices.push(removal(text, entry, removed));
    } else if (old !== undefined && wanted !== undefined && !isDeepStrictEqual(old, wanted)) {
      splices.push(...mapSplices(text, map, old, wanted));
    }
  }
  if (added.length > 0) {
    const additions =
      last === undefined ? firstEntries(text, empty, added) : furtherEntries(text, last, entries, added);
    if (additions === undefined) {
      return undefined;
    }
    splices.push(...additions);
  }
  return { text: spliced(text, splices), lostComments: lostComments(text, splices) };
}

function lostComments(text: string, splices: readonly Splice[]): number[] {
  const parts = splices.flatMap(({ staying }) => (staying === undefined ? [] : [staying]));
  const lost = commentsIn(text).filter((at) => parts.some(([start, end]) => start <= at && at < end));
  return lost.map((at) => text.slice(0, at).split("\n").length);
}

function emptying(text: string, list: YAMLSeq): Splice {
  const [start] = rangeOf(list);
  const end = Math.max(contentEnd(list), start);
  return { start, end: list.flow === true ? rangeOf(list)[1] : withoutNewline(text, end), text: "[]" };
}

const withoutNewline = (text: string, end: number) => (text[end - 1] === "\n" ? end - 1 : end);

/**
 * The lines of an entry, with the comments inside and those after it that are indented as its keys are.
 * @param removed all entries that go: in brackets, the first one that stays loses the comma before it
 */
function removal(text: string, { map, list, dash }: EntryNode, removed: ReadonlySet<unknown>): Splice {
  if (dash === undefined) {
    const at = list.items.indexOf(map);
    const [start, end] = rangeOf(map);
    const [next, previous] = [list.items[at + 1], list.items[at - 1]];
    return previous === undefined || list.items.slice(0, at).every((each) => removed.has(each))
      ? { start, end: next === undefined ? end : rangeOf(next)[0], text: "" }
      : { start: rangeOf(previous)[1], end, text: "" };
  }
  return { start: lineStart(text, dash), end: entryEnd(text, map, columnOf(text, dash)), text: "" };
}

/** Start of the line after an entry and its own comments. */
function entryEnd(text: string, map: unknown, dashColumn: number): number {
  let end = lineEnd(text, contentEnd(map));
  const comment = /^( *)#.*(\r?\n|$)/;
  for (;;) {
    const [line = "", indent = ""] = comment.exec(text.slice(end, lineEnd(text, end + 1))) ?? [];
    if (line === "" || indent.length <= dashColumn) {
      return end;
    }
    end += line.length;
  }
}

/** Entries for a list that has some, in the form of its last one. */
function furtherEntries(
  text: string,
  list: YAMLSeq,
  entries: readonly EntryNode[],
  added: readonly Entry[],
): Splice[] | undefined {
  const last = list.items.at(-1);
  const dash = entries.find(({ map }) => map === last)?.dash;
  if (list.flow === true) {
    const at = rangeOf(last)[1];
    return [{ start: at, end: at, text: added.map((entry) => `, ${bracedEntry(entry)}`).join("") }];
  }
  if (dash === undefined || !isMap(last)) {
    return undefined;
  }
  const column = columnOf(text, dash);
  const end = entryEnd(text, last, column);
  return [{ start: end, end, text: lines(text, end, column, added, last.flow === true) }];
}

/** The first entries, on the lines after the key, so that a comment beside it stays there. */
function firstEntries(text: string, empty: EmptyList | undefined, added: readonly Entry[]): Splice[] | undefined {
  if (empty === undefined) {
    return undefined;
  }
  const { start, end, keyColumn } = empty;
  const after = lineEnd(text, end);
  return keyColumn === undefined
    ? [{ start, end: after, text: lines(text, start, 0, added, false) }]
    : [
        { start, end, text: "" },
        { start: after, end: after, text: lines(text, after, keyColumn + 2, added, false) },
      ];
}

/** @param offset where the lines begin; the line before it gets its end if it has none */
function lines(text: string, offset: number, column: number, added: readonly Entry[], braced: boolean): string {
  const own = added.flatMap((entry) => (braced ? [`- ${bracedEntry(entry)}`] : entryLines(entry)));
  const newline = offset > 0 && text[offset - 1] !== "\n" ? "\n" : "";
  return newline + own.map((line) => `${" ".repeat(column)}${line}\n`).join("");
}
