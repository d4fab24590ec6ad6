import { type Mistake, pathText, type RawMistake, valueAt, valueText } from "./mistakes.ts";
import { isSecretPlace } from "./secretKeys.ts";

/** Where a configuration's values stand in files. */
export interface Places {
  readonly locate?: (path: readonly PropertyKey[]) => Pick<Mistake, "file" | "line">;
  /** The figures of the number at a path, as the file has them. Default: a message writes the number anew. */
  readonly figuresAt?: (path: readonly PropertyKey[]) => string | undefined;
  /** Whether the value at a path contains encrypted parts in the file: no message may show it. */
  readonly isSecret?: ((path: readonly PropertyKey[]) => boolean) | undefined;
}

/** Mistakes with their files and lines, in the order of their values in the configuration. @param root with members */
export function reported(mistakes: readonly RawMistake[], root: unknown, places: Places): Mistake[] {
  return inOrder(mistakes, root).map(({ path, message }) => {
    const [list, index, key] = path;
    // An index alone is hard to find in a long list.
    const inside = list === "members" && typeof index === "number" && key !== undefined && key !== "member";
    const name = inside ? nameAt(index, root, places) : undefined;
    const whose = name === undefined ? "" : ` (member '${name}')`;
    return {
      ...places.locate?.(path),
      path: pathText(path),
      message: `${message(shownAt(path, root, places))}${whose}`,
    };
  });
}

function shownAt(path: readonly PropertyKey[], root: unknown, { isSecret, figuresAt }: Places) {
  return isSecret?.(path) === true || isSecretPlace(path)
    ? () => "[secret]"
    : // YAML makes 202312000000 of 2.02312E+11, which nobody finds in the file.
      (value: unknown) => (value === valueAt(root, path) ? figuresAt?.(path) : undefined) ?? valueText(value);
}

export function nameAt(index: number, root: unknown, { isSecret }: Places): string | undefined {
  const place = ["members", index, "member"];
  const name = valueAt(root, place);
  return typeof name === "string" && isSecret?.(place) !== true
    ? JSON.stringify(name).slice(1, -1).slice(0, 60)
    : undefined;
}

function inOrder(mistakes: readonly RawMistake[], root: unknown): RawMistake[] {
  const orders = new Map<unknown, ReadonlyMap<string, number>>();
  /** Positions of a path's keys in their parents; -1 for an absent key. */
  const stepsTo = (path: readonly PropertyKey[]): number[] =>
    path.map((key, at) => {
      if (typeof key === "number") {
        return key;
      }
      const parent = valueAt(root, path.slice(0, at));
      const order = orders.get(parent) ?? new Map(Object.keys(parent ?? {}).map((child, place) => [child, place]));
      orders.set(parent, order);
      return order.get(String(key)) ?? -1;
    });
  return mistakes
    .map((mistake) => ({ mistake, place: stepsTo(mistake.path) }))
    .sort((a, b) => compared(a.place, b.place))
    .map(({ mistake }) => mistake);
}

function compared(a: readonly number[], b: readonly number[]): number {
  const depth = a.findIndex((step, at) => step !== b[at]);
  const [ofA, ofB] = [a[depth], b[depth]];
  return ofA === undefined || ofB === undefined ? a.length - b.length : ofA - ofB;
}
