/** Whether a value is a map, rather than a list or a plain value. */
export const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The list without its invalid items, which validation left undefined. */
export const present = <T>(list: readonly (T | undefined)[] = []): T[] => list.filter((item) => item !== undefined);

/** The map without the keys whose value is undefined. */
export const defined = <T extends object>(map: T) =>
  Object.fromEntries(Object.entries(map).filter(([, value]) => value !== undefined)) as string extends keyof T
    ? Record<string, Exclude<T[keyof T], undefined>>
    : { [K in keyof T]?: Exclude<T[K], undefined> };
