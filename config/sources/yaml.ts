import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseAllDocuments,
  type Scalar,
} from "yaml";
import type { Mistake } from "../values/mistakes.ts";

/** Blanks that look like plain ones, and characters that can't be seen at all, as from a word processor or a web page. */
const blank = String.raw`[^\S \t\r\n]|[\u200b-\u200d\u2060\ufeff]`;
const blankAtEnd = new RegExp(`^[\\s-]*(${blank})|(${blank})\\s*$`);
const blankInLine = new RegExp(`^[\\s-]*(?:[^\\s"'#:]+:)?[ \\t]*(${blank})`);
const names: Readonly<Record<string, string>> = { "\u00a0": "a no-break blank", "\u3000": "an ideographic blank" };

/** Other marks than YAML's own, by the beginning of a line that can't be read. */
const others = [
  [/^[\s-]*[^\s"'#:]+\uff1a/, "has a wide colon (U+FF1A); write ': '"],
  [/^\s*[\u2010-\u2015\u2212]/, "begins with another dash than '-'"],
  [/^[\s-]*\w+:[^\s:/]/, "has no blank after the colon"],
] as const;

/** The odd blank of a key; undefined without one. */
const oddInKey = (key: string): string | undefined => blankText(blankAtEnd.exec(key));

/** The usual cause why a line can't be read; undefined for another cause. */
const oddInLine = (line: string): string | undefined =>
  blankText(blankInLine.exec(line)) ?? others.find(([mark]) => mark.test(line))?.[1];

function blankText(found: RegExpExecArray | null): string | undefined {
  const [, first, second = ""] = found ?? [];
  const character = first ?? second;
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return found === null
    ? undefined
    : `has ${names[character] ?? "an unseen blank"} (U+${code}) where only a plain one can be; replace all of these`;
}

/** Aliases of aliases let a small file expand to more values than a machine can hold. */
const mostValues = 5_000_000;

/** A node that has no certain value, such as an alias of nothing. */
class NodeError extends Error {
  readonly node: Node;

  constructor(node: Node, message: string) {
    super(message);
    this.node = node;
  }
}

const isNode = (value: unknown): value is Node => isMap(value) || isSeq(value) || isScalar(value) || isAlias(value);

/** A key as text; kubecamp treats all keys as text. */
export const keyText = ({ key }: Pair): string => (isScalar(key) ? String(key.value) : String(key));

/** Readers differ over `010`: to Pulumi and kubectl it is eight. As a text, it is refused where a number is required. */
const scalarOf = ({ value, source = "" }: Scalar): unknown =>
  typeof value === "number" && /^[-+]?0\d/.test(source) ? source : value;

/**
 * The values of a document, and the targets of its aliases. Aliased values are shared, not copied. The package's own
 * toJS searches for each alias from the document's start, which takes minutes if thousands of members share their
 * groups.
 * @throws NodeError if an alias has no anchor, the aliases expand to too many values, or a key has an odd blank
 */
function converted(contents: Node): { value: unknown; targets: ReadonlyMap<Node, Node> } {
  const anchors = new Map<string, { node: Node; value: unknown; weight: number }>();
  const targets = new Map<Node, Node>();
  let weight = 0;
  const add = (node: Node, more: number) => {
    weight += more;
    if (weight > mostValues) {
      throw new NodeError(node, `comes to more than ${mostValues} values with its aliases written out`);
    }
  };
  const convert = (node: unknown): unknown => {
    if (isAlias(node)) {
      const anchor = anchors.get(node.source);
      if (anchor === undefined) {
        throw new NodeError(node, `*${node.source} stands for nothing: there is no &${node.source} before it`);
      }
      targets.set(node, anchor.node);
      add(node, anchor.weight);
      return anchor.value;
    }
    if (!isNode(node)) {
      return null;
    }
    const before = weight;
    add(node, 1);
    const value = contentOf(node);
    if (node.anchor !== undefined) {
      anchors.set(node.anchor, { node, value, weight: weight - before });
    }
    return value;
  };
  const contentOf = (node: Node): unknown => {
    if (isMap(node)) {
      return mapOf(node.items);
    }
    if (isSeq(node)) {
      return node.items.map(convert);
    }
    return isScalar(node) ? scalarOf(node) : null;
  };
  /** A map's own keys override merged ones; of several merged maps, earlier ones override later ones. */
  const mapOf = (pairs: readonly Pair[]): object => {
    const own: [string, unknown][] = [];
    const merged: object[] = [];
    for (const pair of pairs) {
      const key = keyText(pair);
      const odd = oddInKey(key);
      if (odd !== undefined && isNode(pair.key)) {
        throw new NodeError(pair.key, odd);
      }
      const value = convert(pair.value);
      const maps = key === "<<" ? [value].flat().filter((map) => typeof map === "object" && map !== null) : [];
      merged.unshift(...maps.reverse());
      if (maps.length === 0) {
        own.push([key, value]);
      }
    }
    return Object.fromEntries([...merged.flatMap((map) => Object.entries(map)), ...own]);
  };
  return { value: convert(contents), targets };
}

export interface YamlDocument {
  readonly value: unknown;
  readonly line: number;
  /** Line of the key or list item at a path; if it is absent, the line of its parent. */
  lineOf(path: readonly PropertyKey[]): number;
  /** The figures of the number at a path, such as `2.02312E+11`; undefined for any other value. */
  figuresAt(path: readonly PropertyKey[]): string | undefined;
}

/** YAML 1.2, in which dates stay text, with anchors, aliases and merge keys (`<<`), as in Kubernetes' own tools. */
export function readYaml(file: string, text: string) {
  const lines = new LineCounter();
  // The parser itself counts no lines inside of what it can't read.
  for (const { index } of `\n${text}`.matchAll(/\n/g)) {
    lines.addNewLine(index);
  }
  const lineAt = (offset: number) => lines.linePos(offset).line;
  const documents: YamlDocument[] = [];
  const mistakes: Mistake[] = [];
  const noYaml: Mistake[] = [];
  const oddLines: Mistake[] = [];
  let reliable = true;
  for (const { contents, errors } of parseAllDocuments(text, { prettyErrors: false })) {
    let lastLine = 0;
    for (const { code, message, pos } of errors) {
      const line = lineAt(pos[0]);
      if (code === "DUPLICATE_KEY") {
        mistakes.push({ file, line, path: "", message: twiceText(text.slice(pos[0], pos[0] + 100)) });
        continue;
      }
      reliable = false;
      // Further errors on a line mostly follow from the first.
      if (line !== lastLine) {
        const [own = ""] = text.slice(lines.lineStarts[line - 1]).split("\n", 1);
        const odd = oddInLine(own);
        (odd === undefined ? noYaml : oddLines).push({
          file,
          line,
          path: "",
          message: odd ?? noYamlText(own, message),
        });
      }
      lastLine = line;
    }
    if (!reliable || contents === null || (isScalar(contents) && contents.value === null)) {
      continue;
    }
    try {
      documents.push(documentOf(contents, lineAt));
    } catch (error) {
      if (!(error instanceof NodeError)) {
        throw error;
      }
      reliable = false;
      mistakes.push({ file, line: lineAt(offsetOf(error.node)), path: "", message: error.message });
    }
  }
  // Other errors mostly follow from these.
  const others = noYaml.length > mostLines ? otherText(noYaml) : [...mistakes, ...noYaml];
  // After a syntax error, no value is reliable.
  return { documents: reliable ? documents : [], mistakes: oddLines.length > 0 ? oddLines : others };
}

const twiceText = (rest: string) => `the key ${/^.*?(?=\s*(?::\s|:?$))/m.exec(rest)?.[0]} is listed twice; keep one`;

const noYamlText = (line: string, message: string) =>
  `is no YAML: ${/^ *\t/.test(line) ? "a tab indents this line, and only blanks can" : message}`;

/** A few mistakes are enough for a file that is no YAML at all, such as a page of Markdown. */
function otherText(noYaml: readonly Mistake[]): readonly Mistake[] {
  const rest = noYaml.length - mostLines - 1;
  const more = rest === 0 ? "" : `, nor ${rest === 1 ? "is 1 line" : `are ${rest} lines`} after it`;
  const message = `is no YAML either${more}: is this the right file?`;
  return noYaml.slice(0, mostLines + 1).map((mistake, at) => (at === mostLines ? { ...mistake, message } : mistake));
}

const mostLines = 3;

const offsetOf = (node: Node) => node.range?.[0] ?? 0;

function documentOf(contents: Node, lineAt: (offset: number) => number): YamlDocument {
  const { value, targets } = converted(contents);
  const resolved = (node: unknown) => (isAlias(node) ? targets.get(node) : node);
  /** The last node on the way to a path, and where its key or item begins. */
  const nodeAt = (path: readonly PropertyKey[]) => {
    let at: unknown = contents;
    let offset = offsetOf(contents);
    for (const key of path) {
      const parent = resolved(at);
      const pair = isMap(parent) ? parent.items.find((item) => keyText(item) === key) : undefined;
      at = isSeq(parent) ? parent.items[Number(key)] : pair?.value;
      const place = pair?.key ?? at;
      if (!isNode(place)) {
        break;
      }
      offset = offsetOf(place);
    }
    return { node: resolved(at), offset };
  };
  return {
    value,
    line: lineAt(offsetOf(contents)),
    lineOf: (path) => lineAt(nodeAt(path).offset),
    figuresAt: (path) => {
      const { node } = nodeAt(path);
      return isScalar(node) && typeof node.value === "number" ? node.source : undefined;
    },
  };
}
