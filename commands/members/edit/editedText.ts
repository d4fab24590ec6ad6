import { Document, isMap, isNode, isScalar, isSeq, parseAllDocuments, type ToStringOptions } from "yaml";
import { project } from "../../../config/sources/sources.ts";
import { type Entry, editMap, entryNode, type ListEdit, splicesOf, yamlOptions } from "./splices.ts";

/** The file with a stack's list: `Pulumi.<stack>.yaml`, or its members file. */
export type ListKind = "stack" | "members";

type Path = readonly (string | number)[];

/** A place in a document for a list of members. */
export interface ListPlace {
  readonly document: Document;
  readonly path: Path;
  /** The list, or an empty value. */
  readonly list: unknown;
}

/** Where a document has lists of members: one, or one for each object of the operator's. */
export const listPlaces = (document: Document, kind: ListKind): ListPlace[] =>
  listPaths(document, kind).map((path) => ({ document, path, list: document.getIn(path, true) }));

function listPaths(document: Document, kind: ListKind): Path[] {
  if (kind === "stack") {
    return [`${project}:members`, "members"]
      .map((key) => ["config", key])
      .filter((path) => document.hasIn(path))
      .slice(0, 1);
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

/** The name in an entry. */
export function nameOf(entry: unknown, document: Document): string | undefined {
  const value = isMap(entry) ? entry.get("member", true) : undefined;
  const name: unknown = isNode(value) ? value.toJS(document) : undefined;
  return typeof name === "string" ? name : undefined;
}

/** A list's file as it is to be written. */
interface EditedText {
  readonly text: string;
  /** Lines of the former text with comments that would be lost, although what they stand beside stays. */
  readonly lostComments: readonly number[];
}

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
  before: ReadonlyMap<string, Entry>,
  { changed, added }: ListEdit,
): EditedText | undefined {
  const own = text.replaceAll("\r\n", "\n");
  const parsed = parseAllDocuments(own, { ...yamlOptions, keepSourceTokens: true });
  const documents: Document[] = parsed.length > 0 ? [...parsed] : [new Document(null, yamlOptions)];
  const places = documents.flatMap((document) => listPlaces(document, kind));
  const last = places.filter(({ list }) => isSeq(list) && list.items.length > 0).at(-1) ?? places.at(-1);
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
      const name = nameOf(item, document) ?? "";
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
    const news = (place === last ? added : []).map((entry) => Object.assign(entryNode(document, entry), { flow }));
    return splicesOf(source, place, { ...edits, added: news });
  });
  let at = 0;
  const parts = splices
    .toSorted((a, b) => a.from - b.from)
    .map((splice) => {
      const kept = own.slice(at, splice.from);
      at = splice.to;
      return kept + splice.text;
    });
  const result = parts.join("") + own.slice(at);
  return {
    text: text.includes("\r\n") ? result.replaceAll("\n", "\r\n") : result,
    lostComments: lost.map((offset) => own.slice(0, offset).split("\n").length),
  };
}

/** The steps of a file's indentation. Pulumi's reader takes some plain words of YAML 1.1, such as `yes`, for other values. */
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
