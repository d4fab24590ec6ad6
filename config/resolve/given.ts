import { defined } from "../model/maps.ts";
/** The values of these keys, without those that are undefined. */
export function given<T extends object, K extends keyof T>(
  map: T,
  ...keys: readonly K[]
): { [P in K]?: Exclude<T[P], undefined> } {
  return defined(Object.fromEntries(keys.map((key) => [key, map[key]]))) as { [P in K]?: Exclude<T[P], undefined> };
}

/** The map with its values changed, in the order of names: Pulumi sorts keys, while a file has them in any order. */
export const byName = <T, U>(map: Readonly<Record<string, T>>, read: (value: T) => U): Readonly<Record<string, U>> =>
  Object.fromEntries(
    Object.keys(map)
      .sort()
      .map((name) => [name, read(map[name] as T)]),
  );
