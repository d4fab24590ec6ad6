import { Document, isCollection, isMap, isNode, isSeq, type Node, type ToStringOptions, YAMLSeq } from "yaml";
import { keyText } from "../../../config/sources/yaml.ts";
import type { ListPlace } from "./memberLists.ts";

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
