import { isDeepStrictEqual } from "node:util";
import {
  Document,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type ToStringOptions,
  visit,
  type YAMLMap,
  YAMLSeq,
} from "yaml";
import { memberSchema } from "../../../config/member/member.ts";
import { keyText } from "../../../config/sources/yaml.ts";
import { isMap as isValueMap } from "../../../config/values/maps.ts";
import type { ListPlace } from "./editedText.ts";

/** A member's entry as values. */
export type Entry = Readonly<Record<string, unknown>>;

/** The list to write. */
export interface ListEdit {
  /** Members by name as they are to be; undefined for one to take out. Others stay. */
  readonly changed: ReadonlyMap<string, Entry | undefined>;
  /** New members, for the end of the list. */
  readonly added: readonly Entry[];
}

/** Changes an entry, or a map in it. @returns offsets of replaced items that had comments */
export function editMap(document: Document, map: YAMLMap, old: Entry, wanted: Entry): number[] {
  const lost: number[] = [];
  const keys = new Set([...Object.keys(old), ...Object.keys(wanted)]);
  for (const key of [...keys].filter((each) => !isDeepStrictEqual(old[each], wanted[each]))) {
    const pair = map.items.find((each) => keyText(each) === key);
    const [before, after] = [old[key], wanted[key]];
    // A merged key can be overridden, but not taken out: reading the result again shows that.
    if (pair === undefined) {
      map.items.push(...(after === undefined ? [] : [document.createPair(key, after)]));
    } else if (after === undefined) {
      takeOut(map, pair);
    } else if (isMap(pair.value) && isValueMap(before) && isValueMap(after) && Object.keys(after).length > 0) {
      lost.push(...editMap(document, pair.value, before, after));
    } else {
      lost.push(...commentedIn(pair.value));
      pair.value = replaced(document, pair.value, after);
    }
  }
  return lost;
}

/** Takes a key out of a map. The comment above it stays, above the next key. */
function takeOut(map: YAMLMap, pair: Pair): void {
  const at = map.items.indexOf(pair);
  map.items.splice(at, 1);
  const next = map.items[at]?.key;
  const above = isNode(pair.key) ? pair.key.commentBefore : undefined;
  if (isScalar(next)) {
    next.commentBefore = joined(above, next.commentBefore);
  } else {
    map.comment = joined(above, map.comment);
  }
}

const joined = (...comments: readonly (string | null | undefined)[]): string | null =>
  comments.filter((comment) => typeof comment === "string").join("\n") || null;

/** Where a list or a map has nodes with comments. */
function commentedIn(value: unknown): number[] {
  const found: number[] = [];
  if (isCollection(value)) {
    visit(value, {
      Node: (_, node) => {
        if (node !== value && (node.comment || node.commentBefore)) {
          found.push(node.range?.[0] ?? 0);
        }
      },
    });
  }
  return found;
}

/** A new value with the comments, the anchor, and the quotes or braces of the old one. */
function replaced(document: Document, old: unknown, value: unknown): Node {
  const node = document.createNode(value);
  if (isScalar(old) || isCollection(old)) {
    const { comment, commentBefore, spaceBefore, anchor } = old;
    Object.assign(node, { comment, commentBefore, spaceBefore, anchor });
  }
  if (isScalar(old) && isScalar(node) && typeof old.value === "string" && old.type?.startsWith("QUOTE_")) {
    Object.assign(node, { type: old.type });
  }
  if (isCollection(old) && isCollection(node)) {
    Object.assign(node, { flow: old.flow });
  }
  return node;
}

const order = Object.keys(memberSchema.shape);
const rank = (key: string) => (order.includes(key) ? order.indexOf(key) : order.length);

/** A new entry, with its keys in the order of the documentation. */
export const entryNode = (document: Document, entry: Entry): Node =>
  document.createNode(Object.fromEntries(Object.entries(entry).sort(([a], [b]) => rank(a) - rank(b))));

/** A file's text, and the form of new lines. */
interface Source {
  readonly text: string;
  readonly form: ToStringOptions;
}

/** A part of a text, and what comes in its place. */
interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** What becomes of a list's items, which are changed already. */
interface ItemEdits {
  readonly changed: ReadonlySet<unknown>;
  readonly gone: ReadonlySet<unknown>;
  readonly added: readonly Node[];
}

/** How Pulumi's reader takes words such as `yes`, and what kubecamp reads. */
export const yamlOptions = { compat: "yaml-1.1", merge: true, prettyErrors: false } as const;

