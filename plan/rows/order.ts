import { memberRows } from "./memberRows.ts";
import { type KeptOptions, type Lifetime, lifetimeOf, type Optioned, type Row, type There } from "./row.ts";
import { sharedRows } from "./sharedRows.ts";

const rows: readonly Omit<Row<never>, "made">[] = [...sharedRows, ...memberRows];

const order = rows.map(({ part }) => part);

const ranks = new Map<string, number>();

/** Index of a part's row among all rows; -1 for a part outside the cluster, such as a bucket. */
function rankOf(part: string): number {
  const known = ranks.get(part);
  if (known !== undefined) {
    return known;
  }
  const exact = order.indexOf(part);
  const rank = exact === -1 ? order.findIndex((pattern) => variedIn(part, pattern) !== undefined) : exact;
  // Thousands of members have the same parts.
  ranks.set(part, rank);
  return rank;
}

export const byOrder = (a: string, b: string) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1);

export function keptOptions(part: string, on: Partial<Optioned>, ignored: readonly string[]): KeptOptions {
  const { labels = {}, annotations = {} } = on;
  return {
    ...rows[rankOf(part)]?.options?.({ labels, annotations, ignored }),
    ...(ignored.length === 0 ? {} : { ignoreChanges: [...ignored] }),
  };
}

/** What it is created `after` and deleted before. @param all parts of the member and shared parts that exist: nothing depends on others */
export function linksOf(
  part: string,
  all: readonly string[],
): { readonly after: readonly string[]; readonly lifetime: Lifetime } {
  const rank = rankOf(part);
  const row = rows[rank];
  const before = all.filter((other) => rankOf(other) < rank).toSorted(byOrder);
  const there: There = (...patterns) =>
    patterns.flatMap((each) => before.filter((other) => variedIn(other, each) !== undefined));
  return {
    after: row?.after?.(there, variedIn(part, row.part) ?? "") ?? [],
    lifetime: row === undefined ? "own" : lifetimeOf(row),
  };
}

/** The text that `*` stands for: empty if the pattern has none, undefined if the text doesn't fit. */
function variedIn(text: string, pattern: string): string | undefined {
  const [start = "", end] = pattern.split("*");
  if (end === undefined) {
    return text === pattern ? "" : undefined;
  }
  const vary = text.slice(start.length, text.length - end.length);
  return vary !== "" && !vary.includes("/") && text === start + vary + end ? vary : undefined;
}
