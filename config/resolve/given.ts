/** The values of these keys, without those that are undefined. */
export function given<T extends object, K extends keyof T>(
  map: T,
  ...keys: readonly K[]
): { [P in K]?: Exclude<T[P], undefined> } {
  return Object.fromEntries(keys.flatMap((key) => (map[key] === undefined ? [] : [[key, map[key]]]))) as {
    [P in K]?: Exclude<T[P], undefined>;
  };
}