/** The splices that edit a list. */
export function splicesOf(source: Source, place: ListPlace, edits: ItemEdits): Splice[] {
  const { document, path, list } = place;
  if (edits.changed.size + edits.gone.size + edits.added.length === 0) {
    return [];
  }
  const parent = document.getIn(path.slice(0, -1), true);
  const isInBraces = path.length > 0 && isCollection(parent) && parent.flow === true;
  if (isSeq(list) && list.flow === true && (list.items.length > 0 || isInBraces)) {
    return [bracketSplice(source, list, edits)];
  }
  return isSeq(list) && list.items.length > 0
    ? [...emptySplices(source, place, list, edits), ...blockSplices(source, list, edits)]
    : [startSplice(source, list, edits)];
}

/** Edits a list of several lines. Comments above an item stay. */
function blockSplices({ text, form }: Source, list: YAMLSeq, { changed, gone, added }: ItemEdits): Splice[] {
  const tokens = list.srcToken?.type === "block-seq" ? list.srcToken.items.map(({ start }) => start) : [];
  const dashed = tokens.flatMap((start) => {
    const dash = start.findIndex(({ type }) => type === "seq-item-ind");
    return dash === -1 ? [] : [start.slice(dash)];
  });
  let [end, pad] = [0, ""];
  const splices = list.items.flatMap((item, at): Splice[] => {
    const [dash, ...others] = dashed[at] ?? [];
    if (!isNode(item) || dash === undefined) {
      return [];
    }
    const from = text.lastIndexOf("\n", dash.offset) + 1;
    pad = text.slice(from, dash.offset);
    end = nextLine(text, from + text.slice(from, item.range?.[2]).trimEnd().length);
    if (!changed.has(item)) {
      return gone.has(item) ? [{ from, to: end, text: "" }] : [];
    }
    const comments = others.filter(({ type }) => type === "comment").map(({ source }) => source.slice(1));
    Object.assign(item, { spaceBefore: false, commentBefore: comments.join("\n") });
    return [{ from, to: end, text: printed([item], form, pad) }];
  });
  const isCut = end > 0 && text[end - 1] !== "\n";
  const more = added.length === 0 ? "" : `${isCut ? "\n" : ""}${printed(added, form, pad)}`;
  return [...splices, { from: end, to: end, text: more }];
}

/** Writes `[]` for a list that loses its last item. */
function emptySplices({ text }: Source, { document, path }: ListPlace, list: YAMLSeq, edits: ItemEdits): Splice[] {
  if (edits.added.length > 0 || edits.gone.size < list.items.length) {
    return [];
  }
  const parent = document.getIn(path.slice(0, -1), true);
  const pair = isMap(parent) ? parent.items.find((each) => keyText(each) === path.at(-1)) : undefined;
  const key = path.length > 0 && isNode(pair?.key) ? pair.key.range?.[1] : undefined;
  const at = key === undefined ? text.lastIndexOf("\n", list.range?.[0]) + 1 : text.indexOf(":", key) + 1;
  return [{ from: at, to: at, text: key === undefined ? "[]\n" : " []" }];
}

/** Begins a list where none or an empty one is. */
function startSplice({ text, form }: Source, list: unknown, { added }: ItemEdits): Splice {
  const [start, end] = (isNode(list) && list.range) || [text.length, text.length];
  const from = text.slice(0, start).trimEnd().length;
  const to = nextLine(text, end);
  const line = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  const isTop = !line.includes(":");
  const pad = isTop
    ? ""
    : " ".repeat(/^[ -]*/.exec(line)?.[0].length ?? 0) + (form.indentSeq ? " ".repeat(form.indent ?? 2) : "");
  const entries = `${text.slice(end, to).trimEnd()}\n${printed(added, form, pad)}`;
  return { from, to, text: from === 0 ? entries.trimStart() : entries };
}

/** Writes a list in brackets anew. */
function bracketSplice({ text, form }: Source, list: YAMLSeq, { gone, added }: ItemEdits): Splice {
  const [from = 0, to = text.length] = list.range ?? [];
  const whole = Object.assign(new YAMLSeq(), {
    flow: true,
    items: list.items.filter((item) => !gone.has(item)).concat(added),
  });
  return { from, to, text: new Document(whole, yamlOptions).toString(form).trimEnd() };
}

/** Items as lines. A last day is plain, as the documentation writes it; the schema takes both forms. */
function printed(items: readonly Node[], form: ToStringOptions, pad: string): string {
  const list = Object.assign(new YAMLSeq(), { items: [...items] });
  return new Document(list, yamlOptions)
    .toString(form)
    .replaceAll(/\bexpires: "(\d{4}-\d\d-\d\d)"/g, "expires: $1")
    .replaceAll(/^(?=.)/gm, pad);
}

/** Where the line after a place begins. */
const nextLine = (text: string, at: number): number => text.indexOf("\n", at) + 1 || text.length;
