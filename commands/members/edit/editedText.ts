import {
  Document,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  parseAllDocuments,
  type ToStringOptions,
  YAMLSeq,
} from "yaml";
import { project } from "../../../config/sources/sources.ts";
import { keyText } from "../../../config/sources/yaml.ts";
import { isMap as isValueMap } from "../../../config/values/maps.ts";
import type { ListedEntry } from "./assignments.ts";
import { editMap, entryNode } from "./entryNodes.ts";

export interface ListEdit {
  /** Members by name as they are to be; undefined for one to take out. Others stay. */
  readonly changed: ReadonlyMap<string, ListedEntry | undefined>;
  /** New members, for the end of the list. */
  readonly added: readonly ListedEntry[];
}

/** A list of members in `Pulumi.<stack>.yaml` or in a members file, or the stack's list of staff. */
export type ListKind = "stack" | "members" | "staff";

/** What tells entries apart: a member's name; of staff, who has which role over whom. */
export const idOf = (kind: ListKind, { member, subject, group, role, over }: ListedEntry): string =>
  kind === "staff"
    ? JSON.stringify([subject ?? null, group ?? null, role, isValueMap(over) ? over : {}])
    : String(member);

/** Pulumi's reader takes words such as `yes` as YAML 1.1 does. */
const yamlOptions = { compat: "yaml-1.1", merge: true, prettyErrors: false } as const;

/**
 * A file's text with its list changed. All lines stay but those of changed, new and removed entries. A changed entry has
 * the library's form in all of its lines: one blank between words, before a comment and inside of braces, and new lists and
 * maps over several lines. A list in brackets has that form as a whole, without a comment before the closing bracket. Read
 * the result again before you trust it: an anchor may share a value.
 * @param before the entries by name, with aliases and merged keys resolved
 * @returns undefined if the file has no place for a list
 */
export function editedText(
  text: string,
  kind: ListKind,
  before: ReadonlyMap<string, ListedEntry>,
  { changed, added }: ListEdit,
) {
  const own = text.replaceAll("\r\n", "\n");
  const parsed = parseAllDocuments(own, { ...yamlOptions, keepSourceTokens: true });
  const documents: Document[] = parsed.length > 0 ? [...parsed] : [new Document(null, yamlOptions)];
  const places = documents.flatMap((document) => listPlaces(document, kind));
  const last = places.findLast(({ list }) => isSeq(list) && list.items.length > 0) ?? places.at(-1);
  if (added.length > 0 && last === undefined) {
    return undefined;
  }
  const source = { text: own, form: formOf(own) };
  const lost: number[] = [];
  const splices = places.flatMap((place) => {
    const { document, list } = place;
    const items: unknown[] = isSeq(list) ? list.items : [];
    const edits = { changed: new Set<unknown>(), gone: new Set<unknown>() };
    for (const item of items) {
      const name = nameOf(item, document, kind) ?? "";
      const [old, wanted] = [before.get(name), changed.get(name)];
      if (isMap(item) && old !== undefined && wanted !== undefined) {
        lost.push(...editMap(document, item, old, wanted));
        edits.changed.add(item);
      } else if (changed.has(name)) {
        edits.gone.add(item);
      }
    }
    const like = items.at(-1);
    const flow = isMap(like) && like.flow === true;
    const news = place === last ? added.map((entry) => entryNode(document, entry, { flow })) : [];
    return splicesOf(source, place, { ...edits, added: news });
  });
  const result = splices
    .toSorted((a, b) => b.from - a.from || b.to - a.to)
    .reduce((rest, { from, to, text: part }) => rest.slice(0, from) + part + rest.slice(to), own);
  return {
    text: text.includes("\r\n") ? result.replaceAll("\n", "\r\n") : result,
    lostComments: lost.map((offset) => own.slice(0, offset).split("\n").length),
  };
}

