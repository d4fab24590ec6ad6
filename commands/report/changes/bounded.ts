/** How much of the room a part may take before the others. */
export type RowClaim = "all" | "half" | "rest";

/** As much of the room is left to the others by those that claim all of it. */
const share = 1 / 8;

/**
 * How many rows of each part fit: first those that claim all of the room but the others' share, then those of the
 * worst, as far as half of what is left, and then one of each part after the other, so that each shows some of what it has.
 * @param lengths characters of each row, by part
 * @param room characters that all together may have; what goes without rows is taken off already
 */
export function fill(lengths: readonly (readonly number[])[], room: number, claims: readonly RowClaim[]): number[] {
  const taken = lengths.map(() => 0);
  let left = room;
  const take = (part: number, within: number): boolean => {
    const next = lengths[part]?.[taken[part] ?? 0];
    if (next === undefined || next > within || next > left) {
      return false;
    }
    taken[part] = (taken[part] ?? 0) + 1;
    left -= next;
    return true;
  };
  const unclaimed = lengths.filter((_, part) => claims[part] !== "all").flat();
  const others = Math.min(
    room * share,
    unclaimed.reduce((sum, each) => sum + each, 0),
  );
  for (const [part, claim] of claims.entries()) {
    while (claim === "all" && take(part, left - others)) {}
  }
  const half = left / 2;
  for (const [part, claim] of claims.entries()) {
    while (claim === "half" && take(part, left - half)) {}
  }
  // A part whose next row does not fit is done: a table with holes in it would say that there is nothing there.
  let open = lengths.map((_, part) => part);
  while (open.length > 0) {
    open = open.filter((part) => take(part, left));
  }
  return taken;
}
