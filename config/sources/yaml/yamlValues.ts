import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, type Scalar } from "yaml";
import { oddInKey } from "./oddCharacters.ts";

/** Aliases of aliases let a small file expand to more values than a machine can hold. */
const mostValues = 5_000_000;

/** A node that has no certain value, such as an alias of nothing. */
export class NodeError extends Error {
  readonly node: Node;

  constructor(node: Node, message: string) {
    super(message);
    this.node = node;
  }
}

export const isNode = (value: unknown): value is Node =>
  isMap(value) || isSeq(value) || isScalar(value) || isAlias(value);

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
export function converted(contents: Node): { value: unknown; targets: ReadonlyMap<Node, Node> } {
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
    const value = isMap(node)
      ? mapOf(node.items)
      : isSeq(node)
        ? node.items.map(convert)
        : isScalar(node)
          ? scalarOf(node)
          : null;
    if (node.anchor !== undefined) {
      anchors.set(node.anchor, { node, value, weight: weight - before });
    }
    return value;
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