function formOf(text: string): ToStringOptions {
  const next = (what: RegExp) =>
    new RegExp(`^( *)[^\\s#-].*:(?: *#.*)?\\n(?: *(?:#.*)?\\n)*${what.source}`, "m").exec(text) ?? [];
  const [, aboveItem = "", item = "  "] = next(/( *)- /);
  const [, aboveKey = "", key = "  "] = next(/( +)[^\s#-]/);
  return {
    lineWidth: 0,
    indent: Math.max(1, key.length - aboveKey.length),
    indentSeq: item.length > aboveItem.length,
    verifyAliasOrder: false,
  };
}

type Path = readonly (string | number)[];

interface ListPlace {
  readonly document: Document;
  readonly path: Path;
  /** The list, or an empty value. */
  readonly list: unknown;
}

/** Places of lists in a document: one, or one for each object of the operator's. */
const listPlaces = (document: Document, kind: ListKind): ListPlace[] =>
  listPaths(document, kind).map((path) => ({ document, path, list: document.getIn(path, true) }));

function listPaths(document: Document, kind: ListKind): Path[] {
  if (kind !== "members") {
    const name = kind === "stack" ? "members" : kind;
    const key = [`${project}:${name}`, name].find((each) => document.hasIn(["config", each]));
    return key === undefined ? [] : [["config", key]];
  }
  const { contents } = document;
  if (isSeq(contents) || contents === null || (isScalar(contents) && contents.value === null)) {
    return [[]];
  }
  const items = isMap(contents) ? contents.get("items") : undefined;
  const objects: Path[] = isSeq(items) ? items.items.map((_, at) => ["items", at]) : [[]];
  return objects.flatMap((object) => {
    const own = [...object, "members"];
    const isOwn = document.hasIn(own) && !document.hasIn([...object, "kind"]);
    return [isOwn ? own : [...object, "spec", "members"]].filter((path) => document.hasIn(path));
  });
}

function nameOf(entry: unknown, document: Document, kind: ListKind): string | undefined {
  if (kind === "staff") {
    const all: unknown = isMap(entry) ? entry.toJS(document) : undefined;
    return isValueMap(all) ? idOf(kind, all) : undefined;
  }
  const value = isMap(entry) ? entry.get("member", true) : undefined;
  const name: unknown = isNode(value) ? value.toJS(document) : undefined;
  return typeof name === "string" ? name : undefined;
}

interface Source {
  readonly text: string;
  readonly form: ToStringOptions;
}

interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Edits of a list's items; the nodes of changed ones are changed already. */
interface ItemEdits {
  readonly changed: ReadonlySet<unknown>;
  readonly gone: ReadonlySet<unknown>;
  readonly added: readonly Node[];
}

function splicesOf(source: Source, { document, path, list }: ListPlace, edits: ItemEdits): Splice[] {
  if (edits.changed.size + edits.gone.size + edits.added.length === 0) {
    return [];
  }
  const parent = document.getIn(path.slice(0, -1), true);
  const isInBraces = path.length > 0 && isCollection(parent) && parent.flow === true;
  if (!isSeq(list) || (list.items.length === 0 && !isInBraces)) {
    return [startSplice(source, list, edits)];
  }
  if (list.flow === true) {
    return [bracketSplice(source, list, edits)];
  }
  const pair = isMap(parent) ? parent.items.find((each) => keyText(each) === path.at(-1)) : undefined;
  const key = path.length > 0 && isNode(pair?.key) ? pair.key.range?.[1] : undefined;
  const isEmptied = edits.added.length === 0 && edits.gone.size === list.items.length;
  return [...(isEmptied ? [emptySplice(source, list, key)] : []), ...blockSplices(source, list, edits)];
}

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
  if (added.length === 0) {
    return splices;
  }
  const lineEnd = end > 0 && text[end - 1] !== "\n" ? "\n" : "";
  return [...splices, { from: end, to: end, text: lineEnd + printed(added, form, pad) }];
}

/** Writes `[]` for a list that loses its last item. @param key end of the list's key; undefined for a list that has none */
function emptySplice({ text }: Source, list: YAMLSeq, key: number | undefined): Splice {
  const at = key === undefined ? text.lastIndexOf("\n", list.range?.[0]) + 1 : text.indexOf(":", key) + 1;
  return { from: at, to: at, text: key === undefined ? "[]\n" : " []" };
}

function startSplice({ text, form }: Source, list: unknown, { added }: ItemEdits): Splice {
  const [start, end] = (isNode(list) && list.range) || [text.length, text.length];
  const from = text.slice(0, start).trimEnd().length;
  const to = nextLine(text, end);
  const line = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  const pad = line.includes(":")
    ? " ".repeat(/^[ -]*/.exec(line)?.[0].length ?? 0) + (form.indentSeq ? " ".repeat(form.indent ?? 2) : "")
    : "";
  const entries = `${text.slice(end, to).trimEnd()}\n${printed(added, form, pad)}`;
  return { from, to, text: from === 0 ? entries.trimStart() : entries };
}

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
    .replaceAll(/\b(expires|until): "(\d{4}-\d\d-\d\d)"/g, "$1: $2")
    .replaceAll(/^(?=.)/gm, pad);
}

/** The beginning of the line after a place. */
const nextLine = (text: string, at: number): number => text.indexOf("\n", at) + 1 || text.length;
