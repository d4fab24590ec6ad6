import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseAllDocuments } from "yaml";
import type { Mistake } from "../mistakes.ts";
import { oddInLine } from "./oddCharacters.ts";
import { converted, isNode, keyText, NodeError } from "./yamlValues.ts";

/** A document of a YAML file: its value and lines. */
export interface YamlDocument {
  readonly value: unknown;
  /** First line of the document. */
  readonly line: number;
  /** Line of the key or list item at a path; if it is absent, the line of its parent. */
  lineOf(path: readonly PropertyKey[]): number;
  /** The figures of the number at a path, such as `2.02312E+11`; undefined for any other value. */
  figuresAt(path: readonly PropertyKey[]): string | undefined;
}

/** A YAML file's documents and its syntax errors. */
interface YamlText {
  /** Documents that are not empty; none after a syntax error that makes the values unreliable. */
  readonly documents: readonly YamlDocument[];
  readonly mistakes: readonly Mistake[];
}

/**
 * Reads YAML 1.2, in which dates stay text, with anchors, aliases and merge keys (`<<`), as Kubernetes' own tools do.
 * @param file name of the file, for mistakes
 * @see https://yaml.org/spec/1.2.2/
 */
export function readYaml(file: string, text: string): YamlText {
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
        const key = /^.*?(?=\s*(?::\s|:?$))/m.exec(text.slice(pos[0], pos[0] + 100))?.[0];
        mistakes.push({ file, line, path: "", message: `the key ${key} is listed twice; keep one` });
        continue;
      }
      reliable = false;
      // Further errors on a line mostly follow from the first.
      if (line !== lastLine) {
        const [own = ""] = text.slice(lines.lineStarts[line - 1]).split("\n", 1);
        const odd = oddInLine(own);
        const why = /^ *\t/.test(own) ? "a tab indents this line, and only blanks can" : message;
        (odd === undefined ? noYaml : oddLines).push({ file, line, path: "", message: odd ?? `is no YAML: ${why}` });
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
  return {
    documents: reliable ? documents : [],
    // Other errors mostly follow from these.
    mistakes: oddLines.length > 0 ? oddLines : noYaml.length > mostLines ? otherText(noYaml) : [...mistakes, ...noYaml],
  };
}

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
