/** Share of the characters that a part may take before the others. */
export type RowClaim = "all" | "half" | "rest";

/** Share of the characters that parts which claim all of them leave to the others. */
const share = 1 / 8;

/**
 * Number of rows that fit, by part: first those of parts that claim all characters except the others' share, then
 * those that claim half of the remainder, then one of each part in turn, so that each shows some.
 * @param lengths characters of each row, by part
 * @param most characters for all rows together, without the text around them
 */
export function fill(lengths: readonly (readonly number[])[], most: number, claims: readonly RowClaim[]): number[] {
  const taken = lengths.map(() => 0);
  let remaining = most;
  const take = (part: number, within: number): boolean => {
    const next = lengths[part]?.[taken[part] ?? 0];
    if (next === undefined || next > within || next > remaining) {
      return false;
    }
    taken[part] = (taken[part] ?? 0) + 1;
    remaining -= next;
    return true;
  };
  const unclaimed = lengths.filter((_, part) => claims[part] !== "all").flat();
  const others = Math.min(
    most * share,
    unclaimed.reduce((sum, each) => sum + each, 0),
  );
  for (const [part, claim] of claims.entries()) {
    while (claim === "all" && take(part, remaining - others)) {}
  }
  const half = remaining / 2;
  for (const [part, claim] of claims.entries()) {
    while (claim === "half" && take(part, remaining - half)) {}
  }
  // A part ends at the first row that does not fit, since gaps in a table would mislead.
  let open = lengths.map((_, part) => part);
  while (open.length > 0) {
    open = open.filter((part) => take(part, remaining));
  }
  return taken;
}
