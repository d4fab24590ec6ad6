/** The order of two names by their code units, the same on every machine, as `sort` wants it. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
