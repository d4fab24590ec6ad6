import { isDeepStrictEqual } from "node:util";
import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type YAMLMap,
  YAMLSeq,
} from "yaml";
import { isMap as isValueMap } from "../../../config/model/maps.ts";
import { memberSchema } from "../../../config/schema/members/member.ts";
import { keyText } from "../../../config/sources/yaml/yamlValues.ts";
import { nameOf } from "./memberLists.ts";

/** A member's entry as values. */
export type Entry = Readonly<Record<string, unknown>>;

/** The list to write. */
export interface ListEdit {
  /** Members by name as they are to be; undefined for one to take out. Others stay. */
  readonly changed: ReadonlyMap<string, Entry | undefined>;
  /** New members, for the end of the list. */
  readonly added: readonly Entry[];
}

/** An entry or a key that an edit takes out. */
export type Gone = unknown;

/** Changes the entries of a list. @returns what went */
export function editList(
  document: Document,
  list: YAMLSeq,
  before: ListEdit["changed"],
  changed: ListEdit["changed"],
): Gone[] {
  const gone = takenOut(
    list,
    (item) => {
      const name = nameOf(item, document) ?? "";
      return changed.has(name) && changed.get(name) === undefined;
    },
    (item) => item,
  );
  const edited = list.items.flatMap((item) => {
    const name = nameOf(item, document) ?? "";
    const [old, wanted] = [before.get(name), changed.get(name)];
    return isMap(item) && old !== undefined && wanted !== undefined ? editMap(document, item, old, wanted) : [];
  });
  if (list.items.length === 0 && gone.length > 0) {
    list.flow = true;
    document.comment = joined(list.comment, document.comment) ?? null;
    list.comment = null;
  }
  return [...gone, ...edited];
}

function editMap(document: Document, map: YAMLMap, old: Entry, wanted: Entry): Gone[] {
  const inner: Gone[] = [];
  const differing = [...new Set([...Object.keys(old), ...Object.keys(wanted)])].filter(
    (key) => !isDeepStrictEqual(old[key], wanted[key]),
  );
  for (const key of differing.filter((each) => wanted[each] !== undefined)) {
    const pair = map.items.find((each) => keyText(each) === key);
    const [before, after] = [old[key], wanted[key]];
    if (pair === undefined) {
      // A merged key can be overridden, but not taken out: reading the result again shows that.
      map.items.push(document.createPair(key, after));
    } else if (isMap(pair.value) && isValueMap(before) && isValueMap(after) && Object.keys(after).length > 0) {
      inner.push(...editMap(document, pair.value, before, after));
    } else {
      pair.value = replaced(document, pair.value, after);
    }
  }
  const isGone = (pair: Pair) => differing.includes(keyText(pair)) && wanted[keyText(pair)] === undefined;
  return [...inner, ...takenOut(map, isGone, ({ key }) => key)];
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

/** Takes items out of a list or a map. The comments above them stay, above what comes next. */
function takenOut<Item>(
  collection: { items: Item[]; comment?: string | null },
  isGone: (item: Item) => boolean,
  headOf: (item: Item) => unknown,
): Item[] {
  const all = collection.items;
  const gone = new Set(all.filter(isGone));
  collection.items = all.filter((item) => !gone.has(item));
  let above: string | null | undefined;
  for (const item of all) {
    const head = headOf(item);
    if (!isNode(head) || isAlias(head)) {
      continue;
    }
    above = joined(above, head.commentBefore);
    if (!gone.has(item)) {
      head.commentBefore = above ?? null;
      above = undefined;
    }
  }
  collection.comment = joined(above, collection.comment) ?? null;
  return [...gone];
}

const joined = (...comments: readonly (string | null | undefined)[]): string | undefined =>
  comments.filter((comment) => typeof comment === "string").join("\n") || undefined;

const order = Object.keys(memberSchema.shape);
const rank = (key: string) => (order.includes(key) ? order.indexOf(key) : order.length);

/** Adds entries to a list, which may not be there yet, in the form of its last one. */
export function append(document: Document, path: readonly (string | number)[], added: readonly Entry[]): void {
  const found = document.getIn(path, true);
  const list = isSeq(found) ? found : new YAMLSeq(document.schema);
  const last = list.items.at(-1);
  list.items.push(
    ...added.map((entry) => {
      const pairs = Object.entries(entry).sort(([a], [b]) => rank(a) - rank(b));
      return Object.assign(document.createNode(Object.fromEntries(pairs)), { flow: isMap(last) && last.flow === true });
    }),
  );
  if (last === undefined) {
    const { comment, commentBefore } = isNode(found) && !isAlias(found) ? found : list;
    Object.assign(list, { flow: false, comment: null, commentBefore: joined(commentBefore, comment) });
  }
  if (path.length === 0) {
    document.contents = list as typeof document.contents;
  } else {
    document.setIn(path, list);
  }
}
