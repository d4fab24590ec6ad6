import { isDeepStrictEqual } from "node:util";
import { type Document, isCollection, isMap, isNode, isScalar, type Node, type Pair, visit, type YAMLMap } from "yaml";
import { memberSchema } from "../../../config/member/member.ts";
import { keyText } from "../../../config/sources/yaml.ts";
import { isMap as isValueMap } from "../../../config/values/maps.ts";
import type { ListedEntry } from "./assignments.ts";

/** Changes an entry, or a map in it. @returns offsets of replaced items that had comments */
export function editMap(document: Document, map: YAMLMap, old: ListedEntry, wanted: ListedEntry): number[] {
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

/** A new entry, with its keys in the order of the documentation. @param flow whether it is in braces */
export const entryNode = (document: Document, entry: ListedEntry, { flow }: { readonly flow: boolean }): Node =>
  Object.assign(document.createNode(Object.fromEntries(Object.entries(entry).sort(([a], [b]) => rank(a) - rank(b)))), {
    flow,
  });
