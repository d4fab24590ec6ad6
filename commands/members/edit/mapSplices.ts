import { isDeepStrictEqual } from "node:util";
import { isMap, isScalar, isSeq, type Pair, type YAMLMap } from "yaml";
import { isMap as isValueMap } from "../../../config/model/maps.ts";
import { bracedPair, type Entry, inlineText, pairLines } from "./entryText.ts";
import { columnOf, contentEnd, lineEnd, lineStart, pairEnd, pairOf, rangeOf } from "./memberNodes.ts";
import type { Splice } from "./splices.ts";

/** The smallest changes to a map's text that make one value of the other. @param isTop whether it is the entry itself */
export function mapSplices(text: string, map: YAMLMap, old: Entry, wanted: Entry, isTop = true): Splice[] {
  const splices: Splice[] = [];
  const added: [string, unknown][] = [];
  for (const key of new Set([...Object.keys(old), ...Object.keys(wanted)])) {
    const [before, after] = [old[key], wanted[key]];
    if (isDeepStrictEqual(before, after)) {
      continue;
    }
    const pair = pairOf(map, key);
    if (pair === undefined) {
      // A merged key can be overridden, but not taken out: reading the result again shows that.
      added.push(...(after === undefined ? [] : [[key, after] as [string, unknown]]));
    } else if (after === undefined) {
      splices.push(removal(text, map, pair, wanted));
    } else if (isValueMap(before) && isValueMap(after) && canEditInside(pair.value, before, after)) {
      splices.push(...mapSplices(text, pair.value, before, after, false));
    } else {
      splices.push(replacement(text, pair, after, isTop ? key : undefined));
    }
  }
  return [...splices, ...additions(text, map, added, isTop)];
}

/** Removals inside a nested map are for maps where something stays before them; others are written anew. */
function canEditInside(node: unknown, before: Entry, after: Entry): node is YAMLMap {
  const own = isMap(node) ? node.items.map(({ key }) => (isScalar(key) ? String(key.value) : "")) : [];
  const removed = Object.keys(before).filter((key) => after[key] === undefined);
  return isMap(node) && own.length > 0 && Object.keys(after).length > 0 && !removed.some((key) => own[0] === key);
}

/** @param name the entry's key, if it is a value of the entry itself */
function replacement(text: string, { key, value }: Pair, wanted: unknown, name?: string): Splice {
  const own = typeof wanted === "string" ? quoted(value, inlineText(wanted, name)) : inlineText(wanted);
  const [start, end] = rangeOf(value);
  if (start === -1 || start === end) {
    const after = rangeOf(key)[1];
    const colon = /^\s*:/.exec(text.slice(after))?.[0].length ?? 0;
    return { start: after + colon, end: after + colon, text: colon === 0 ? `: ${own}` : ` ${own}` };
  }
  const isBlock = (isMap(value) || isSeq(value)) && value.flow !== true;
  const last = isBlock ? contentEnd(value) : end;
  const ending = text[last - 1] === "\n" ? last - 1 : last;
  return { start, end: ending, text: own, staying: [start, ending] };
}

/** A text keeps the quotes that it had. */
function quoted(value: unknown, own: string): string {
  const type = isScalar(value) && typeof value.value === "string" ? value.type : undefined;
  const isPlain = /^[^"'[{]/.test(own);
  if (type === "QUOTE_SINGLE" && isPlain) {
    return `'${own}'`;
  }
  return type === "QUOTE_DOUBLE" && isPlain ? JSON.stringify(own) : own;
}

/**
 * A pair with its lines and the comments on them, or in braces with its comma. Comments above it stay.
 * @param wanted the map as it is to be: in braces, the first pair that stays loses the comma before it
 */
function removal(text: string, map: YAMLMap, pair: Pair, wanted: Entry): Splice {
  const at = map.items.indexOf(pair as YAMLMap["items"][number]);
  const [previous, next] = [map.items[at - 1], map.items[at + 1]];
  const [start, end] = [rangeOf(pair.key)[0], pairEnd(pair as YAMLMap["items"][number])];
  const isGone = ({ key }: Pair) => isScalar(key) && wanted[String(key.value)] === undefined;
  if (previous === undefined || (map.flow === true && map.items.slice(0, at).every(isGone))) {
    const ending = next === undefined ? end : rangeOf(next.key)[0];
    return { start, end: ending, text: "", staying: [lineEnd(text, end), ending] };
  }
  return map.flow === true
    ? { start: pairEnd(previous), end, text: "", staying: [pairEnd(previous), start] }
    : { start: lineStart(text, start), end: lineEnd(text, end), text: "" };
}

function additions(text: string, map: YAMLMap, added: readonly [string, unknown][], isTop: boolean): Splice[] {
  const last = map.items.at(-1);
  if (added.length === 0) {
    return [];
  }
  if (map.flow === true) {
    const pairs = added.map(([key, value]) => bracedPair(key, value, isTop)).join(", ");
    const at = last === undefined ? rangeOf(map)[0] + 1 : pairEnd(last);
    return [{ start: at, end: at, text: last === undefined ? ` ${pairs} ` : `, ${pairs}` }];
  }
  const end = lineEnd(text, contentEnd(map));
  const column = columnOf(text, rangeOf(map.items[0]?.key)[0]);
  const lines = added.flatMap(([key, value]) => pairLines(key, value, isTop));
  const newline = text[end - 1] === "\n" ? "" : "\n";
  return [{ start: end, end, text: newline + lines.map((line) => `${" ".repeat(column)}${line}\n`).join("") }];
}
