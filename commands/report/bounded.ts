/**
 * How many rows of each part fit: those of the worst first, as far as half of the room, and then one of each part after the
 * other, so that each shows some of what it has.
 * @param lengths characters of each row, by part
 * @param room characters that all together may have; what goes without rows is taken off already
 * @param worst which parts come first
 */
export function fill(lengths: readonly (readonly number[])[], room: number, worst: readonly boolean[]): number[] {
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
  for (const [part, comesFirst] of worst.entries()) {
    while (comesFirst && take(part, left - room / 2)) {}
  }
  // A part whose next row does not fit is done: a table with holes in it would say that there is nothing there.
  let open = lengths.map((_, part) => part);
  while (open.length > 0) {
    open = open.filter((part) => take(part, left));
  }
  return taken;
}
