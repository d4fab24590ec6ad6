/** Order of two names by code units, the same on every machine; for `sort`. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
