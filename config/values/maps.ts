export const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The list without its invalid items, which validation left undefined. */
export const present = <T>(list: readonly (T | undefined)[] = []): readonly T[] =>
  list.filter((item) => item !== undefined);

/** The items if the condition holds; none otherwise. */
export const when = <T>(condition: boolean, ...items: readonly T[]): readonly T[] => (condition ? items : []);

/** The map without the keys whose value is undefined. */
export const defined = <T extends object>(map: T) =>
  Object.fromEntries(Object.entries(map).filter(([, value]) => value !== undefined)) as string extends keyof T
    ? Record<string, Exclude<T[keyof T], undefined>>
    : { [K in keyof T]?: Exclude<T[K], undefined> };

/** Stands in for an encrypted value that nobody has decrypted. It can't be checked, so there are no mistakes about it. */
export const unread = Object.freeze({ secure: "not decrypted" });

export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The values of these keys, without those that are undefined. */
export function given<T extends object, K extends keyof T>(
  map: T,
  ...keys: readonly K[]
): { [P in K]?: Exclude<T[P], undefined> } {
  return defined(Object.fromEntries(keys.map((key) => [key, map[key]]))) as { [P in K]?: Exclude<T[P], undefined> };
}

/** The map in the order of names: Pulumi sorts keys, while a file has them in any order. */
export const byName = <T>(map: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));
