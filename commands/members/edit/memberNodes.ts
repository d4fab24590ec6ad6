import { type Document, isAlias, isMap, isScalar, isSeq, parseAllDocuments, type YAMLMap, type YAMLSeq } from "yaml";
import { project } from "../../../config/sources/sources.ts";
import { keyText } from "../../../config/sources/yaml/yamlValues.ts";

/** The file with a stack's list: `Pulumi.<stack>.yaml`, or its members file. */
export type ListKind = "stack" | "members";

/** A member's entry as it is written. */
export interface EntryNode {
  readonly name: string | undefined;
  readonly map: YAMLMap;
  readonly list: YAMLSeq;
  /** Offset of the `-` before it; undefined in a list in brackets. */
  readonly dash: number | undefined;
}

/** The place of a list that is not there yet, or is empty. */
export interface EmptyList {
  readonly start: number;
  readonly end: number;
  /** Column of the key that has the list; undefined if the file is the list. */
  readonly keyColumn: number | undefined;
}

interface MemberNodes {
  readonly entries: readonly EntryNode[];
  /** The last list in the file, if it has entries. */
  readonly last: YAMLSeq | undefined;
  /** Where an empty list is written, if `last` is undefined; undefined too if the file has no place for one. */
  readonly empty: EmptyList | undefined;
}

/** Finds the members' entries in a file that `readMembers` or `stackSource` reads without mistakes. */
export function memberNodes(text: string, kind: ListKind): MemberNodes {
  const documents = parseAllDocuments(text, { keepSourceTokens: true, prettyErrors: false });
  const places = [...documents].flatMap((document) => placesIn(document, kind, text));
  const lists = places.flatMap(({ list }) => (list !== undefined && list.items.length > 0 ? [list] : []));
  const documentOf = new Map(places.map(({ list, document }) => [list, document]));
  return {
    entries: lists.flatMap((list) => entriesOf(list, documentOf.get(list))),
    last: lists.at(-1),
    empty: places.at(-1)?.empty ?? (kind === "members" && places.length === 0 ? emptyFile(text) : undefined),
  };
}

interface Place {
  readonly document: Document;
  readonly list: YAMLSeq | undefined;
  readonly empty: EmptyList | undefined;
}

const emptyFile = (text: string): EmptyList => ({ start: text.length, end: text.length, keyColumn: undefined });

function placesIn(document: Document, kind: ListKind, text: string): Place[] {
  const { contents } = document;
  const under = (map: unknown, ...keys: readonly string[]): Place[] => {
    const pair = pairOf(map, keys[0] ?? "");
    if (keys.length > 1) {
      return pair === undefined ? [] : under(pair.value, ...keys.slice(1));
    }
    if (pair === undefined) {
      return [];
    }
    const column = columnOf(text, rangeOf(pair.key)[0]);
    return [placeOf(document, pair.value, emptyUnder(text, pair, column))];
  };
  if (kind === "stack") {
    return [`${project}:members`, "members"].flatMap((key) => under(contents, "config", key)).slice(0, 1);
  }
  if (isSeq(contents)) {
    const [start, end] = rangeOf(contents);
    return [placeOf(document, contents, { start, end, keyColumn: undefined })];
  }
  const items = pairOf(contents, "items")?.value;
  const objects = isSeq(items) ? items.items : [contents];
  return objects.flatMap((object) => {
    const own = pairOf(object, "kind") === undefined ? under(object, "members") : [];
    return own.length > 0 ? own : under(object, "spec", "members");
  });
}

function placeOf(document: Document, value: unknown, empty: EmptyList | undefined): Place {
  return { document, list: isSeq(value) ? value : undefined, empty };
}

/** Range after the key's colon to the end of its value: nothing, `null` or `[]`. */
function emptyUnder(text: string, pair: YAMLMap["items"][number], keyColumn: number): EmptyList | undefined {
  const after = rangeOf(pair.key)[1];
  const colon = text.indexOf(":", after);
  const end = Math.max(rangeOf(pair.value)[1], colon + 1);
  return colon === -1 ? undefined : { start: colon + 1, end, keyColumn };
}

function entriesOf(list: YAMLSeq, document: Document | undefined): EntryNode[] {
  const token = list.srcToken;
  const starts = token?.type === "block-seq" ? token.items.map(({ start }) => start) : [];
  return list.items.flatMap((item, at) => {
    const dash = starts[at]?.find(({ type }) => type === "seq-item-ind")?.offset;
    return isMap(item) ? [{ name: nameOf(item, document), map: item, list, dash }] : [];
  });
}

function nameOf(map: YAMLMap, document: Document | undefined): string | undefined {
  const value = pairOf(map, "member")?.value;
  const node = isAlias(value) && document !== undefined ? value.resolve(document) : value;
  return isScalar(node) && typeof node.value === "string" ? node.value : undefined;
}

/** The pair of a key in a map that is written here, not merged into it. */
export const pairOf = (map: unknown, key: string) =>
  isMap(map) ? map.items.find((pair) => keyText(pair) === key) : undefined;

/** Start and end of a node's own text, without comments after it. */
export function rangeOf(node: unknown): readonly [number, number] {
  const { range } = (node ?? {}) as { range?: readonly [number, number, number] | null };
  return range === undefined || range === null ? [-1, -1] : [range[0], range[1]];
}

export const lineStart = (text: string, offset: number) => text.lastIndexOf("\n", offset - 1) + 1;

export const columnOf = (text: string, offset: number) => offset - lineStart(text, offset);

/** Start of the line after an offset. A block scalar ends there itself. */
export function lineEnd(text: string, offset: number): number {
  if (offset > 0 && text[offset - 1] === "\n") {
    return offset;
  }
  const newline = text.indexOf("\n", offset);
  return newline === -1 ? text.length : newline + 1;
}

/** End of a node's last value, without the comments that `range` counts to a map or list. */
export function contentEnd(node: unknown): number {
  if (isMap(node) && node.flow !== true) {
    const last = node.items.at(-1);
    return last === undefined ? rangeOf(node)[1] : pairEnd(last);
  }
  if (isSeq(node) && node.flow !== true && node.items.length > 0) {
    return contentEnd(node.items.at(-1));
  }
  return rangeOf(node)[1];
}

export const pairEnd = ({ key, value }: YAMLMap["items"][number]): number =>
  Math.max(contentEnd(value), rangeOf(key)[1]);
