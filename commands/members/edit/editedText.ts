import { Document, isNode, isPair, isSeq, parseAllDocuments, type ToStringOptions } from "yaml";
import { commentsBeyond, commentsIn } from "./comments.ts";
import { withKeptLines } from "./keptLines.ts";
import { append, type Entry, editList, type Gone, type ListEdit } from "./listEdits.ts";
import { type ListKind, listPaths } from "./memberLists.ts";

/** A list's file as it is to be written. */
interface EditedText {
  readonly text: string;
  /** Lines of the former text with comments that would be lost, although what they stand beside stays. */
  readonly lostComments: readonly number[];
}

/**
 * A file's text with its list changed. Comments, order and anchors stay, and so do all lines that the edit leaves as they are. A
 * changed line has the library's form, which differs in this:
 * - one blank stands between words, before a comment, and inside of braces and brackets;
 * - a new list or map goes over several lines, but for one inside of braces;
 * - a comment beside an empty list comes to stand below.
 *
 * All lines have that form where the file's can't be told from the library's: with braces or brackets over several lines, or where
 * the changed lines would not go with the indentation of the others. Read the result again before you trust it: an anchor may share
 * a value.
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
  const documents = documentsIn(own);
  const form = formOf(own);
  const old = textOf(documents, form);
  const gone: Gone[] = [];
  const places = documents.flatMap((document) => listPaths(document, kind).map((path) => ({ document, path })));
  for (const { document, path } of places) {
    const list = document.getIn(path, true);
    if (isSeq(list)) {
      gone.push(...editList(document, list, before, changed));
    }
  }
  const filled = places.filter(({ document, path }) => {
    const list = document.getIn(path);
    return isSeq(list) && list.items.length > 0;
  });
  const place = filled.at(-1) ?? places.at(-1);
  if (added.length > 0 && place === undefined) {
    return undefined;
  }
  if (added.length > 0 && place !== undefined) {
    append(place.document, place.path, added);
  }
  const now = textOf(documents, form);
  const kept = withKeptLines(own, old, now);
  const result = isLike(kept, now, form) ? kept : now;
  const lost = commentsBeyond(commentsBeyond(commentsIn(own), commentsIn(result)), gone.flatMap(commentsOf(own)));
  return {
    text: text.includes("\r\n") ? result.replaceAll("\n", "\r\n") : result,
    lostComments: lost.map(({ line }) => line),
  };
}

/** Whether a text is another one, but for the form, blank lines, and the indentation of comments. */
function isLike(text: string, formed: string, form: ToStringOptions): boolean {
  const documents = documentsIn(text);
  const dense = (each: string) => each.replaceAll(/\n\s*(?=[\n#])/g, "\n").replaceAll(/\n+/g, "\n");
  return documents.every(({ errors }) => errors.length === 0) && dense(textOf(documents, form)) === dense(formed);
}

const documentsIn = (text: string): Document[] => {
  const documents = parseAllDocuments(text, { compat: "yaml-1.1", merge: true, prettyErrors: false });
  return documents.length > 0 ? [...documents] : [emptyDocument(text)];
};

/** A file of comments alone. */
function emptyDocument(text: string): Document {
  const document = new Document(null, { compat: "yaml-1.1" });
  document.commentBefore = commentsIn(text)
    .map((comment) => comment.text.slice(1))
    .join("\n");
  return document;
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

/** A last day is plain, as the documentation writes it; the schema takes both forms. */
const textOf = (documents: readonly Document[], form: ToStringOptions): string =>
  documents
    .map((document) => document.toString(form))
    .join("")
    .replaceAll(/\bexpires: "(\d{4}-\d\d-\d\d)"/g, "expires: $1");

/** Comments inside of an entry or a key, with its value. */
const commentsOf = (text: string) => (gone: Gone) => {
  const parts = isPair(gone) ? [gone.key, gone.value] : [gone];
  const ranges = parts.flatMap((part) => (isNode(part) ? (part.range ?? []) : []));
  return ranges.length === 0 ? [] : commentsIn(text.slice(Math.min(...ranges), Math.max(...ranges)));
};
